/**
 * Opens what decides signed tokens and whole requests: test keys, the linked graph, and the other
 * authenticators. Cases with claims only need none of it, and loading it takes longer than deciding
 * them.
 */
import type { CaseDecider } from '../../simulate/tests/case-result.ts';
import { createCaseDecider, type TestClock } from '../../simulate/tests/decide-cases.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import { offlineIssuers } from '../../simulate/whoami/offline-issuers.ts';
import { portsAt } from '../ports-at.ts';
import type { BrokenSuite, Suite, SuiteContext } from './load-suite.ts';
import { createTestTokens } from './test-tokens.ts';

/** Returns what decides cases with signed tokens or whole requests, or why a server cannot be set up for them. */
export const openTokenDecider = async (
  suite: Suite,
  cases: readonly TestCase[],
  { io }: Pick<SuiteContext, 'io'>,
): Promise<CaseDecider | BrokenSuite> => {
  const clock: TestClock = { now: 0 };
  const tokens = createTestTokens(cases);
  const fixed = portsAt(0, 'fixed', offlineIssuers(suite.graph, noKeys));
  const ports = { ...fixed, clock: { ...fixed.clock, now: () => clock.now } };
  if (!cases.some(({ input }) => input.kind === 'request'))
    return createCaseDecider(suite.graph, { tokens, ports, clock });
  const { openSuiteServer } = await import('./open-server.ts');
  const http = offlineIssuers(suite.graph, { kind: 'one', text: await tokens.keySet() });
  const server = await openSuiteServer(suite, { ports: { ...ports, http }, io });
  if (server.kind === 'mistakes')
    return { kind: 'mistakes', path: suite.path, report: server.report };
  const { decideRequest } = server;
  const decider = createCaseDecider(suite.graph, { tokens, ports, clock, decideRequest });
  return {
    prepare: (test) => decider.prepare?.(test),
    decide: (test, options) => decider.decide(test, options),
    async close() {
      await decider.close();
      await server.close();
    },
  };
};

/** Tests never use the network; the keys are those of the run. */
const noKeys = { kind: 'by issuer', textByIssuer: new Map() } as const;
