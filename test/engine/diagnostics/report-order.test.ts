/** The order of a report, consequences under their cause, and messages with their field path. */
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { githubAnnotations } from '../../../engine/src/diagnostics/github.ts';
import { jsonReport } from '../../../engine/src/diagnostics/json.ts';
import { renderText } from '../../../engine/src/diagnostics/render.ts';
import {
  foldConsequences,
  inReportOrder,
  messageWithPath,
} from '../../../engine/src/diagnostics/report-order.ts';
import { sarifLog } from '../../../engine/src/diagnostics/sarif.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const at = (start: number, details: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'AG2001',
  name: 'expression-error',
  severity: 'error',
  source: 'server',
  message: `message ${start}`,
  help: '',
  span: { start, end: start + 1 },
  related: [],
  fixes: [],
  ...details,
});
const path = 'jwt[0].claimMappings.uid.expression';
const cause = at(4, { path });
const consequence = at(6, { path, consequenceOf: { code: 'AG2001', path } });
const advice = at(1, { severity: 'warning', code: 'AG4001' });
const source = sourceFile('a.yaml', 'a b c d e f g');
const reports = [{ source, diagnostics: [advice, consequence, cause] }];

const startsOf = (diagnostics: readonly Diagnostic[]): readonly number[] =>
  diagnostics.map(({ span }) => span.start);

test('errors come before advice, warnings before information, each by position', () => {
  const hint = at(0, { severity: 'hint' });
  const information = at(2, { severity: 'information' });
  const all = [hint, information, consequence, advice, cause];
  expect(startsOf(inReportOrder(all))).toEqual([4, 6, 1, 2, 0]);
});

test('a consequence is listed under the first diagnostic with the code and path of its cause', () => {
  const repeated = at(9, { path });
  const folded = foldConsequences([consequence, repeated, cause, advice]);
  expect(
    folded.map(({ diagnostic, consequences }) => [diagnostic.span.start, startsOf(consequences)]),
  ).toEqual([
    [4, [6]],
    [9, []],
    [1, []],
  ]);
});

test('a consequence without its cause is listed by itself', () => {
  const elsewhere = at(2, { path: 'jwt[1].claimMappings.uid.expression' });
  const folded = foldConsequences([elsewhere, consequence]);
  expect(folded.map(({ diagnostic }) => diagnostic.span.start)).toEqual([2, 6]);
});

test('text and annotations show the cause, JSON all', () => {
  const text = renderText(reports, { color: false, width: 80 });
  expect(text).toContain(`error[AG2001] ${path}: message 4\n`);
  expect(text).toContain('= note: 1 more error follows from it\n');
  expect(text).not.toContain('message 6');
  expect(githubAnnotations(reports)).toMatch(
    /^::error .*::jwt\[0\]\.claimMappings\.uid\.expression: message 4\n::warning .*::message 1\n$/,
  );
  const { files, summary } = jsonReport(reports);
  expect(files[0]?.diagnostics.map((one) => [one.path, one.consequenceOf])).toEqual([
    [path, undefined],
    [path, { code: 'AG2001', path }],
    [undefined, undefined],
  ]);
  expect(summary).toMatchObject({ errors: 1, warnings: 1 });
});

test.each([
  ['must evaluate to bool', `${path}: must evaluate to bool`],
  [`${path}: Forbidden: x`, `${path}: Forbidden: x`],
  [`unknown field "${path}"`, `unknown field "${path}"`],
])('%s is printed as %s', (message, printed) => {
  expect(messageWithPath(at(0, { message, path }))).toBe(printed);
});

const sarif = (
  diagnostics: readonly Diagnostic[],
  text = source.text,
  unreadable: Parameters<typeof sarifLog>[1] = [],
) =>
  JSON.parse(
    JSON.stringify(
      sarifLog([{ source: sourceFile('a.yaml', text), diagnostics }], unreadable, {
        version: '0.1.0',
        rules: [],
        hash: (value) => value,
      }),
    ),
  ).runs[0];

test('SARIF names the field, and its fingerprints do not depend on the line', () => {
  const [result] = sarif([cause]).results;
  expect(result.locations[0].logicalLocations).toEqual([
    { fullyQualifiedName: path, kind: 'property' },
  ]);
  const moved = { ...cause, span: { start: 6, end: 7 } };
  const [shifted] = sarif([moved], `\n\n${source.text}`).results;
  expect(shifted.locations[0].physicalLocation.region.startLine).toBe(3);
  expect(shifted.partialFingerprints).toEqual(result.partialFingerprints);
});

test('SARIF fingerprints differ by code, path, value and repetition, and contain no secret', () => {
  const key = `eyJhbGciOiJub25lIn0.${'a'.repeat(20)}.${'b'.repeat(20)}`;
  const secret = at(0, { span: { start: 0, end: key.length } });
  const values = sarif(
    [
      secret,
      at(key.length + 1),
      at(key.length + 1),
      at(key.length + 3),
      at(key.length + 1, { code: 'AG2002' }),
      at(key.length + 1, { path }),
    ],
    `${key} a b`,
  ).results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
    JSON.stringify(partialFingerprints),
  );
  expect(new Set(values).size).toBe(6);
  expect(values.join()).not.toContain('eyJ');
});

test('SARIF reports a file that could not be read', () => {
  expect(sarif([cause]).invocations).toEqual([{ executionSuccessful: true }]);
  const reason = 'open b.yaml: no such file or directory';
  const { invocations } = sarif([], '', [{ file: 'b.yaml', reason }]);
  expect(invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [
        {
          level: 'error',
          message: { text: reason },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'b.yaml' } } }],
        },
      ],
    },
  ]);
});
