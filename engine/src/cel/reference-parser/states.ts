/** States of the network, instructions of the programs, and which tokens may come next. */
import type { RuleName } from './grammar.ts';

export type Transition =
  | { readonly kind: 'epsilon'; readonly target: State; readonly returnsTo: RuleName | undefined }
  | { readonly kind: 'tokens'; readonly target: State; readonly types: ReadonlySet<number> }
  | {
      readonly kind: 'rule';
      readonly target: State;
      readonly rule: RuleName;
      readonly precedence: number;
      follow: State;
    }
  | { readonly kind: 'precedence'; readonly target: State; readonly precedence: number };

export type StateKind =
  | 'basic'
  | 'stop'
  | 'block start'
  | 'block end'
  | 'loop entry'
  | 'loop back'
  | 'loop end';

export interface State {
  readonly id: number;
  readonly rule: RuleName;
  readonly kind: StateKind;
  readonly transitions: Transition[];
  /** The loop of a rule that calls itself on the left; holds the end of its block. */
  precedenceBlockEnd: State | undefined;
}

/** Where two or more ways part and prediction decides. */
export interface Decision {
  readonly id: number;
  readonly state: State;
}

export type Instruction =
  | {
      readonly op: 'match';
      readonly state: State;
      readonly types: ReadonlySet<number>;
      readonly label: string | undefined;
    }
  | {
      readonly op: 'call';
      readonly state: State;
      readonly rule: RuleName;
      readonly precedence: number;
      readonly label: string | undefined;
    }
  | { readonly op: 'sync'; readonly state: State }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'unless next'; readonly types: ReadonlySet<number>; to: number }
  | { readonly op: 'switch'; readonly ways: ReadonlyMap<number, number> }
  | { readonly op: 'predict'; readonly decision: Decision; readonly ways: number[] }
  | { readonly op: 'label'; readonly label: string }
  | { readonly op: 'leave for continuation' }
  | { readonly op: 'enter continuation'; readonly label: string }
  | { readonly op: 'precedence'; readonly state: State; readonly precedence: number }
  | { readonly op: 'return' };

export interface RuleProgram {
  readonly start: State;
  readonly stop: State;
  readonly recursive: boolean;
  readonly instructions: readonly Instruction[];
}

/** The program of each rule. */
export type Network = (rule: RuleName) => RuleProgram;

/** Stands for the end of the rule in a set of next tokens. */
export const endOfRule = -2;

const nextTokensByState = new Map<State, ReadonlySet<number>>();

/** Tokens that may come next in `state` without leaving its rule, and `endOfRule` if it may end here. */
export const nextTokens = (state: State): ReadonlySet<number> => {
  const known = nextTokensByState.get(state);
  if (known !== undefined) return known;
  const found = new Set<number>();
  const seen = new Set<State>();
  const visit = (from: State): void => {
    if (seen.has(from)) return;
    seen.add(from);
    if (from.kind === 'stop') {
      found.add(endOfRule);
      return;
    }
    for (const transition of from.transitions) {
      if (transition.kind === 'tokens') for (const type of transition.types) found.add(type);
      // No rule of this grammar can be empty, so what follows a call is out of sight.
      else visit(transition.target);
    }
  };
  visit(state);
  nextTokensByState.set(state, found);
  return found;
};
