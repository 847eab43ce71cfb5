/** The mutation score, with the definitions of Stryker. */
import type { MutantStatus } from './mutant.ts';
import type { MutantResult } from './run-mutants.ts';

/**
 * How many mutants have each status, and the score.
 *
 * @example
 * ```ts
 * const { score }: MutationScore = mutationScore(results);
 * ```
 */
export interface MutationScore {
  readonly counts: Readonly<Record<MutantStatus, number>>;
  /** Detected mutants in percent of the valid ones; 100 if there are none. */
  readonly score: number;
}

/**
 * Counts the results. Mutants that do not compile and those that are equivalent do not count.
 *
 * @example
 * ```ts
 * const isEnough = mutationScore(results).score >= 90;
 * ```
 */
export const mutationScore = (results: readonly Pick<MutantResult, 'status'>[]): MutationScore => {
  const counts = { Killed: 0, Survived: 0, NoCoverage: 0, CompileError: 0, Ignored: 0 };
  for (const { status } of results) counts[status]++;
  const valid = counts.Killed + counts.Survived + counts.NoCoverage;
  return { counts, score: valid === 0 ? 100 : (100 * counts.Killed) / valid };
};
