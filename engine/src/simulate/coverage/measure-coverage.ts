/** Measures which parts of a configuration a list of cases exercises. */
import type { Compilation } from '../../compile/compile.ts';
import { graphOfValidEntries } from '../../compile/entry-node.ts';
import { authenticatorIndexFor } from '../whoami/claims-decision.ts';
import { AuthenticatorCounter } from './count-authenticator.ts';
import type { Coverage, CoverageCase } from './coverage.ts';

/**
 * Decides each case with the functions of the server and counts the outcomes of every part of the
 * configuration. Entries with errors have no places.
 *
 * @example
 * ```ts
 * const compilation = compile({ source: sourceFile('auth.yaml', text) });
 * const { places } = measureCoverage(compilation, [{ claims, now: Date.now(), isToken: false }]);
 * ```
 */
export const measureCoverage = (
  compilation: Compilation,
  cases: readonly CoverageCase[],
): Coverage => {
  const nodes = graphOfValidEntries(compilation)?.nodes ?? [];
  const counters = nodes.map((node) => new AuthenticatorCounter(node, compilation));
  const issuers = nodes.map(({ issuerUrl }) => issuerUrl);
  for (const one of cases) {
    const index = authenticatorIndexFor(issuers, one.claims);
    if (index !== undefined) counters[index]?.decide(one);
  }
  return { cases: cases.length, places: counters.flatMap((counter) => counter.places()) };
};
