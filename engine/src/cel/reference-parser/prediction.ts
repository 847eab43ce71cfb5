/**
 * Prediction of the way to take at a decision, by walking the network with as many tokens as it needs:
 * first without knowing who called the rule, which can be remembered between predictions, then, when
 * that leaves two ways, with the real callers. This is the published ALL(*) method; where the
 * reference implementation departs from it, so does this.
 */
import {
  type Config,
  distinctWays,
  hasConflict,
  isStop,
  onlyWay,
  singleViableWay,
} from './configs.ts';
import { endOfInput, ruleNames } from './grammar.ts';
import { celNetwork } from './network.ts';
import { emptyStack, mayBeEmpty, type Stack, StackPool } from './stacks.ts';
import type { Decision, State } from './states.ts';
import { type PredictionInput, Walk } from './walk.ts';

export type Prediction =
  | { readonly kind: 'way'; readonly way: number }
  /** No way fits; the token `ahead` tokens from here is where the last one ended. */
  | { readonly kind: 'none'; readonly ahead: number };

/** A remembered step of prediction without callers. */
interface Step {
  readonly configs: readonly Config[];
  /** The one way left, 0 while there are more. */
  readonly way: number;
  readonly needsCallers: boolean;
  /** Ways that depend on the precedence of the call, with the precedence (0: always). */
  readonly conditions: readonly { readonly way: number; readonly predicate: number }[] | undefined;
  readonly next: Map<number, Step | 'nothing'>;
}

/** More remembered steps than this and memory starts anew; ordinary text needs some hundred. */
const maxSteps = 5_000;

/** Predicts for one grammar; remembers between texts. */
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
    if (this.#steps.size > maxSteps) this.#forget();
    const walk = new Walk(this.#pool, this.#states, decision, input, false);
    let step = this.#start(decision, input, walk);
    for (let ahead = 1; ; ahead++) {
      const type = input.look(ahead);
      const next = this.#next(step, type, decision, walk);
      if (next === 'nothing') return fallBack(step.configs, input, ahead);
      if (next.needsCallers) return this.#withCallers(next, decision, input);
      if (next.way !== 0) return { kind: 'way', way: next.way };
      if (next.conditions !== undefined) {
        const way = waysThatHold(next.conditions, input)[0];
        return way === undefined ? { kind: 'none', ahead: 1 } : { kind: 'way', way };
      }
      step = next;
      if (type === endOfInput) ahead--;
    }
  }

  #forget(): void {
    this.#pool = new StackPool();
    this.#starts = new Map();
    this.#steps = new Map();
  }

  #start(decision: Decision, input: PredictionInput, walk: Walk): Step {
    const byPrecedence = decision.state.precedenceBlockEnd !== undefined;
    const key = decision.id * 16 + (byPrecedence ? input.precedence : 0);
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const all = walk.start(emptyStack);
    const configs = byPrecedence ? keepByPrecedence(all, input) : all;
    const step = this.#remember(decision, {
      configs,
      way: 0,
      needsCallers: false,
      conditions: undefined,
      next: new Map(),
    });
    this.#starts.set(key, step);
    return step;
  }

  #next(step: Step, type: number, decision: Decision, walk: Walk): Step | 'nothing' {
    const known = step.next.get(type);
    if (known !== undefined) return known;
    const configs = walk.reach(step.configs, type);
    const next = configs === undefined ? 'nothing' : this.#remember(decision, this.#judge(configs));
    step.next.set(type, next);
    return next;
  }

  /** What a set of configurations says about the way. */
  #judge(configs: readonly Config[]): Step {
    const only = onlyWay(configs);
    const conflict = only === 0 && hasConflict(configs);
    const ways = only === 0 ? distinctWays(configs) : [only];
    const settled = only !== 0 || conflict;
    const conditions =
      settled && configs.some((config) => config.predicate !== 0)
        ? conditionsOf(ways, configs)
        : undefined;
    return {
      configs,
      way: conditions === undefined && only !== 0 ? only : 0,
      needsCallers: conflict,
      conditions,
      next: new Map(),
    };
  }

  #remember(decision: Decision, step: Step): Step {
    const parts = step.configs.map(
      (config) =>
        `${config.state.id},${config.way},${config.stack.id},${config.predicate},${config.outer > 0},${config.suppressed}`,
    );
    const key = `${decision.id};${step.way};${step.needsCallers};${parts.join(';')}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    this.#steps.set(key, step);
    return step;
  }

  #withCallers(step: Step, decision: Decision, input: PredictionInput): Prediction {
    if (step.conditions !== undefined) {
      const ways = waysThatHold(step.conditions, input);
      if (ways.length === 1 && ways[0] !== undefined) return { kind: 'way', way: ways[0] };
    }
    const pool = new StackPool();
    let stack = emptyStack;
    for (const state of input.callers().toReversed()) stack = pool.push(stack, state.id);
    const walk = new Walk(pool, this.#states, decision, input, true);
    let configs: readonly Config[] = walk.start(stack);
    for (let ahead = 1; ; ahead++) {
      const type = input.look(ahead);
      const reached = walk.reach(configs, type);
      if (reached === undefined) return fallBack(configs, input, ahead);
      const way = onlyWay(reached) || singleViableWay(reached);
      if (way !== 0) return { kind: 'way', way };
      configs = reached;
      if (type === endOfInput) ahead--;
    }
  }
}

/** Drops the continuations that bind too loosely, and exits that do the same as a continuation. */
const keepByPrecedence = (
  configs: readonly Config[],
  input: PredictionInput,
): readonly Config[] => {
  const kept: Config[] = [];
  const stackByState = new Map<State, Stack>();
  for (const config of configs) {
    if (config.way !== 1) continue;
    if (config.predicate !== 0 && config.predicate < input.precedence) continue;
    stackByState.set(config.state, config.stack);
    kept.push({ ...config, predicate: 0 });
  }
  for (const config of configs) {
    if (config.way === 1) continue;
    if (!config.suppressed && stackByState.get(config.state) === config.stack) continue;
    kept.push(config);
  }
  return kept;
};

const conditionsOf = (ways: readonly number[], configs: readonly Config[]) => {
  const conditions = ways.map((way) => {
    const predicates = configs
      .filter((config) => config.way === way)
      .map((config) => config.predicate);
    return { way, predicate: predicates.includes(0) ? 0 : Math.max(...predicates) };
  });
  return conditions.some((condition) => condition.predicate !== 0) ? conditions : undefined;
};

const holds = (predicate: number, input: PredictionInput): boolean =>
  predicate === 0 || predicate >= input.precedence;

const waysThatHold = (
  conditions: NonNullable<Step['conditions']>,
  input: PredictionInput,
): readonly number[] =>
  conditions
    .filter((condition) => holds(condition.predicate, input))
    .map((condition) => condition.way);

/** No way fits: the one that had already finished its rule, if any, lets somebody else find the error. */
const fallBack = (
  configs: readonly Config[],
  input: PredictionInput,
  ahead: number,
): Prediction => {
  const finished = configs.filter(
    (config) => config.outer > 0 || (isStop(config) && mayBeEmpty(config.stack)),
  );
  const valid = finished.filter((config) => holds(config.predicate, input));
  const ways = distinctWays(valid.length > 0 ? valid : finished);
  const way = ways[0];
  return way === undefined ? { kind: 'none', ahead } : { kind: 'way', way };
};
