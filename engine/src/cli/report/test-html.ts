/** The results of the test files: a table, and what differs in each case that fails. */
import { formatLocation } from '../../diagnostics/render.ts';
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import { painter } from '../color.ts';
import { finding, table } from '../html/elements.ts';
import { block, code, text } from '../html/untrusted-text.ts';
import type { BrokenSuite } from '../testing/load-suite.ts';
import {
  clip,
  countsOf,
  isFailed,
  messageOf,
  type TestedSuite,
  type TestRun,
} from '../testing/suite-result.ts';
import { traceText } from '../trace-text.ts';
import { limited } from './shown-entries.ts';

export const testSections = ({ suites, broken }: TestRun): string => {
  const failures = suites.flatMap(({ suite, results }) =>
    results.filter(isFailed).map((result) => ({ suite, result })),
  );
  const { shown, note } = limited(failures);
  const summary = table({
    caption: 'Cases by test file',
    columns: ['File', 'Passed', 'Failed'],
    rows: suites.map((result) => {
      const { passed, failed } = countsOf([result]);
      return [text(result.suite.source.uri), String(passed), String(failed)];
    }),
  });
  return [
    ...(suites.length === 0 ? [] : [summary]),
    ...broken.map(brokenHtml),
    ...shown.map(({ suite, result }, index) => failureHtml(suite, result, index)),
    note,
  ].join('\n');
};

const brokenHtml = (broken: BrokenSuite, index: number): string =>
  finding({
    id: `broken-${index + 1}`,
    severity: 'error',
    heading: `${text(broken.path)} could not be run`,
    parts: [block(messageOf(broken))],
  });

const failureHtml = (
  suite: TestedSuite,
  { test, outcome, differences }: CaseResult,
  index: number,
): string => {
  const path = traceText(outcome.steps, { find: suite.find, paint: painter(false) });
  return finding({
    id: `failed-${index + 1}`,
    severity: 'error',
    heading: `<span class="severity">failed</span> ${text(test.name)}`,
    parts: [
      `<p>${code(formatLocation(suite.source, test.span.start))}</p>`,
      table({
        caption: 'Differences',
        hidesCaption: true,
        columns: ['Part', 'Expected', 'Actual'],
        rows: differences.map(({ what, expected, actual }) => [
          text(what),
          code(clip(expected)),
          code(clip(actual)),
        ]),
      }),
      ...(path === ''
        ? []
        : [`<details><summary>The path through the graph</summary>${block(path)}</details>`]),
    ],
  });
};
