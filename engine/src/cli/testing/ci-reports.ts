/** Formats results for CI systems: JUnit XML, TAP 14, and annotations of GitHub. */
import { githubAnnotation } from '../../diagnostics/github.ts';
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { BrokenSuite } from './load-suite.ts';
import {
  countsOf,
  failureLines,
  isFailed,
  lineOf,
  messageOf,
  type SuiteResult,
  type TestRun,
} from './suite-result.ts';

export const junitXml = ({ suites, broken, durationMs }: TestRun): string => {
  const { passed, failed, skipped } = countsOf(suites);
  const attributes = {
    name: 'authgraph test',
    tests: passed + failed + skipped + broken.length,
    failures: failed,
    errors: broken.length,
    skipped,
    time: seconds(durationMs),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(attributes)}>`,
    ...suites.flatMap(junitSuite),
    ...broken.flatMap(junitBroken),
    '</testsuites>',
    '',
  ].join('\n');
};

const junitSuite = (result: SuiteResult): readonly string[] => {
  const { suite, results } = result;
  const { passed, failed, skipped } = countsOf([result]);
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const name = suite.source.uri;
  const counts = { name, tests: passed + failed + skipped, failures: failed, skipped, time };
  return [
    `  <testsuite${xmlAttributes(counts)}>`,
    ...results.flatMap((one) => junitCase(name, lineOf(suite, one), one)),
    '  </testsuite>',
  ];
};

const junitCase = (file: string, line: number, result: CaseResult): readonly string[] => {
  const { test, durationMs } = result;
  const attributes = { name: test.name, classname: file, file, line, time: seconds(durationMs) };
  if (!isFailed(result)) return [`    <testcase${xmlAttributes(attributes)}/>`];
  const [first] = result.differences;
  const message = `${first?.what}: expected ${first?.expected}, actual ${first?.actual}`;
  return [
    `    <testcase${xmlAttributes(attributes)}>`,
    `      <failure${xmlAttributes({ message })}>${xmlText([`${file}:${line}`, ...failureLines(result)].join('\n'))}</failure>`,
    '    </testcase>',
  ];
};

const junitBroken = (broken: BrokenSuite): readonly string[] => [
  `  <testsuite${xmlAttributes({ name: broken.path, tests: 1, errors: 1 })}>`,
  `    <testcase${xmlAttributes({ name: 'the test file can be run', classname: broken.path })}>`,
  `      <error${xmlAttributes({ message: 'the test file cannot be run' })}>${xmlText(messageOf(broken))}</error>`,
  '    </testcase>',
  '  </testsuite>',
];

const xmlAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** Escapes text; characters that XML does not have are printed as `\uXXXX` escapes. */
const xmlText = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeUnprintable(line))
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(6);

export const tapText = ({ suites, broken }: TestRun): string => {
  const lines: string[] = [];
  let number = 0;
  const point = (isOk: boolean, name: string): void => {
    number += 1;
    lines.push(`${isOk ? 'ok' : 'not ok'} ${number} - ${tapName(name)}`);
  };
  for (const { suite, results, skipped } of suites) {
    for (const result of results) {
      point(!isFailed(result), `${suite.source.uri}: ${result.test.name}`);
      if (!isFailed(result)) continue;
      lines.push('  ---');
      lines.push(`  at: ${JSON.stringify(`${suite.source.uri}:${lineOf(suite, result)}`)}`);
      lines.push('  differences:');
      for (const { what, expected, actual } of result.differences)
        lines.push(`    - ${JSON.stringify({ what, expected, actual })}`);
      lines.push('  ...');
    }
    for (let count = 0; count < skipped; count += 1) {
      number += 1;
      lines.push(`ok ${number} - ${tapName(suite.source.uri)} # SKIP`);
    }
  }
  for (const one of broken) {
    point(false, `${one.path}: the test file can be run`);
    lines.push('  ---', `  message: ${JSON.stringify(messageOf(one))}`, '  ...');
  }
  return ['TAP version 14', `1..${number}`, ...lines, ''].join('\n');
};

/** A number sign would start a directive. */
const tapName = (name: string): string =>
  escapeUnprintable(name).replaceAll('\\', '\\\\').replaceAll('#', '\\#');

export const githubTests = ({ suites, broken }: TestRun): string =>
  [
    ...suites.flatMap(({ suite, results }) =>
      results.filter(isFailed).map((result) =>
        githubAnnotation({
          file: suite.source.uri,
          line: lineOf(suite, result),
          title: result.test.name,
          message: failureLines(result).join('\n'),
        }),
      ),
    ),
    ...broken.map((one) =>
      githubAnnotation({
        file: one.kind === 'mistakes' ? one.report.source.uri : one.path,
        line: brokenLine(one),
        title: 'the test file cannot be run',
        message: messageOf(one),
      }),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');

const brokenLine = (broken: BrokenSuite): number => {
  if (broken.kind === 'failure') return 1;
  const { source, diagnostics } = broken.report;
  return source.positionAt(diagnostics[0]?.span.start ?? 0).line + 1;
};
