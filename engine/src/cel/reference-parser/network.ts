/**
 * Converts the grammar to a transition network (ANTLR's ATN), which serves prediction and the sets
 * of
 * expected tokens, and to a program for each rule, which the parser runs.
 */
import { type Element, grammar, type Rule, type RuleName, ruleNames } from './grammar.ts';
import {
  type Instruction,
  type Network,
  nextTokens,
  type RuleProgram,
  type State,
  type StateKind,
  type Transition,
} from './states.ts';

let nextState = 0;
let nextDecision = 0;

const makeState = (rule: RuleName, kind: StateKind): State => ({
  id: nextState++,
  rule,
  kind,
  transitions: [],
  precedenceBlockEnd: undefined,
});

const epsilon = (from: State, target: State): void => {
  from.transitions.push({ kind: 'epsilon', target, returnsTo: undefined });
};

/**
 * Builds the states and the program of a rule. `#current` is the state in which the next element
 * starts.
 */
class RuleBuilder {
  readonly instructions: Instruction[] = [];
  readonly #rule: RuleName;
  readonly #starts: ReadonlyMap<RuleName, State>;
  #current: State;
  #lastCall: Extract<Transition, { kind: 'rule' }> | undefined;

  constructor(rule: RuleName, starts: ReadonlyMap<RuleName, State>, start: State) {
    this.#rule = rule;
    this.#starts = starts;
    this.#current = start;
  }

  rule(rule: Rule, stop: State): void {
    if (rule.kind === 'plain') this.#sequence(rule.elements);
    if (rule.kind === 'choice') this.#choice(rule);
    if (rule.kind === 'recursive') this.#recursive(rule, stop);
    if (rule.kind !== 'recursive') epsilon(this.#current, stop);
    this.instructions.push({ op: 'return' });
  }

  #state(kind: StateKind): State {
    return makeState(this.#rule, kind);
  }

  #moveTo(state: State): void {
    epsilon(this.#current, state);
    this.#current = state;
  }

  #sequence(elements: readonly Element[]): void {
    for (const element of elements) this.#element(element);
  }

  /**
   * Ends an alternative of a block. If it ends with a rule call, the call returns directly to the
   * end
   * of the block, so prediction cannot distinguish two such calls. After three or more plain
   * elements
   * ANTLR generates a state in between, so there it can.
   */
  #endAlternative(elements: readonly Element[], end: State): void {
    epsilon(this.#current, end);
    const plainOnly = elements.every(
      (element) => element.kind === 'token' || element.kind === 'rule',
    );
    if (this.#lastCall?.follow !== this.#current || (plainOnly && elements.length > 2)) return;
    this.#lastCall.follow = end;
  }

  #element(element: Element): void {
    switch (element.kind) {
      case 'token':
        this.#match(new Set([element.type]), element.label);
        return;
      case 'set':
        this.#match(new Set(element.types), element.label);
        return;
      case 'rule':
        this.#call(element.rule, element.precedence, element.label);
        return;
      case 'optional':
        this.#optional(element.body);
        return;
      case 'star':
        this.#star(element);
        return;
      case 'plus':
        this.#plus(element);
        return;
    }
  }

