/** The rules that the parser is in, innermost first, and which tokens may come because of them. */
import { endOfInput, type RuleName } from './grammar.ts';
import type { ParseNode } from './parse-node.ts';
import { endOfRule, nextTokens, type State } from './states.ts';

/** One rule that is being read. */
export interface Frame {
  readonly rule: RuleName;
  /** State of the call that made this frame. */
  readonly caller: State | undefined;
  readonly follow: State | undefined;
  readonly parent: Frame | undefined;
  node: ParseNode;
  nextInstruction: number;
}

/** Where each rule returns to, innermost first. */
export const callers = (frame: Frame): readonly State[] => {
  const states: State[] = [];
  for (let current: Frame | undefined = frame; current !== undefined; current = current.parent) {
    if (current.follow !== undefined) states.push(current.follow);
  }
  return states;
};

/** Tokens that may come next in `state`, also by leaving rules. */
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

/** Everything that may follow one of the rules we are in. */
export const recoveryTokens = (frame: Frame | undefined): ReadonlySet<number> => {
  const set = new Set<number>();
  for (let current = frame; current?.follow !== undefined; current = current.parent) {
    for (const type of nextTokens(current.follow)) set.add(type);
  }
  set.delete(endOfRule);
  return set;
};
