/** Formats results as JSON; see docs/schema/test.v1.json. */
import { jsonDiagnostic, jsonRange } from '../../diagnostics/json.ts';
import type { CaseResult } from '../../simulate/tests/case-result.ts';
import { placed, stepData, userData } from '../decision-data.ts';
import type { BrokenSuite } from './load-suite.ts';
import {
  countsOf,
  isFailed,
  type SuiteResult,
  type TestedSuite,
  type TestRun,
} from './suite-result.ts';

/** Incremented when the format changes incompatibly. */
const testVersion = 1;

export const testJson = ({ suites, broken, durationMs }: TestRun): string =>
  `${JSON.stringify(
    {
      version: testVersion,
      summary: { ...countsOf(suites), broken: broken.length, durationMs: rounded(durationMs) },
      files: suites.map(suiteData),
      broken: broken.map(brokenData),
    },
    undefined,
    2,
  )}\n`;

const suiteData = ({ suite, results, skipped }: SuiteResult): object => ({
  file: suite.source.uri,
  configuration: suite.configuration,
  skipped,
  tests: results.map((result) => caseData(suite, result)),
});

const caseData = ({ source, find }: TestedSuite, result: CaseResult): object => {
  const { test, outcome, differences, durationMs } = result;
  const { decision, authenticator, impersonation, steps } = outcome;
  return {
    name: test.name,
    range: jsonRange(source, test.span),
    status: isFailed(result) ? 'failed' : 'passed',
    durationMs: rounded(durationMs),
    decision: decision.kind === 'accepted' ? 'accepted' : 'rejected',
    by: authenticator,
    ...(decision.kind === 'accepted' ? { user: userData(decision.user) } : {}),
    ...(decision.kind === 'rejected'
      ? { reason: { ...decision.reason, ...placed(decision.reason.at, find) } }
      : {}),
    ...(impersonation === undefined
      ? {}
      : {
          impersonation:
            impersonation.kind === 'denied'
              ? { decision: 'denied', message: impersonation.message }
              : { decision: 'allowed', user: userData(impersonation.user) },
        }),
    ...(differences.length === 0 ? {} : { differences }),
    ...(steps.length === 0 ? {} : { trace: steps.map((step) => stepData(step, find)) }),
  };
};

const brokenData = (broken: BrokenSuite): object =>
  broken.kind === 'failure'
    ? { file: broken.path, reason: broken.reason }
    : {
        file: broken.path,
        diagnostics: broken.report.diagnostics.map((one) =>
          jsonDiagnostic(broken.report.source, one),
        ),
      };

/** Milliseconds with microseconds. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