  #match(types: ReadonlySet<number>, label: string | undefined): void {
    const from = this.#state('basic');
    const to = this.#state('basic');
    this.#moveTo(from);
    from.transitions.push({ kind: 'tokens', target: to, types });
    this.instructions.push({ op: 'match', state: from, types, label });
    this.#current = to;
  }

  #call(rule: RuleName, precedence: number, label: string | undefined): void {
    const from = this.#state('basic');
    const follow = this.#state('basic');
    const target = this.#starts.get(rule);
    if (target === undefined) throw new Error('unreachable: every rule has a start');
    this.#moveTo(from);
    this.#lastCall = { kind: 'rule', target, rule, precedence, follow };
    from.transitions.push(this.#lastCall);
    this.instructions.push({ op: 'call', state: from, rule, precedence, label });
    this.#current = follow;
  }

  #optional(body: readonly Element[]): void {
    const start = this.#state('block start');
    const end = this.#state('block end');
    this.#moveTo(start);
    this.instructions.push({ op: 'sync', state: start });
    const branch = this.#unlessNext();
    const inside = this.#state('basic');
    epsilon(start, inside);
    this.#current = inside;
    this.#sequence(body);
    this.#endAlternative(body, end);
    this.#current = end;
    epsilon(start, end);
    branch(inside);
  }

  /**
   * Adds a jump that skips the body unless its first token is next. The returned function sets the
   * target of the jump.
   */
  #unlessNext(): (inside: State) => void {
    const index = this.instructions.length;
    this.instructions.push({ op: 'return' });
    return (inside) => {
      pending.push(() => {
        this.instructions[index] = { op: 'unless next', types: nextTokens(inside), to };
      });
      const to = this.instructions.length;
    };
  }

  #star(loop: Extract<Element, { kind: 'star' }>): void {
    const entry = this.#state('loop entry');
    const start = this.#state('block start');
    const end = this.#state('block end');
    const back = this.#state('loop back');
    const exit = this.#state('loop end');
    this.#moveTo(entry);
    epsilon(entry, start);
    epsilon(entry, exit);
    this.instructions.push({ op: 'sync', state: entry });
    const top = this.instructions.length;
    const leave = loop.by === 'lookahead' ? this.#unlessNext() : this.#predict(entry);
    const inside = this.#state('basic');
    epsilon(start, inside);
    this.#current = inside;
    this.#sequence(loop.body);
    this.#endAlternative(loop.body, end);
    epsilon(end, back);
    epsilon(back, entry);
    this.instructions.push({ op: 'sync', state: back }, { op: 'jump', to: top });
    leave(inside);
    this.#current = exit;
  }

  /**
   * Adds a decision with two alternatives: to continue, or to jump to where the returned function
   * is called.
   */
  #predict(state: State): (inside: State) => void {
    const targets = [this.instructions.length + 1];
    this.instructions.push({ op: 'predict', decision: { id: nextDecision++, state }, targets });
    return () => {
      targets.push(this.instructions.length);
    };
  }

  #plus(loop: Extract<Element, { kind: 'plus' }>): void {
    const start = this.#state('block start');
    const end = this.#state('block end');
    const back = this.#state('loop back');
    const exit = this.#state('loop end');
    this.#moveTo(start);
    this.instructions.push({ op: 'sync', state: start });
    const top = this.instructions.length;
    const inside = this.#state('basic');
    epsilon(start, inside);
    this.#current = inside;
    this.#sequence(loop.body);
    this.#endAlternative(loop.body, end);
    epsilon(end, back);
    epsilon(back, start);
    epsilon(back, exit);
    this.instructions.push({ op: 'sync', state: back });
    const leave = loop.by === 'lookahead' ? this.#unlessNext() : this.#predict(back);
    this.instructions.push({ op: 'jump', to: top });
    leave(inside);
    this.#current = exit;
  }

  #choice(rule: Extract<Rule, { kind: 'choice' }>): void {
    const start = this.#state('block start');
    const end = this.#state('block end');
    this.#moveTo(start);
    this.instructions.push({ op: 'sync', state: start });
    const targets: number[] = [];
    const targetByToken = new Map<number, number>();
    this.instructions.push(
      rule.by === 'predict'
        ? { op: 'predict', decision: { id: nextDecision++, state: start }, targets }
        : { op: 'switch', targets: targetByToken },
    );
    for (const alternative of rule.alternatives) {
      const inside = this.#state('basic');
      const target = this.instructions.length;
      targets.push(target);
      pending.push(() => {
        for (const type of nextTokens(inside)) targetByToken.set(type, target);
      });
      epsilon(start, inside);
      this.#current = inside;
      this.instructions.push({ op: 'label', label: alternative.label });
      this.#sequence(alternative.elements);
      this.#endAlternative(alternative.elements, end);
      this.instructions.push({ op: 'return' });
    }
    this.#current = end;
  }

  #recursive(rule: Extract<Rule, { kind: 'recursive' }>, stop: State): void {
    this.instructions.push({ op: 'label', label: rule.label });
    this.#call(rule.first, 0, undefined);
    const entry = this.#state('loop entry');
    const start = this.#state('block start');
    const end = this.#state('block end');
    const back = this.#state('loop back');
    const exit = this.#state('loop end');
    entry.precedenceBlockEnd = end;
    this.#moveTo(entry);
    epsilon(entry, start);
    epsilon(entry, exit);
    epsilon(exit, stop);
    this.instructions.push({ op: 'sync', state: entry });
    const top = this.instructions.length;
    const leave = this.#predict(entry);
    this.instructions.push({ op: 'leave for continuation' });
    const targets: number[] = [];
    if (rule.continuations.length > 1) {
      this.instructions.push(
        { op: 'sync', state: start },
        { op: 'predict', decision: { id: nextDecision++, state: start }, targets },
      );
    }
    for (const continuation of rule.continuations) {
      const guarded = this.#state('basic');
      const inside = this.#state('basic');
      targets.push(this.instructions.length);
      epsilon(start, guarded);
      guarded.transitions.push({
        kind: 'precedence',
        target: inside,
        precedence: continuation.precedence,
      });
      this.instructions.push(
        { op: 'enter continuation', label: continuation.label },
        { op: 'precedence', state: guarded, precedence: continuation.precedence },
      );
      this.#current = inside;
      this.#sequence(continuation.elements);
      this.#endAlternative(continuation.elements, end);
      this.instructions.push({ op: 'sync', state: back }, { op: 'jump', to: top });
    }
    epsilon(end, back);
    epsilon(back, entry);
    leave(start);
  }
}

