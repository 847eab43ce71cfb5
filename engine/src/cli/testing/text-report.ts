/** Prints results for people: one line per file, and every failure with its path through the graph. */

import { formatLocation } from '../../diagnostics/render.ts';
import { counted } from '../../formats/counted.ts';
import type { CaseResult, Difference } from '../../simulate/tests/case-result.ts';
import { describeOutcome } from '../../simulate/tests/compare-outcome.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { Paint } from '../color.ts';
import { rejectionFrame, traceText } from '../trace-text.ts';
import {
  clip,
  countsOf,
  isFailed,
  type SuiteResult,
  type TestedSuite,
  type TestRun,
} from './suite-result.ts';

export interface TextOptions {
  readonly paint: Paint;
  readonly width: number;
  /** Whether cases that pass are listed too. */
  readonly verbose: boolean;
}

/** Returns the lines of one file. */
export const suiteText = (
  { suite, results, skipped }: SuiteResult,
  options: TextOptions,
): string => {
  const { paint, verbose } = options;
  const failed = results.filter(isFailed).length;
  const counts =
    failed === 0
      ? counted(results.length, 'test')
      : `${failed} of ${counted(results.length, 'test')} failed`;
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
  const mark = failed === 0 ? paint('green', '✓') : paint('red', '✗');
  const lines = [
    `${mark} ${escapeUnprintable(suite.source.uri)} ${paint('dim', `(${counts}${rest})`)}`,
  ];
  for (const result of results) {
    if (isFailed(result)) lines.push(...failedLines(suite, result, options));
    else if (verbose) lines.push(`  ${paint('green', '✓')} ${escapeUnprintable(result.test.name)}`);
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};

const failedLines = (
  suite: TestedSuite,
  result: CaseResult,
  { paint, width }: TextOptions,
): readonly string[] => {
  const { test, outcome, differences } = result;
  const place = { find: suite.find, paint };
  const at = outcome.decision.kind === 'rejected' ? outcome.decision.reason.at : undefined;
  // The lines of a whole entry show no reason.
  const part = at?.includes('.') === true ? at : undefined;
  const frame = rejectionFrame(part, { ...place, width: width - indent.length });
  const path = traceText(outcome.steps, place).split('\n');
  const decision = differences.some(({ what }) => what === 'decision')
    ? []
    : [paint('dim', escapeUnprintable(clip(describeOutcome(outcome))))];
  return [
    `  ${paint('red', '✗')} ${paint('bold', escapeUnprintable(test.name))}  ${paint('dim', formatLocation(suite.source, test.span.start))}`,
    ...differences.flatMap((difference) => differenceLines(difference, paint)),
    ...[...decision, ...frame, ...path].map((line) => `${indent}${line}`),
  ];
};

const indent = '    ';

const differenceLines = (
  { what, expected, actual }: Difference,
  paint: Paint,
): readonly string[] => [
  `${indent}${escapeUnprintable(what)}`,
  `${indent}  expected  ${paint('green', escapeUnprintable(clip(expected)))}`,
  `${indent}  actual    ${paint('red', escapeUnprintable(clip(actual)))}`,
];

/** Returns the last line. */
export const summaryText = ({ suites, broken, durationMs }: TestRun, paint: Paint): string => {
  const { passed, failed, skipped } = countsOf(suites);
  const parts = [
    ...(failed === 0 ? [] : [paint('red', `${failed} failed`)]),
    paint(failed + broken.length === 0 ? 'green' : 'dim', `${passed} passed`),
    ...(skipped === 0 ? [] : [paint('yellow', `${skipped} skipped`)]),
  ];
  const unusable =
    broken.length === 0 ? '' : paint('red', `; ${counted(broken.length, 'file')} could not be run`);
  return `${parts.join(', ')} in ${counted(suites.length, 'file')}${unusable} ${paint('dim', `(${durationText(durationMs)})`)}\n`;
};

const durationText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
