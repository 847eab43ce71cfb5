/**
 * Rules that no sample feels: every sample of the authenticator passes them. That proves no rule
 * useless; it tells that nothing at hand shows what it is for.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { preview } from './preview.ts';
import type { PreviewPart } from './preview-parts.ts';

/** A rule that refuses none of the samples. */
export interface EffectlessRule {
  /** `jwt[0].claimValidationRules[1]`. */
  readonly path: string;
  /** How many samples pass it; never 0. */
  readonly samples: number;
}

/**
 * In the order of the file. Each rule is looked at alone: of two rules that refuse the same sample,
 * neither is without effect. Nothing is said where no sample belongs to the authenticator, or where a
 * rule could not be run for one.
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

const isRule = ({ kind }: PreviewPart): boolean => kind === 'claimRule' || kind === 'userRule';
