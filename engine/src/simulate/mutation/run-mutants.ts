/** Compiles each mutant and decides the tests with it. */
import { type Compilation, compile } from '../../compile/compile.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { sourceFile } from '../../source/source-file.ts';
import type { Coverage } from '../coverage/coverage.ts';
import type { Mutant, MutantStatus } from './mutant.ts';
import { type MutantWitness, witnessOf, witnessSearches } from './mutant-witness.ts';

/**
 * The tests that mutants are checked with. They pass with the configuration itself.
 *
 * @example
 * ```ts
 * const suite: MutationSuite = {
 *   coverage: measureCoverage(compilation, cases),
 *   coversAnonymous: false,
 *   firstFailure: async (graph) => names.find((name) => !passes(name, graph)),
 * };
 * ```
 */
export interface MutationSuite {
  /** What the tests cover of the configuration. */
  readonly coverage: Coverage;
  /** Whether a test is a request without a token, which the `anonymous` section may decide. */
  readonly coversAnonymous: boolean;
  /** Returns the name of a test that fails with the graph; `undefined` if all pass. */
  firstFailure(graph: AuthenticatorGraph): Promise<string | undefined>;
}

/**
 * A mutant with its result.
 *
 * @example
 * ```ts
 * const survivors = results.filter(({ status }) => status === 'Survived');
 * ```
 */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly status: MutantStatus;
  /** The test that failed, the error of the compiler, or why the mutant is ignored or undecided. */
  readonly reason?: string;
  /** A token or a request that the mutant decides differently; only of mutants that no test notices. */
  readonly witness?: MutantWitness;
}

/** Results of earlier runs, by a key that names the configuration, the tests and the mutant. */
export interface MutantCache {
  get(mutant: Mutant): Pick<MutantResult, 'status' | 'reason' | 'witness'> | undefined;
  set(mutant: Mutant, result: MutantResult): void;
}

export interface RunOptions {
  readonly suite: MutationSuite;
  readonly cache?: MutantCache;
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Returns the result of each mutant, in their order. A mutant that no test notices is compared with the
 * configuration: a token shows the difference, or a proof that there is none.
 */
export const runMutants = async (
  compilation: Compilation,
  mutants: readonly Mutant[],
  { suite, cache, onProgress, signal }: RunOptions,
): Promise<readonly MutantResult[]> => {
  const results: MutantResult[] = [];
  const context = { suite, searches: witnessSearches() };
  const isAborted = (): boolean => signal?.aborted === true;
  for (const mutant of mutants) {
    if (isAborted()) break;
    const known = cache?.get(mutant);
    const result =
      known === undefined ? await runMutant(compilation, mutant, context) : { ...known, mutant };
    // An interrupted run of the tests decides nothing.
    if (isAborted()) break;
    if (known === undefined) cache?.set(mutant, result);
    results.push(result);
    onProgress?.(results.length, mutants.length);
  }
  return results;
};

interface RunContext extends Pick<RunOptions, 'suite'> {
  readonly searches: ReturnType<typeof witnessSearches>;
}

const runMutant = async (
  compilation: Compilation,
  mutant: Mutant,
  { suite, searches }: RunContext,
): Promise<MutantResult> => {
  const { settings, document, graph: original } = compilation;
  const source = sourceFile(document.source.uri, mutant.text());
  const mutated = compile({ source, settings, limits: 'warn', previous: compilation });
  const { graph } = mutated;
  if (graph === undefined || original === undefined) {
    const error = mutated.diagnostics.find(({ severity }) => severity === 'error');
    return { mutant, status: 'CompileError', reason: error?.message ?? 'the file is not valid' };
  }
  const failed = await suite.firstFailure(graph);
  if (failed !== undefined) return { mutant, status: 'Killed', reason: failed };
  const answer = witnessOf(
    {
      before: { graph: original, origins: compilation.origins },
      after: { graph, origins: mutated.origins },
      at: mutant.at,
    },
    searches,
  );
  if (answer.kind === 'proved')
    return {
      mutant,
      status: 'Ignored',
      reason: 'equivalent: every token is decided alike, which is proved',
    };
  return {
    mutant,
    status: isCovered(suite, mutant.at) ? 'Survived' : 'NoCoverage',
    ...(answer.kind === 'found' ? { witness: answer.witness } : { reason: answer.reason }),
  };
};

/** Returns whether a test evaluates the field, or any part of the authenticator for its issuer. */
const isCovered = (
  { coverage: { places }, coversAnonymous }: MutationSuite,
  at: string,
): boolean => {
  if (at.startsWith('anonymous.')) return coversAnonymous;
  const [authenticator = ''] = /^jwt\[\d+\]/.exec(at) ?? [];
  const isIssuer = at.startsWith(`${authenticator}.issuer`);
  return places.some(
    (place) =>
      (place.at === at || (isIssuer && place.at.startsWith(`${authenticator}.`))) &&
      place.outcomes.some(({ hits }) => hits > 0),
  );
};
