/** The results of test files, as the output formats read them. */
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import type { BrokenSuite, Suite } from './load-suite.ts';

/** What reports show of a test file that was run, perhaps on another thread. */
export interface TestedSuite extends Pick<Suite, 'path' | 'source' | 'configuration' | 'find'> {
  readonly file: Pick<Suite['file'], 'targetRelease'>;
}

export interface SuiteResult<Tested extends TestedSuite = TestedSuite> {
  readonly suite: Tested;
  readonly results: readonly CaseResult[];
  /** Cases that the filter excludes, or that follow the first failure with `--bail`. */
  readonly skipped: number;
}

export interface TestRun<Tested extends TestedSuite = TestedSuite> {
  readonly suites: readonly SuiteResult<Tested>[];
  readonly broken: readonly BrokenSuite[];
  readonly durationMs: number;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const isFailed = ({ differences }: Pick<CaseResult, 'differences'>): boolean =>
  differences.length > 0;

export const countsOf = (suites: readonly SuiteResult[]): TestCounts => {
  const results = suites.flatMap((suite) => suite.results);
  const failed = results.filter(isFailed).length;
  const skipped = suites.reduce((sum, suite) => sum + suite.skipped, 0);
  return { passed: results.length - failed, failed, skipped };
};

/** Returns the line of a case in its file, counted from 1. */
export const lineOf = (
  { source }: Pick<TestedSuite, 'source'>,
  { test }: Pick<CaseResult, 'test'>,
): number => source.positionAt(test.span.start).line + 1;

/** Describes a failure in plain text: expected and actual value of each difference. */
export const failureLines = ({ differences }: Pick<CaseResult, 'differences'>): readonly string[] =>
  differences.flatMap(({ what, expected, actual }) => [
    `${what}: expected ${expected}`,
    `${' '.repeat(what.length)}  actual   ${actual}`,
  ]);

export const messageOf = (broken: BrokenSuite): string => {
  if (broken.kind === 'failure') return broken.reason;
  const { source, diagnostics } = broken.report;
  return diagnostics
    .map(({ span, message }) => {
      const { line, column } = source.positionAt(span.start);
      return `${source.uri}:${line + 1}:${column + 1}: ${message}`;
    })
    .join('\n');
};

/** Cuts a value off for people; a claim may be as long as a token. */
export const clip = (text: string): string =>
  text.length <= 1000 ? text : `${text.slice(0, 1000)}…`;
