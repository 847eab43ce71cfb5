/** ATN configurations: the network states that prediction may be in after some tokens. */

import type { Stack, StackPool } from './stacks.ts';
import type { State } from './states.ts';

/** A state that an alternative leads to, with its stack of rule calls (ANTLR's `ATNConfig`). */
export interface Config {
  readonly state: State;
  readonly alt: number;
  stack: Stack;
  /** The precedence predicate that must hold at the decision; 0 for none. */
  readonly predicate: number;
  /** How often the configuration has left the rule of the decision. */
  outerContextDepth: number;
  precedenceFilterSuppressed: boolean;
}

/** A set of configurations. Configurations that differ only in their stacks are merged. */
export class ConfigSet {
  readonly configs: Config[] = [];
  readonly #byKey = new Map<string, Config>();
  readonly #pool: StackPool;
  readonly #withCallers: boolean;

  constructor(pool: StackPool, withCallers: boolean) {
    this.#pool = pool;
    this.#withCallers = withCallers;
  }

  add(config: Config): void {
    const key = `${config.state.id},${config.alt},${config.predicate}`;
    const existing = this.#byKey.get(key);
    if (existing === undefined) {
      const copy = { ...config };
      this.#byKey.set(key, copy);
      this.configs.push(copy);
      return;
    }
    existing.outerContextDepth = Math.max(existing.outerContextDepth, config.outerContextDepth);
    existing.precedenceFilterSuppressed ||= config.precedenceFilterSuppressed;
    existing.stack = this.#pool.merge(existing.stack, config.stack, !this.#withCallers);
  }
}

/** Reports whether a configuration is at the end of a rule with no caller to return to. */
export const isRuleStop = (config: Config): boolean => config.state.kind === 'stop';

/** Returns the alternative that all configurations share; 0 if there are several. */
export const uniqueAlt = (configs: readonly Config[]): number => {
  const alt = configs[0]?.alt ?? 0;
  return configs.every((config) => config.alt === alt) ? alt : 0;
};

/** Returns all alternatives, in order. */
export const distinctAlts = (configs: readonly Config[]): readonly number[] =>
  [...new Set(configs.map((config) => config.alt))].sort((a, b) => a - b);

const altsBy = (
  configs: readonly Config[],
  keyOf: (config: Config) => string,
): readonly ReadonlySet<number>[] => {
  const altsByKey = new Map<string, Set<number>>();
  for (const config of configs) {
    const key = keyOf(config);
    const alts = altsByKey.get(key);
    if (alts === undefined) altsByKey.set(key, new Set([config.alt]));
    else alts.add(config.alt);
  }
  return [...altsByKey.values()];
};

const byStateAndStack = (config: Config): string => `${config.state.id},${config.stack.id}`;

/** Reports whether no further token can distinguish the alternatives without the callers. */
export const hasConflict = (configs: readonly Config[]): boolean => {
  if (configs.every(isRuleStop)) return true;
  return (
    altsBy(configs, byStateAndStack).some((alts) => alts.size > 1) &&
    altsBy(configs, (config) => `${config.state.id}`).every((alts) => alts.size > 1)
  );
};

/**
 * Returns the minimum alternative of each group of configurations if it is the same in all groups;
 * otherwise 0.
 */
export const singleViableAlt = (configs: readonly Config[]): number => {
  const minAlts = new Set(altsBy(configs, byStateAndStack).map((alts) => Math.min(...alts)));
  const [alt = 0] = minAlts;
  return minAlts.size === 1 ? alt : 0;
};
