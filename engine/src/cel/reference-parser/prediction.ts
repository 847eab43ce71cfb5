/**
 * ANTLR's adaptive prediction, ALL(*): chooses the alternative of a decision by walking the network
 * with as many tokens as necessary. It first ignores the callers of the rule, so that its steps can
 * be
 * cached (SLL), and only uses them if there is a conflict (LL). It follows ANTLR's Go runtime where
 * that differs from the published algorithm.
 */
import {
  type Config,
  distinctAlts,
  hasConflict,
  isRuleStop,
  singleViableAlt,
  uniqueAlt,
} from './configs.ts';
import { endOfInput, ruleNames } from './grammar.ts';
import { celNetwork } from './network.ts';
import { NetworkWalk, type PredictionInput } from './network-walk.ts';
import { emptyStack, hasEmptyPath, type Stack, StackPool } from './stacks.ts';
import type { Decision, State } from './states.ts';

export type Prediction =
  | { readonly kind: 'alt'; readonly alt: number }
  /** No alternative is viable; the last ones fail at the token `ahead` tokens from here. */
  | { readonly kind: 'none'; readonly ahead: number };

/** A cached step of prediction without callers, like a DFA state of ANTLR. */
interface Step {
  readonly configs: readonly Config[];
  /** The only alternative left; 0 if there are several. */
  readonly alt: number;
  readonly needsCallers: boolean;
  /** Alternatives that depend on the precedence of the call, with their precedence; 0 for none. */
  readonly conditions: readonly { readonly alt: number; readonly predicate: number }[] | undefined;
  readonly next: Map<number, Step | 'nothing'>;
}

/**
 * Maximum number of cached steps, after which the cache is cleared. Typical expressions need a few
 * hundred.
 */
const maxSteps = 5_000;

/** Predicts the alternatives of decisions, with a cache that all expressions share. */
export class Predictor {
  #pool = new StackPool();
  #starts = new Map<number, Step>();
  #steps = new Map<string, Step>();
  readonly #states = new Map<number, State>();

  constructor() {
    const collect = (state: State): void => {
      if (this.#states.has(state.id)) return;
      this.#states.set(state.id, state);
      for (const transition of state.transitions) {
        collect(transition.target);
        if (transition.kind === 'rule') collect(transition.follow);
      }
    };
    for (const rule of ruleNames) collect(celNetwork()(rule).start);
  }

  predict(decision: Decision, input: PredictionInput): Prediction {
    if (this.#steps.size > maxSteps) this.#reset();
    const walk = new NetworkWalk(this.#pool, this.#states, decision, input, false);
    let step = this.#start(decision, input, walk);
    for (let ahead = 1; ; ahead++) {
      const type = input.lookahead(ahead);
      const next = this.#next(step, type, decision, walk);
      if (next === 'nothing') return fallBack(step.configs, input, ahead);
      if (next.needsCallers) return this.#withCallers(next, decision, input);
      if (next.alt !== 0) return { kind: 'alt', alt: next.alt };
      if (next.conditions !== undefined) {
        const alt = viableAlts(next.conditions, input)[0];
        return alt === undefined ? { kind: 'none', ahead: 1 } : { kind: 'alt', alt };
      }
      step = next;
      if (type === endOfInput) ahead--;
    }
  }

  #reset(): void {
    this.#pool = new StackPool();
    this.#starts = new Map();
    this.#steps = new Map();
  }

  #start(decision: Decision, input: PredictionInput, walk: NetworkWalk): Step {
    const byPrecedence = decision.state.precedenceBlockEnd !== undefined;
    const key = decision.id * 16 + (byPrecedence ? input.precedence : 0);
    const cached = this.#starts.get(key);
    if (cached !== undefined) return cached;
    const all = walk.computeStartState(emptyStack);
    const configs = byPrecedence ? applyPrecedenceFilter(all, input) : all;
    const step = this.#intern(decision, {
      configs,
      alt: 0,
      needsCallers: false,
      conditions: undefined,
      next: new Map(),
    });
    this.#starts.set(key, step);
    return step;
  }

  #next(step: Step, type: number, decision: Decision, walk: NetworkWalk): Step | 'nothing' {
    const cached = step.next.get(type);
    if (cached !== undefined) return cached;
    const configs = walk.computeReachSet(step.configs, type);
    const next =
      configs === undefined ? 'nothing' : this.#intern(decision, this.#classify(configs));
    step.next.set(type, next);
    return next;
  }

  /** Determines which alternatives a set of configurations leaves. */
  #classify(configs: readonly Config[]): Step {
    const unique = uniqueAlt(configs);
    const conflict = unique === 0 && hasConflict(configs);
    const alts = unique === 0 ? distinctAlts(configs) : [unique];
    const settled = unique !== 0 || conflict;
    const conditions =
      settled && configs.some((config) => config.predicate !== 0)
        ? altConditions(alts, configs)
        : undefined;
    return {
      configs,
      alt: conditions === undefined && unique !== 0 ? unique : 0,
      needsCallers: conflict,
      conditions,
      next: new Map(),
    };
  }

  #intern(decision: Decision, step: Step): Step {
    const parts = step.configs.map(
      (config) =>
        `${config.state.id},${config.alt},${config.stack.id},${config.predicate},${config.outerContextDepth > 0},${config.precedenceFilterSuppressed}`,
    );
    const key = `${decision.id};${step.alt};${step.needsCallers};${parts.join(';')}`;
    const cached = this.#steps.get(key);
    if (cached !== undefined) return cached;
    this.#steps.set(key, step);
    return step;
  }

  #withCallers(step: Step, decision: Decision, input: PredictionInput): Prediction {
    if (step.conditions !== undefined) {
      const alts = viableAlts(step.conditions, input);
      if (alts.length === 1 && alts[0] !== undefined) return { kind: 'alt', alt: alts[0] };
    }
    const pool = new StackPool();
    let stack = emptyStack;
    for (const state of input.callers().toReversed()) stack = pool.push(stack, state.id);
    const walk = new NetworkWalk(pool, this.#states, decision, input, true);
    let configs: readonly Config[] = walk.computeStartState(stack);
    for (let ahead = 1; ; ahead++) {
      const type = input.lookahead(ahead);
      const reached = walk.computeReachSet(configs, type);
      if (reached === undefined) return fallBack(configs, input, ahead);
      const alt = uniqueAlt(reached) || singleViableAlt(reached);
      if (alt !== 0) return { kind: 'alt', alt };
      configs = reached;
      if (type === endOfInput) ahead--;
    }
  }
}

