/** Where prediction may be after some tokens: configurations, and what a set of them tells. */

import type { Stack, StackPool } from './stacks.ts';
import type { State } from './states.ts';

/** A state that a way may have led to, and the calls it is inside of. */
export interface Config {
  readonly state: State;
  readonly way: number;
  stack: Stack;
  /** Precedence that must hold at the decision; 0 for none. */
  readonly predicate: number;
  /** How often it left the rule that the decision is in. */
  outer: number;
  suppressed: boolean;
}

/** Configurations, of which those that differ only in their stacks are one. */
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
    const key = `${config.state.id},${config.way},${config.predicate}`;
    const known = this.#byKey.get(key);
    if (known === undefined) {
      const own = { ...config };
      this.#byKey.set(key, own);
      this.configs.push(own);
      return;
    }
    known.outer = Math.max(known.outer, config.outer);
    known.suppressed ||= config.suppressed;
    known.stack = this.#pool.merge(known.stack, config.stack, !this.#withCallers);
  }
}

/** At the end of a rule with nowhere to return to. */
export const isStop = (config: Config): boolean => config.state.kind === 'stop';

/** The way that all configurations are on; 0 when there are several. */
export const onlyWay = (configs: readonly Config[]): number => {
  const way = configs[0]?.way ?? 0;
  return configs.every((config) => config.way === way) ? way : 0;
};

/** All ways, in order. */
export const distinctWays = (configs: readonly Config[]): readonly number[] =>
  [...new Set(configs.map((config) => config.way))].sort((a, b) => a - b);

const waysBy = (
  configs: readonly Config[],
  keyOf: (config: Config) => string,
): readonly ReadonlySet<number>[] => {
  const waysByKey = new Map<string, Set<number>>();
  for (const config of configs) {
    const key = keyOf(config);
    const ways = waysByKey.get(key);
    if (ways === undefined) waysByKey.set(key, new Set([config.way]));
    else ways.add(config.way);
  }
  return [...waysByKey.values()];
};

const byStateAndStack = (config: Config): string => `${config.state.id},${config.stack.id}`;

/** More tokens will not tell the ways apart without callers. */
export const hasConflict = (configs: readonly Config[]): boolean => {
  if (configs.every(isStop)) return true;
  return (
    waysBy(configs, byStateAndStack).some((ways) => ways.size > 1) &&
    waysBy(configs, (config) => `${config.state.id}`).every((ways) => ways.size > 1)
  );
};

/** The least way of every group, when it is the same in all. */
export const singleViableWay = (configs: readonly Config[]): number => {
  const least = new Set(waysBy(configs, byStateAndStack).map((ways) => Math.min(...ways)));
  const [way = 0] = least;
  return least.size === 1 ? way : 0;
};
