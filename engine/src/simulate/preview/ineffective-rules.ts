/**
 * Finds rules that every sample of the authenticator passes. That does not prove that a rule is
 * useless; it shows that no sample tests it.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { preview } from './preview.ts';
import type { PreviewStep } from './preview-parts.ts';

/** A rule that rejects none of the samples. */
export interface EffectlessRule {
  /** The path: `jwt[0].claimValidationRules[1]`. */
  readonly path: string;
  /** The number of samples that pass it; never 0. */
  readonly samples: number;
}

/**
 * Returns the rules in file order. Each rule is checked alone: if two rules reject the same sample,
 * both have an effect. Nothing is reported if no sample belongs to the authenticator, or if a rule
 * could not be run for one.
 */
export const effectlessRules = (
  compilation: Compilation,
  samples: readonly ClaimSet[],
): readonly EffectlessRule[] => {
  const passes = new Map<string, number>();
  const felt = new Set<string>();
  for (const claims of samples) {
    for (const part of preview(compilation, claims).parts.values()) {
      if (!isRule(part)) continue;
      if (part.outcome.kind === 'passed') passes.set(part.path, (passes.get(part.path) ?? 0) + 1);
      else felt.add(part.path);
    }
  }
  const { origins } = compilation;
  const start = (path: string): number => origins.get(path)?.start ?? 0;
  return [...passes]
    .filter(([path]) => !felt.has(path))
    .map(([path, count]) => ({ path, samples: count }))
    .sort((a, b) => start(a.path) - start(b.path));
};

const isRule = ({ kind }: PreviewStep): boolean => kind === 'claimRule' || kind === 'userRule';
