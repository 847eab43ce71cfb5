/** The states of the network, the instructions of the programs, and the sets of next tokens. */
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
  /** The end of the block, for the loop entry of a left-recursive rule. */
  precedenceBlockEnd: State | undefined;
}

/** A state with several alternatives among which prediction decides. */
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
  | { readonly op: 'switch'; readonly targets: ReadonlyMap<number, number> }
  | { readonly op: 'predict'; readonly decision: Decision; readonly targets: number[] }
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

/** Returns the program of a rule. */
export type Network = (rule: RuleName) => RuleProgram;

/** Represents the end of the rule in a set of next tokens. */
export const endOfRule = -2;

const nextTokensByState = new Map<State, ReadonlySet<number>>();

/**
 * Returns the tokens that may follow in `state` within its rule, and `endOfRule` if the rule may
 * end there.
 */
export const nextTokens = (state: State): ReadonlySet<number> => {
  const cached = nextTokensByState.get(state);
  if (cached !== undefined) return cached;
  const tokens = new Set<number>();
  const seen = new Set<State>();
  const visit = (from: State): void => {
    if (seen.has(from)) return;
    seen.add(from);
    if (from.kind === 'stop') {
      tokens.add(endOfRule);
      return;
    }
    for (const transition of from.transitions) {
      if (transition.kind === 'tokens') for (const type of transition.types) tokens.add(type);
      // No rule of this grammar can be empty, so the state after a call is not reached.
      else visit(transition.target);
    }
  };
  visit(state);
  nextTokensByState.set(state, tokens);
  return tokens;
};