/**
 * Removes continuations with too low a precedence, and exits that are equivalent to a continuation.
 */
const applyPrecedenceFilter = (
  configs: readonly Config[],
  input: PredictionInput,
): readonly Config[] => {
  const filtered: Config[] = [];
  const stackByState = new Map<State, Stack>();
  for (const config of configs) {
    if (config.alt !== 1) continue;
    if (config.predicate !== 0 && config.predicate < input.precedence) continue;
    stackByState.set(config.state, config.stack);
    filtered.push({ ...config, predicate: 0 });
  }
  for (const config of configs) {
    if (config.alt === 1) continue;
    if (!config.precedenceFilterSuppressed && stackByState.get(config.state) === config.stack)
      continue;
    filtered.push(config);
  }
  return filtered;
};

const altConditions = (alts: readonly number[], configs: readonly Config[]) => {
  const conditions = alts.map((alt) => {
    const predicates = configs
      .filter((config) => config.alt === alt)
      .map((config) => config.predicate);
    return { alt, predicate: predicates.includes(0) ? 0 : Math.max(...predicates) };
  });
  return conditions.some((condition) => condition.predicate !== 0) ? conditions : undefined;
};

const holds = (predicate: number, input: PredictionInput): boolean =>
  predicate === 0 || predicate >= input.precedence;

const viableAlts = (
  conditions: NonNullable<Step['conditions']>,
  input: PredictionInput,
): readonly number[] =>
  conditions
    .filter((condition) => holds(condition.predicate, input))
    .map((condition) => condition.alt);

/**
 * Falls back to an alternative that has finished the rule of the decision, if any, so that a caller
 * reports the error.
 */
const fallBack = (
  configs: readonly Config[],
  input: PredictionInput,
  ahead: number,
): Prediction => {
  const finished = configs.filter(
    (config) => config.outerContextDepth > 0 || (isRuleStop(config) && hasEmptyPath(config.stack)),
  );
  const valid = finished.filter((config) => holds(config.predicate, input));
  const alts = distinctAlts(valid.length > 0 ? valid : finished);
  const alt = alts[0];
  return alt === undefined ? { kind: 'none', ahead } : { kind: 'alt', alt };
};
