/** The user of each sample and each test case of a report. */
import { formatLocation } from '../../diagnostics/render.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { describeOutcome, userOf } from '../../simulate/tests/compare-outcome.ts';
import type { ReportData, ReportSample } from './report-data.ts';

export interface Identity {
  readonly name: string;
  /** The origin: `sample`, or the position of the test case. */
  readonly from: string;
  /** `null` if it is rejected. */
  readonly user: UserInfo | null;
  /** The authenticator of a user, or why the request is rejected. */
  readonly reason: string;
  /** What would be different for a token. */
  readonly notes: readonly string[];
}

export const identitiesOf = ({ samples, tests }: ReportData): readonly Identity[] => [
  ...samples.map(sampleIdentity),
  ...(tests.kind === 'absent'
    ? []
    : tests.result.suites.flatMap(({ suite, results }) =>
        results.map(({ test, outcome }): Identity => {
          const user = userOf(outcome) ?? null;
          return {
            name: test.name,
            from: formatLocation(suite.source, test.span.start),
            user,
            reason: user === null ? describeOutcome(outcome) : `by ${outcome.authenticator}`,
            notes: [],
          };
        }),
      )),
];

const sampleIdentity = ({ name, decision, authenticator, unenforced }: ReportSample): Identity => {
  const outcome = { decision, authenticator, impersonation: undefined };
  const user = userOf(outcome) ?? null;
  return {
    name,
    from: 'sample',
    user,
    reason: user === null ? describeOutcome(outcome) : `by ${authenticator}`,
    notes: unenforced.map((problem) => `Not enforced: ${problem}.`),
  };
};
