/** Moves sets of configurations through the network, token by token. */
import { type Config, ConfigSet, isRuleStop, uniqueAlt } from './configs.ts';
import { endOfInput } from './grammar.ts';
import {
  bottom,
  emptyStack,
  hasEmptyPath,
  isEmptyStack,
  type Stack,
  type StackPool,
} from './stacks.ts';
import type { Decision, State, Transition } from './states.ts';

/** The parser state that prediction needs. */
export interface PredictionInput {
  /** Returns the type of the token `index` tokens ahead, counted from 1. */
  lookahead(index: number): number;
  /** The precedence of the innermost left-recursive rule. */
  readonly precedence: number;
  /** Returns the follow states of all callers, innermost first. */
  callers(): readonly State[];
}

/** A walk over the network for a single decision. */
export class NetworkWalk {
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

  computeStartState(stack: Stack): readonly Config[] {
    const set = new ConfigSet(this.#pool, this.#withCallers);
    this.#decision.state.transitions.forEach((transition, index) => {
      const config: Config = {
        state: transition.target,
        alt: index + 1,
        stack,
        predicate: 0,
        outerContextDepth: 0,
        precedenceFilterSuppressed: false,
      };
      this.#addClosure(
        config,
        { set, visited: new Set(), collectPredicates: true, eofIsEpsilon: false },
        0,
      );
    });
    return set.configs;
  }

  /** Returns the configurations after one more token; `undefined` if there are none. */
  computeReachSet(configs: readonly Config[], type: number): readonly Config[] | undefined {
    const moved = new ConfigSet(this.#pool, this.#withCallers);
    const finished: Config[] = [];
    for (const config of configs) {
      if (isRuleStop(config)) {
        if (this.#withCallers || type === endOfInput) finished.push(config);
        continue;
      }
      for (const transition of config.state.transitions) {
        if (transition.kind === 'tokens' && transition.types.has(type)) {
          moved.add({ ...config, state: transition.target });
        }
      }
    }
    if (finished.length === 0 && type !== endOfInput && uniqueAlt(moved.configs) !== 0) {
      return moved.configs;
    }
    const closed = new ConfigSet(this.#pool, this.#withCallers);
    const closure = {
      set: closed,
      visited: new Set<string>(),
      collectPredicates: false,
      eofIsEpsilon: type === endOfInput,
    };
    for (const config of moved.configs) this.#addClosure(config, closure, 0);
    let reached = closed;
    if (type === endOfInput && !closed.configs.every(isRuleStop)) {
      reached = new ConfigSet(this.#pool, this.#withCallers);
      for (const config of closed.configs) if (isRuleStop(config)) reached.add(config);
    }
    if (!this.#withCallers || !reached.configs.some(isRuleStop)) {
      for (const config of finished) reached.add(config);
    }
    return reached.configs.length === 0 ? undefined : reached.configs;
  }

  /** Adds all configurations that can be reached without consuming a token. */
  #addClosure(from: Config, closure: Closure, depth: number): void {
    const pending = [from];
    for (let config = pending.pop(); config !== undefined; config = pending.pop()) {
      if (!isRuleStop(config)) {
        this.#followTransitions(config, closure, depth);
        continue;
      }
      if (isEmptyStack(config.stack)) {
        if (this.#withCallers) closure.set.add(config);
        else this.#followTransitions(config, closure, depth);
        continue;
      }
      const { returns, parents } = config.stack;
      for (let index = 0; index < returns.length; index++) {
        const returnState = this.#states.get(returns[index] ?? bottom);
        const parent = parents[index];
        if (returnState !== undefined && parent !== undefined) {
          pending.push({
            ...config,
            state: returnState,
            stack: parent,
            precedenceFilterSuppressed: false,
          });
        } else if (this.#withCallers) {
          closure.set.add({ ...config, stack: emptyStack });
        } else {
          this.#followTransitions(config, closure, depth);
        }
      }
    }
  }

  #followTransitions(config: Config, closure: Closure, depth: number): void {
    const { state } = config;
    if (!hasOnlyEpsilonTransitions(state)) closure.set.add(config);
    const skipLoop = canSkipLoop(config);
    state.transitions.forEach((transition, index) => {
      if (index === 0 && skipLoop) return;
      const next = this.#follow(config, transition, closure, depth === 0);
      if (next === undefined) return;
      let nextDepth = depth;
      if (isRuleStop(config)) {
        const rule = this.#decision.state.rule;
        const byPrecedence = this.#decision.state.precedenceBlockEnd !== undefined;
        if (byPrecedence && transition.kind === 'epsilon' && transition.returnsTo === rule) {
          next.precedenceFilterSuppressed = true;
        }
        next.outerContextDepth++;
        if (isVisited(next, closure.visited)) return;
        nextDepth--;
      } else if (transition.kind === 'tokens') {
        if (isVisited(next, closure.visited)) return;
      } else if (transition.kind === 'rule' && nextDepth >= 0) {
        nextDepth++;
      }
      this.#addClosure(next, closure, nextDepth);
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
        return closure.eofIsEpsilon && transition.types.has(endOfInput)
          ? { ...config, state: transition.target }
          : undefined;
      case 'precedence': {
        const next = { ...config, state: transition.target };
        if (!closure.collectPredicates || !inContext) return next;
        if (!this.#withCallers) return { ...next, predicate: transition.precedence };
        return transition.precedence >= this.#input.precedence ? next : undefined;
      }
    }
  }
}

interface Closure {
  readonly set: ConfigSet;
  readonly visited: Set<string>;
  /** Collects precedence predicates; true only for the start state. */
  readonly collectPredicates: boolean;
  readonly eofIsEpsilon: boolean;
}

const isVisited = (config: Config, visited: Set<string>): boolean => {
  const key = `${config.state.id},${config.alt},${config.stack.id},${config.predicate},${config.precedenceFilterSuppressed}`;
  if (visited.has(key)) return true;
  visited.add(key);
  return false;
};

const hasOnlyEpsilonTransitions = (state: State): boolean =>
  state.transitions.length > 0 &&
  state.transitions.every((transition) => transition.kind !== 'tokens');

/**
 * Reports whether the loop entry can be skipped: inside the right operand of the loop, the outer
 * iteration enters it.
 */
const canSkipLoop = (config: Config): boolean => {
  const end = config.state.precedenceBlockEnd;
  if (end === undefined || isEmptyStack(config.stack) || hasEmptyPath(config.stack)) return false;
  return config.stack.returns.every((returnState) => returnState === end.id);
};
