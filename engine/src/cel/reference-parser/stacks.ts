/**
 * Graph-structured stacks of rule calls (ANTLR's `PredictionContext`): a node represents all stacks
 * whose top is one of its return states. Equal stacks are the same object, so they can be compared
 * by
 * identity.
 */

/** The return state at the bottom of a stack; it sorts after all others. */
export const bottom = 0x7fffffff;

export interface Stack {
  readonly id: number;
  /** ANTLR distinguishes `many` with a single return state from `one`. */
  readonly kind: 'empty' | 'one' | 'many';
  readonly returns: readonly number[];
  /** The parents of the return states; `undefined` for the return state `bottom`. */
  readonly parents: readonly (Stack | undefined)[];
}

export const emptyStack: Stack = { id: 0, kind: 'empty', returns: [bottom], parents: [undefined] };

export const isEmptyStack = (stack: Stack): boolean =>
  stack.kind === 'empty' || (stack.kind === 'many' && stack.returns[0] === bottom);

/** Reports whether one of the stacks is empty. */
export const hasEmptyPath = (stack: Stack): boolean => stack.returns.at(-1) === bottom;

/** Creates and merges stacks. */
export class StackPool {
  readonly #stacks = new Map<string, Stack>();
  readonly #merged = new Map<string, Stack>();
  #nextId = 1;

  get size(): number {
    return this.#stacks.size;
  }

  push(parent: Stack, returnState: number): Stack {
    return this.#make('one', [returnState], [parent]);
  }

  /**
   * Merges two nodes. With `rootIsWildcard`, the bottom represents any caller, so an empty stack
   * absorbs the other one.
   */
  merge(a: Stack, b: Stack, rootIsWildcard: boolean): Stack {
    if (a === b) return a;
    const key = `${a.id},${b.id},${rootIsWildcard}`;
    const existing = this.#merged.get(key);
    if (existing !== undefined) return existing;
    const merged = this.#merge(a, b, rootIsWildcard);
    this.#merged.set(key, merged);
    return merged;
  }

  #merge(a: Stack, b: Stack, rootIsWildcard: boolean): Stack {
    if (a.kind === 'one' && b.kind === 'one') return this.#mergeSingletons(a, b, rootIsWildcard);
    if (rootIsWildcard) {
      if (isEmptyStack(a)) return a;
      if (isEmptyStack(b)) return b;
    }
    return this.#mergeMany(this.#asMany(a), this.#asMany(b), rootIsWildcard);
  }

  #mergeSingletons(a: Stack, b: Stack, rootIsWildcard: boolean): Stack {
    const [returnA, returnB] = [a.returns[0] ?? bottom, b.returns[0] ?? bottom];
    const [parentA, parentB] = [a.parents[0], b.parents[0]];
    if (returnA === returnB && parentA !== undefined && parentB !== undefined) {
      const parent = this.merge(parentA, parentB, rootIsWildcard);
      if (parent === parentA) return a;
      if (parent === parentB) return b;
      return this.push(parent, returnA);
    }
    return returnA < returnB
      ? this.#make('many', [returnA, returnB], [parentA, parentB])
      : this.#make('many', [returnB, returnA], [parentB, parentA]);
  }

  /** Converts a node to `many`. Like in ANTLR's Go runtime, an empty stack is lost. */
  #asMany(stack: Stack): Stack {
    if (stack.kind === 'many') return stack;
    return stack.kind === 'empty'
      ? this.#make('many', [], [])
      : this.#make('many', stack.returns, stack.parents);
  }

  #mergeMany(a: Stack, b: Stack, rootIsWildcard: boolean): Stack {
    const parentByReturn = new Map<number, Stack | undefined>();
    for (const [index, returnState] of a.returns.entries()) {
      parentByReturn.set(returnState, a.parents[index]);
    }
    for (const [index, returnState] of b.returns.entries()) {
      const ours = parentByReturn.get(returnState);
      const theirs = b.parents[index];
      const merged =
        ours === undefined || theirs === undefined
          ? theirs
          : this.merge(ours, theirs, rootIsWildcard);
      parentByReturn.set(returnState, merged);
    }
    const returns = [...parentByReturn.keys()].sort((x, y) => x - y);
    const parents = returns.map((returnState) => parentByReturn.get(returnState));
    const shrunk = returns.length < a.returns.length + b.returns.length;
    return this.#make(returns.length === 1 && shrunk ? 'one' : 'many', returns, parents);
  }

  #make(
    kind: 'one' | 'many',
    returns: readonly number[],
    parents: readonly (Stack | undefined)[],
  ): Stack {
    const key = `${kind}:${returns.join()}:${parents.map((parent) => parent?.id ?? '').join()}`;
    const existing = this.#stacks.get(key);
    if (existing !== undefined) return existing;
    const stack: Stack = { id: this.#nextId++, kind, returns, parents };
    this.#stacks.set(key, stack);
    return stack;
  }
}
