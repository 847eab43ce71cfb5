/**
 * Prediction of the way to take at a decision, by walking the network with as many tokens as it needs:
 * first without knowing who called the rule, which can be remembered between predictions, then, when
 * that leaves two ways, with the real callers. This is the published ALL(*) method; where the
 * reference implementation departs from it, so does this.
 */
import { endOfInput } from './grammar.ts';
import { celNetwork, type Decision, type State, type Transition } from './network.ts';
import { bottom, emptyStack, isEmptyStack, mayBeEmpty, type Stack, StackPool } from './stacks.ts';

/** What prediction sees of the parser. */
export interface PredictionInput {
  /** Type of the token `index` tokens ahead, from 1. */
  look(index: number): number;
  /** Precedence that the innermost left-recursive rule was called with. */
  readonly precedence: number;
  /** The callers as follow states, innermost first. */
  callers(): readonly State[];
}

export type Prediction =
  | { readonly kind: 'way'; readonly way: number }
  /** No way fits; the token `ahead` tokens from here is where the last one ended. */
  | { readonly kind: 'none'; readonly ahead: number };

interface Config {
  readonly state: State;
  readonly way: number;
  stack: Stack;
  /** Precedence that must hold at the decision; 0 for none. */
  readonly predicate: number;
  /** How often it left the rule that the decision is in. */
  outer: number;
  suppressed: boolean;
}

class ConfigSet {
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
const maxSteps = 20_000;

const isStop = (config: Config): boolean => config.state.kind === 'stop';

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
    for (const program of Object.values(celNetwork())) collect(program.start);
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

/** One walk over the network for one decision. */
class Walk {
  readonly #pool: StackPool;
  readonly #states: ReadonlyMap<number, State>;
  readonly #decision: Decision;
  readonly #input: PredictionInput;
  readonly #withCallers: boolean;

  constructor(
    pool: StackPool,
    states: ReadonlyMap<number, State>,
    decision: Decision,
    input: PredictionInput,
    withCallers: boolean,
  ) {
    this.#pool = pool;
    this.#states = states;
    this.#decision = decision;
    this.#input = input;
    this.#withCallers = withCallers;
  }

  start(stack: Stack): readonly Config[] {
    const set = new ConfigSet(this.#pool, this.#withCallers);
    this.#decision.state.transitions.forEach((transition, index) => {
      const config: Config = {
        state: transition.target,
        way: index + 1,
        stack,
        predicate: 0,
        outer: 0,
        suppressed: false,
      };
      this.#close(config, { set, busy: new Set(), collect: true, endIsFree: false }, 0);
    });
    return set.configs;
  }

