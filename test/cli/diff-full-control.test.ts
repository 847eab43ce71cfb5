/** Every output format of `authgraph diff` names a search for system:masters that was left out. */
import { expect, test } from 'vitest';
import { painter } from '../../engine/src/cli/color.ts';
import { diffData } from '../../engine/src/cli/diff/diff-data.ts';
import { diffHtml } from '../../engine/src/cli/diff/diff-html.ts';
import { diffMarkdown } from '../../engine/src/cli/diff/diff-markdown.ts';
import type { DiffReport } from '../../engine/src/cli/diff/diff-report.ts';
import { diffText } from '../../engine/src/cli/diff/diff-text.ts';
import { compareAccessWithin } from '../../engine/src/simulate/access/compare-access.ts';
import { EvaluationBudget } from '../../engine/src/simulate/access/evaluation-budget.ts';
import { StringWalks } from '../../engine/src/simulate/access/string-walks.ts';
import { fullControlUndecided } from '../../engine/src/simulate/difference/system-groups.ts';
import { sideOf } from '../engine/simulate/access/compare-texts.ts';
import { configuration } from '../engine/simulate/access/configurations.ts';
import { schemaErrors } from '../support/json-schema.ts';

const before = sideOf(configuration({ groups: "{claim: groups, prefix: 'oidc:'}" }));
const after = sideOf(
  configuration({ groups: "{claim: groups, prefix: 'oidc:'}", rules: ["claims.hd == 'x'"] }),
);

/** Compares with the rules removed, so that someone gains access. */
const reportWithin = (evaluations: number): DiffReport => ({
  names: { before: 'old.yaml', after: 'new.yaml' },
  sources: { before: undefined, after: undefined },
  comparison: compareAccessWithin(after, before, {
    mode: 'product',
    budget: new EvaluationBudget(evaluations, evaluations),
    walks: new StringWalks(),
  }),
  samples: [],
  corpora: [],
});

// The search needs 10,000 evaluations for each authenticator.
const leftOut = reportWithin(9000);
const complete = reportWithin(100_000);

const outputs: Readonly<Record<string, (report: DiffReport) => string>> = {
  text: (report) => diffText(report, painter(false)),
  json: (report) => JSON.stringify(diffData(report)),
  markdown: (report) => diffMarkdown(report, { failOn: [], requireProof: [] }),
  html: diffHtml,
};

test.each(Object.entries(outputs))('%s', (_, format) => {
  expect(format(leftOut)).toContain(fullControlUndecided);
  expect(format(complete)).not.toContain('system:masters');
});

test('JSON has it as data, too', () => {
  const data = diffData(leftOut);
  expect(data).toMatchObject({ fullControl: 'undecided', summary: fullControlUndecided });
  expect(schemaErrors('diff.v2', JSON.parse(JSON.stringify(data)))).toEqual([]);
  expect(diffData(complete)).not.toHaveProperty('fullControl');
});
