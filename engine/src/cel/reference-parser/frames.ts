/** The stack of active rules, and the tokens that may follow because of them. */
import { endOfInput, type RuleName } from './grammar.ts';
import type { ParseNode } from './parse-node.ts';
import { endOfRule, nextTokens, type State } from './states.ts';

/** An active rule. */
export interface Frame {
  readonly rule: RuleName;
  /** The state that called the rule. */
  readonly caller: State | undefined;
  readonly follow: State | undefined;
  readonly parent: Frame | undefined;
  node: ParseNode;
  nextInstruction: number;
}

/** Returns the follow states of all active rules, innermost first. */
export const callers = (frame: Frame): readonly State[] => {
  const states: State[] = [];
  for (let current: Frame | undefined = frame; current !== undefined; current = current.parent) {
    if (current.follow !== undefined) states.push(current.follow);
  }
  return states;
};

/**
 * Returns the tokens that may follow in `state`, including those after the end of the active rules.
 */
export const expectedTokens = (state: State, frame: Frame | undefined): ReadonlySet<number> => {
  const within = nextTokens(state);
  if (!within.has(endOfRule)) return within;
  const expected = new Set(within);
  let mayEnd = true;
  for (let current = frame; current?.follow !== undefined && mayEnd; current = current.parent) {
    const following = nextTokens(current.follow);
    for (const type of following) expected.add(type);
    mayEnd = following.has(endOfRule);
  }
  expected.delete(endOfRule);
  if (mayEnd) expected.add(endOfInput);
  return expected;
};

/** Returns all tokens that may follow any of the active rules. */
export const recoveryTokens = (frame: Frame | undefined): ReadonlySet<number> => {
  const set = new Set<number>();
  for (let current = frame; current?.follow !== undefined; current = current.parent) {
    for (const type of nextTokens(current.follow)) set.add(type);
  }
  set.delete(endOfRule);
  return set;
};