  /** Where the configurations get with one more token. */
  reach(configs: readonly Config[], type: number): readonly Config[] | undefined {
    const moved = new ConfigSet(this.#pool, this.#withCallers);
    const finished: Config[] = [];
    for (const config of configs) {
      if (isStop(config)) {
        if (this.#withCallers || type === endOfInput) finished.push(config);
        continue;
      }
      for (const transition of config.state.transitions) {
        if (transition.kind === 'tokens' && transition.types.has(type)) {
          moved.add({ ...config, state: transition.target });
        }
      }
    }
    if (finished.length === 0 && type !== endOfInput && onlyWay(moved.configs) !== 0) {
      return moved.configs;
    }
    const closed = new ConfigSet(this.#pool, this.#withCallers);
    const closure = {
      set: closed,
      busy: new Set<string>(),
      collect: false,
      endIsFree: type === endOfInput,
    };
    for (const config of moved.configs) this.#close(config, closure, 0);
    let reached = closed;
    if (type === endOfInput && !closed.configs.every(isStop)) {
      reached = new ConfigSet(this.#pool, this.#withCallers);
      for (const config of closed.configs) if (isStop(config)) reached.add(config);
    }
    if (!this.#withCallers || !reached.configs.some(isStop)) {
      for (const config of finished) reached.add(config);
    }
    return reached.configs.length === 0 ? undefined : reached.configs;
  }

  /** Follows everything that needs no token. */
  #close(from: Config, closure: Closure, depth: number): void {
    const waiting = [from];
    for (let config = waiting.pop(); config !== undefined; config = waiting.pop()) {
      if (!isStop(config)) {
        this.#step(config, closure, depth);
        continue;
      }
      if (isEmptyStack(config.stack)) {
        if (this.#withCallers) closure.set.add(config);
        else this.#step(config, closure, depth);
        continue;
      }
      const { returns, parents } = config.stack;
      for (let index = 0; index < returns.length; index++) {
        const returnState = this.#states.get(returns[index] ?? bottom);
        const parent = parents[index];
        if (returnState !== undefined && parent !== undefined) {
          waiting.push({ ...config, state: returnState, stack: parent, suppressed: false });
        } else if (this.#withCallers) {
          closure.set.add({ ...config, stack: emptyStack });
        } else {
          this.#step(config, closure, depth);
        }
      }
    }
  }

  #step(config: Config, closure: Closure, depth: number): void {
    const { state } = config;
    if (!needsNoToken(state)) closure.set.add(config);
    const skipLoop = canSkipLoop(config);
    state.transitions.forEach((transition, index) => {
      if (index === 0 && skipLoop) return;
      const next = this.#follow(config, transition, closure, depth === 0);
      if (next === undefined) return;
      let nextDepth = depth;
      if (isStop(config)) {
        const rule = this.#decision.state.rule;
        const byPrecedence = this.#decision.state.precedenceBlockEnd !== undefined;
        if (byPrecedence && transition.kind === 'epsilon' && transition.returnsTo === rule) {
          next.suppressed = true;
        }
        next.outer++;
        if (isBusy(next, closure.busy)) return;
        nextDepth--;
      } else if (transition.kind === 'tokens') {
        if (isBusy(next, closure.busy)) return;
      } else if (transition.kind === 'rule' && nextDepth >= 0) {
        nextDepth++;
      }
      this.#close(next, closure, nextDepth);
    });
  }

  #follow(
    config: Config,
    transition: Transition,
    closure: Closure,
    inContext: boolean,
  ): Config | undefined {
    switch (transition.kind) {
      case 'epsilon':
        return { ...config, state: transition.target };
      case 'rule':
        return {
          ...config,
          state: transition.target,
          stack: this.#pool.push(config.stack, transition.follow.id),
        };
      case 'tokens':
        return closure.endIsFree && transition.types.has(endOfInput)
          ? { ...config, state: transition.target }
          : undefined;
      case 'precedence': {
        const next = { ...config, state: transition.target };
        if (!closure.collect || !inContext) return next;
        if (!this.#withCallers) return { ...next, predicate: transition.precedence };
        return transition.precedence >= this.#input.precedence ? next : undefined;
      }
    }
  }
}

interface Closure {
  readonly set: ConfigSet;
  readonly busy: Set<string>;
  /** Precedences are conditions only at the start. */
  readonly collect: boolean;
  readonly endIsFree: boolean;
}

const isBusy = (config: Config, busy: Set<string>): boolean => {
  const key = `${config.state.id},${config.way},${config.stack.id},${config.predicate},${config.suppressed}`;
  if (busy.has(key)) return true;
  busy.add(key);
  return false;
};

const needsNoToken = (state: State): boolean =>
  state.transitions.length > 0 &&
  state.transitions.every((transition) => transition.kind !== 'tokens');

/** A loop need not be entered from inside its own right-hand side: the outer turn will do it. */
const canSkipLoop = (config: Config): boolean => {
  const end = config.state.precedenceBlockEnd;
  if (end === undefined || isEmptyStack(config.stack) || mayBeEmpty(config.stack)) return false;
  return config.stack.returns.every((returnState) => returnState === end.id);
};

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

const onlyWay = (configs: readonly Config[]): number => {
  const way = configs[0]?.way ?? 0;
  return configs.every((config) => config.way === way) ? way : 0;
};

const distinctWays = (configs: readonly Config[]): readonly number[] =>
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
const hasConflict = (configs: readonly Config[]): boolean => {
  if (configs.every(isStop)) return true;
  return (
    waysBy(configs, byStateAndStack).some((ways) => ways.size > 1) &&
    waysBy(configs, (config) => `${config.state.id}`).every((ways) => ways.size > 1)
  );
};

/** The least way of every group, when it is the same in all. */
const singleViableWay = (configs: readonly Config[]): number => {
  const least = new Set(waysBy(configs, byStateAndStack).map((ways) => Math.min(...ways)));
  const [way = 0] = least;
  return least.size === 1 ? way : 0;
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