/** Steps that have to wait until the whole network is built. */
const pending: (() => void)[] = [];

const build = (): Network => {
  const starts = new Map<RuleName, State>();
  const stops = new Map<RuleName, State>();
  for (const name of ruleNames) {
    starts.set(name, makeState(name, 'basic'));
    stops.set(name, makeState(name, 'stop'));
  }
  const programs = new Map<RuleName, RuleProgram>();
  for (const name of ruleNames) {
    const start = starts.get(name);
    const stop = stops.get(name);
    if (start === undefined || stop === undefined) throw new Error('unreachable: made above');
    const builder = new RuleBuilder(name, starts, start);
    builder.rule(grammar[name], stop);
    programs.set(name, {
      start,
      stop,
      recursive: grammar[name].kind === 'recursive',
      instructions: builder.instructions,
    });
  }
  for (const { instructions } of programs.values()) connectReturns(instructions, programs);
  for (const fill of pending) fill();
  pending.length = 0;
  return (rule) => {
    const program = programs.get(rule);
    if (program === undefined) throw new Error('unreachable: every rule has a program');
    return program;
  };
};

/** Connects the end of each rule with all states that it may return to. */
const connectReturns = (
  instructions: readonly Instruction[],
  programs: ReadonlyMap<RuleName, RuleProgram>,
): void => {
  for (const instruction of instructions) {
    if (instruction.op !== 'call') continue;
    const program = programs.get(instruction.rule);
    const call = instruction.state.transitions[0];
    if (program === undefined || call?.kind !== 'rule') {
      throw new Error('unreachable: a call leads to a rule');
    }
    const outermost = program.recursive && instruction.precedence === 0;
    program.stop.transitions.push({
      kind: 'epsilon',
      target: call.follow,
      returnsTo: outermost ? instruction.rule : undefined,
    });
  }
};

let network: Network | undefined;

/** Returns the network, which is built on first use and shared. */
export const celNetwork = (): Network => {
  network ??= build();
  return network;
};
