/** Steps over the network: from configurations to those that one more token leads to. */
import { type Config, ConfigSet, isStop, onlyWay } from './configs.ts';
import { endOfInput } from './grammar.ts';
import {
  bottom,
  emptyStack,
  isEmptyStack,
  mayBeEmpty,
  type Stack,
  type StackPool,
} from './stacks.ts';
import type { Decision, State, Transition } from './states.ts';

/** What prediction sees of the parser. */
export interface PredictionInput {
  /** Type of the token `index` tokens ahead, from 1. */
  look(index: number): number;
  /** Precedence that the innermost left-recursive rule was called with. */
  readonly precedence: number;
  /** The callers as follow states, innermost first. */
  callers(): readonly State[];
}

/** One walk over the network for one decision. */
export class Walk {
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
