/**
 * Decides the cases of test files with mutants. Claims and tokens of known keys are decided by their
 * claims; all other cases only with `openDecider`, like in a run of the tests.
 */
import { setImmediate } from 'node:timers/promises';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { nodeClock } from '../../node/clock.ts';
import type { CaseDecider } from '../../simulate/tests/case-result.ts';
import { differencesOf } from '../../simulate/tests/compare-outcome.ts';
import { createCaseDecider } from '../../simulate/tests/decide-cases.ts';
import { createPauses } from '../../simulate/tests/pauses.ts';
import type { TestCase, TestClaims } from '../../simulate/tests/test-case.ts';
import type { ConfigurationTests } from '../coverage/suite-coverage.ts';
import type { Suite, SuiteContext } from '../testing/load-suite.ts';
import { openDecider } from '../testing/run-file.ts';

/** A case with a name that is unique among all test files. */
export interface NamedCase {
  readonly id: string;
  readonly suite: Suite;
  readonly test: TestCase;
}

export const namedCases = ({ tests }: Pick<ConfigurationTests, 'tests'>): readonly NamedCase[] =>
  tests.flatMap(({ suite, cases }) =>
    cases.map((test, index) => ({
      id: `${suite.source.uri}#${index + 1}`,
      suite,
      test,
    })),
  );

/** Returns a function that finds the first case that fails with a graph. */
export const failureFinder = async (
  cases: readonly NamedCase[],
  original: AuthenticatorGraph,
  context: SuiteContext,
): Promise<(graph: AuthenticatorGraph) => Promise<string | undefined>> => {
  const byClaims = cases.flatMap((one) => {
    const claims = claimsOf(one.test);
    return claims === undefined
      ? []
      : [{ ...one, test: { ...one.test, input: { kind: 'claims', claims } as const } }];
  });
  const originalDecider = claimsDecider(original);
  const decided = new Set<string>();
  for (const one of byClaims) if (await passes(one, originalDecider)) decided.add(one.id);
  const quick = byClaims.filter(({ id }) => decided.has(id));
  const whole = Map.groupBy(
    cases.filter(({ id, test }) => !decided.has(id) && !hasUnknownKey(test)),
    ({ suite }) => suite,
  );
  const { monotonic } = nodeClock();
  // Signals arrive only between tasks.
  const pauseIfDue = createPauses({ monotonic, pause: setImmediate });
  return async (graph) => {
    const decider = claimsDecider(graph);
    for (const one of quick) {
      await pauseIfDue();
      if (context.io.signal.aborted) return undefined;
      if (!(await passes(one, decider))) return one.id;
    }
    for (const [suite, some] of whole) {
      const failed = await firstFailure({ ...suite, graph }, some, context);
      if (failed !== undefined) return failed;
    }
    return undefined;
  };
};

/** Returns the claims of a case whose token has a valid signature. */
const claimsOf = ({ input }: TestCase): TestClaims | undefined => {
  if (input.kind === 'claims') return input.claims;
  return input.kind === 'token' && input.signing.key === 'issuer' ? input.claims : undefined;
};

/** Mutants change no keys, so that such a token is rejected with every one of them. */
const hasUnknownKey = ({ input }: TestCase): boolean =>
  input.kind === 'token' && input.signing.key === 'unknown';

const passes = async ({ test }: NamedCase, decider: CaseDecider): Promise<boolean> => {
  const outcome = await decider.decide(test, { trace: false });
  return differencesOf(test.expected, outcome).length === 0;
};

/** Claims are decided without keys and at the time of their case. */
const claimsDecider = (graph: AuthenticatorGraph): CaseDecider =>
  createCaseDecider(graph, { clock: { now: 0 } });

const firstFailure = async (
  suite: Suite,
  cases: readonly NamedCase[],
  context: SuiteContext,
): Promise<string | undefined> => {
  const tests = cases.map(({ test }) => test);
  const opened = await openDecider(suite, tests, context);
  // The other authenticators could be opened for the configuration itself.
  if ('path' in opened) return cases[0]?.id;
  try {
    for (const { id, test } of cases) {
      const outcome = await opened.decide(test, { trace: false });
      if (differencesOf(test.expected, outcome).length > 0) return id;
    }
    return undefined;
  } finally {
    await opened.close();
  }
};
