/**
 * Runs the programs of the grammar's rules over the tokens and recovers from errors by the published
 * default strategy: one token too many, one too few, or on to something that may follow. Gives the
 * parse tree as far as it got, with the errors in the order they were met.
 */
import { endOfInput, hasFixedText, type RuleName, ruleNames, tokenNames } from './grammar.ts';
import { celNetwork, endOfRule, type Instruction, nextTokens, type State } from './network.ts';
import { Predictor } from './prediction.ts';
import { type Token, TokenStream } from './tokens.ts';

/** Alternatives that mean what their one part means. */
const wrapperLabels: ReadonlySet<string> = new Set([
  'expr',
  'conditionalOr',
  'conditionalAnd',
  'relation',
  'calc',
  'MemberExpr',
  'PrimaryExpr',
  'ConstantLiteral',
]);

/** A rule that was read, or the part of it that was there. */
export class ParseNode {
  rule: RuleName;
  /** Which alternative; the rule's own name while that is unknown. */
  label: string;
  /** The label it has in the rule around it. */
  role: string | undefined;
  readonly start: Token;
  /** End of the last token that was read. */
  end: number;
  // Texts can be long and most nodes wrap one other: nothing is made before it is needed.
  #children: ParseNode[] | undefined;
  #tokens: { readonly label: string; readonly token: Token }[] | undefined;

  constructor(rule: RuleName, role: string | undefined, start: Token) {
    this.rule = rule;
    this.label = rule;
    this.role = role;
    this.start = start;
    this.end = start.start;
  }

  get children(): readonly ParseNode[] {
    return this.#children ?? [];
  }

  addChild(node: ParseNode): void {
    this.#children ??= [];
    this.#children.push(node.#essence());
  }

  /**
   * What a node that only wraps one other stands for: that other, in its place. Most nodes of a text
   * are of this kind.
   */
  #essence(): ParseNode {
    const only = this.#children?.[0];
    if (only === undefined || this.#children?.length !== 1) return this;
    if (this.#tokens !== undefined || !wrapperLabels.has(this.label)) return this;
    only.rule = this.rule;
    only.role = this.role;
    return only;
  }

  addToken(label: string, token: Token): void {
    this.#tokens ??= [];
    this.#tokens.push({ label, token });
  }

  /** First part of that label; a token that could not be matched is not there. */
  token(label: string): Token | undefined {
    return this.#tokens?.find((part) => part.label === label)?.token;
  }

  tokens(label: string): readonly Token[] {
    return (this.#tokens ?? []).flatMap((part) => (part.label === label ? [part.token] : []));
  }

  node(label: string): ParseNode | undefined {
    return this.#children?.find((child) => child.role === label);
  }

  nodes(label: string): readonly ParseNode[] {
    return this.children.filter((child) => child.role === label);
  }

  /** First part of that rule. */
  child(rule: RuleName): ParseNode | undefined {
    return this.#children?.find((child) => child.rule === rule);
  }
}

export interface ReportedError {
  readonly message: string;
  /** UTF-16 offsets; `undefined` for an error without a place. */
  readonly start: number | undefined;
  readonly end: number;
}

export interface Parse {
  /** `undefined` when reading was given up. */
  readonly root: ParseNode | undefined;
  readonly errors: readonly ReportedError[];
}

const maxRuleDepth = 250;
const maxRecoveries = 30;
const maxRecoveryTokens = 256;
const maxReports = 100;

/** Reads a text whole. */
export const parseByGrammar = (text: string): Parse => {
  const parser = new GrammarParser(text);
  return parser.run();
};

interface Frame {
  readonly rule: RuleName;
  /** State of the call that made this frame. */
  readonly caller: State | undefined;
  readonly follow: State | undefined;
  readonly parent: Frame | undefined;
  node: ParseNode;
  at: number;
}

/** Reading stops here and now. */
class GivenUp extends Error {}

/** The current rule cannot go on. */
type Failure =
  | { readonly kind: 'mismatch'; readonly token: Token; readonly expected: ReadonlySet<number> }
  | { readonly kind: 'no way'; readonly first: Token; readonly last: Token }
  | { readonly kind: 'predicate'; readonly token: Token; readonly message: string };

let predictor: Predictor | undefined;

class GrammarParser {
  readonly #tokens: TokenStream;
  readonly #errors: ReportedError[] = [];
  readonly #predictor: Predictor;
  readonly #precedences: number[] = [0];
  readonly #depths = new Map<RuleName, number>(ruleNames.map((name) => [name, 0]));
  #frame: Frame | undefined;
  #state: State;
  #recovering = false;
  #lastErrorAt = -1;
  #lastErrorStates = new Set<State>();
  #recoveries = 0;
  #reports = 0;

  constructor(text: string) {
    predictor ??= new Predictor();
    this.#predictor = predictor;
    this.#state = celNetwork().start.start;
    this.#tokens = new TokenStream(text, (message, start, end) =>
      this.#syntaxError(message, start, end),
    );
  }

  run(): Parse {
    try {
      const root = this.#enter('start', undefined, 0, undefined);
      while (this.#frame !== undefined) this.#runFrame(this.#frame);
      return { root, errors: this.#errors };
    } catch (error) {
      if (error instanceof GivenUp) return { root: undefined, errors: this.#errors };
      throw error;
    }
  }

  #runFrame(frame: Frame): void {
    const { instructions } = celNetwork()[frame.rule];
    while (this.#frame === frame) {
      const instruction = instructions[frame.at++];
      if (instruction === undefined) throw new Error('unreachable: a program ends with return');
      const failure = this.#execute(frame, instruction);
      if (failure === undefined) continue;
      this.#reportFailure(failure);
      this.#recover(frame);
      this.#leave(frame);
    }
  }

  #execute(frame: Frame, instruction: Instruction): Failure | undefined {
    switch (instruction.op) {
      case 'match':
        this.#state = instruction.state;
        return this.#match(frame, instruction.types, instruction.label);
      case 'call': {
        this.#state = instruction.state;
        this.#enter(instruction.rule, instruction.state, instruction.precedence, instruction.label);
        return undefined;
      }
      case 'sync':
        this.#state = instruction.state;
        return this.#sync();
      case 'jump':
        frame.at = instruction.to;
        return undefined;
      case 'unless next':
        if (!instruction.types.has(this.#tokens.look(1).type)) frame.at = instruction.to;
        return undefined;
      case 'switch': {
        const token = this.#tokens.look(1);
        const way = instruction.ways.get(token.type);
        if (way === undefined) return { kind: 'no way', first: token, last: token };
        frame.at = way;
        return undefined;
      }
      case 'predict':
        return this.#predict(frame, instruction);
      case 'label':
        frame.node.label = instruction.label;
        return undefined;
      case 'leave for continuation':
        this.#countDown(frame.rule);
        return undefined;
      case 'enter continuation':
        this.#enterContinuation(frame, instruction.label);
        return undefined;
      case 'precedence':
        this.#state = instruction.state;
        return this.#checkPrecedence(instruction.precedence);
      case 'return':
        this.#leave(frame);
        return undefined;
    }
  }

  // ---- rules

  #enter(
    rule: RuleName,
    caller: State | undefined,
    precedence: number,
    label: string | undefined,
  ): ParseNode {
    const parent = this.#frame;
    const call = caller?.transitions[0];
    const node = new ParseNode(rule, label, this.#tokens.look(1));
    const follow = call?.kind === 'rule' ? call.follow : undefined;
    this.#frame = { rule, caller, follow, parent, node, at: 0 };
    if (celNetwork()[rule].recursive) this.#precedences.push(precedence);
    this.#countUp(rule);
    return node;
  }

  #leave(frame: Frame): void {
    frame.node.end = this.#tokens.previous()?.end ?? frame.node.end;
    if (celNetwork()[frame.rule].recursive) this.#precedences.pop();
    this.#countDown(frame.rule);
    const { parent } = frame;
    if (frame.caller !== undefined) this.#state = frame.caller;
    this.#frame = parent;
    parent?.node.addChild(frame.node);
  }

  /** What was read so far becomes the left side of something larger. */
  #enterContinuation(frame: Frame, label: string): void {
    const left = frame.node;
    left.end = this.#tokens.previous()?.end ?? left.end;
    frame.node = new ParseNode(frame.rule, left.role, left.start);
    frame.node.label = label;
    frame.node.addChild(left);
    this.#countUp(frame.rule);
  }

  #countUp(rule: RuleName): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth <= maxRuleDepth) return;
    this.#giveUp(`expression recursion limit exceeded: ${maxRuleDepth}`);
  }

  #countDown(rule: RuleName): void {
    const depth = this.#depths.get(rule) ?? 0;
    if (depth > 0) this.#depths.set(rule, depth - 1);
  }

  #giveUp(message: string): never {
    this.#errors.push({ message, start: undefined, end: 0 });
    throw new GivenUp();
  }

  // ---- decisions

  #predict(
    frame: Frame,
    instruction: Extract<Instruction, { op: 'predict' }>,
  ): Failure | undefined {
    const tokens = this.#tokens;
    const prediction = this.#predictor.predict(instruction.decision, {
      look: (distance) => tokens.look(distance).type,
      precedence: this.#precedences.at(-1) ?? 0,
      callers: () => this.#callers(frame),
    });
    if (prediction.kind === 'none') {
      return { kind: 'no way', first: tokens.look(1), last: tokens.look(prediction.ahead) };
    }
    const way = instruction.ways[prediction.way - 1];
    if (way === undefined)
      throw new Error('unreachable: a decision has as many ways as it predicts');
    frame.at = way;
    return undefined;
  }

  #callers(frame: Frame): readonly State[] {
    const states: State[] = [];
    for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) {
      if (at.follow !== undefined) states.push(at.follow);
    }
    return states;
  }

  #checkPrecedence(precedence: number): Failure | undefined {
    if (precedence >= (this.#precedences.at(-1) ?? 0)) return undefined;
    const message = `failed predicate: {p.Precpred(p.GetParserRuleContext(), ${precedence})}?`;
    return { kind: 'predicate', token: this.#tokens.look(1), message };
  }

  // ---- tokens

  #match(frame: Frame, types: ReadonlySet<number>, label: string | undefined): Failure | undefined {
    let token = this.#tokens.look(1);
    if (types.has(token.type)) {
      this.#matched();
      this.#consume();
    } else {
      const found = this.#recoverInline();
      if (found.kind === 'mismatch') return found;
      token = found.token;
    }
    if (label !== undefined) frame.node.addToken(label, token);
    return undefined;
  }

  #consume(): void {
    if (this.#tokens.look(1).type !== endOfInput) this.#tokens.advance();
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorStates = new Set();
  }

  // ---- what may come

  #expected(state: State, frame: Frame | undefined): ReadonlySet<number> {
    const within = nextTokens(state);
    if (!within.has(endOfRule)) return within;
    const expected = new Set(within);
    let mayEnd = true;
    for (let at = frame; at?.follow !== undefined && mayEnd; at = at.parent) {
      const following = nextTokens(at.follow);
      for (const type of following) expected.add(type);
      mayEnd = following.has(endOfRule);
    }
    expected.delete(endOfRule);
    if (mayEnd) expected.add(endOfInput);
    return expected;
  }

  /** Everything that may follow one of the rules we are in. */
  #recoverySet(): ReadonlySet<number> {
    const set = new Set<number>();
    for (let at = this.#frame; at?.follow !== undefined; at = at.parent) {
      for (const type of nextTokens(at.follow)) set.add(type);
    }
    set.delete(endOfRule);
    return set;
  }

  // ---- the error strategy

  #sync(): Failure | undefined {
    if (this.#recovering) return undefined;
    const possible = nextTokens(this.#state);
    if (possible.has(endOfRule) || possible.has(this.#tokens.look(1).type)) return undefined;
    if (this.#state.kind === 'loop back') {
      this.#reportUnwanted();
      const wanted = new Set([...this.#expected(this.#state, this.#frame), ...this.#recoverySet()]);
      this.#consumeUntil(wanted, Number.POSITIVE_INFINITY);
      return undefined;
    }
    if (this.#state.kind !== 'block start' && this.#state.kind !== 'loop entry') return undefined;
    if (this.#deleteToken() !== undefined) return undefined;
    return this.#mismatch();
  }

  #recoverInline():
    | { readonly kind: 'token'; readonly token: Token }
    | Extract<Failure, { kind: 'mismatch' }> {
    this.#countRecovery();
    const token = this.#deleteToken();
    if (token !== undefined) {
      this.#consume();
      return { kind: 'token', token };
    }
    if (this.#tokenIsMissing()) return { kind: 'token', token: this.#madeUpToken() };
    return this.#mismatch();
  }

  /** Drops the next token when the one behind it is what we want. */
  #deleteToken(): Token | undefined {
    const behind = this.#tokens.look(2).type;
    if (!this.#expected(this.#state, this.#frame).has(behind)) return undefined;
    this.#reportUnwanted();
    this.#consume();
    const token = this.#tokens.look(1);
    this.#matched();
    return token;
  }

  /** True when the next token would fit behind the one that is missing. */
  #tokenIsMissing(): boolean {
    const next = this.#state.transitions[0]?.target;
    if (next === undefined) return false;
    if (!this.#expected(next, this.#frame).has(this.#tokens.look(1).type)) return false;
    this.#reportMissing();
    return true;
  }

  #madeUpToken(): Token {
    const type = Math.min(...this.#expected(this.#state, this.#frame));
    const next = this.#tokens.look(1);
    const place = next.type === endOfInput ? (this.#tokens.previous() ?? next) : next;
    const text =
      type === endOfInput
        ? '<missing EOF>'
        : `<missing ${hasFixedText(type) ? tokenNames[type] : 'undefined'}>`;
    return { type, text, start: place.start, end: place.start, index: -1 };
  }

  #mismatch(): Extract<Failure, { kind: 'mismatch' }> {
    return {
      kind: 'mismatch',
      token: this.#tokens.look(1),
      expected: this.#expected(this.#state, this.#frame),
    };
  }

  #recover(frame: Frame): void {
    this.#countRecovery();
    let budget = maxRecoveryTokens;
    if (this.#lastErrorAt === this.#tokens.position && this.#lastErrorStates.has(this.#state)) {
      // The same error at the same place: go on by one token, so that this ends.
      this.#consume();
      budget--;
    }
    this.#lastErrorAt = this.#tokens.position;
    this.#lastErrorStates.add(this.#state);
    this.#frame = frame;
    this.#consumeUntil(this.#recoverySet(), budget);
  }

  #consumeUntil(types: ReadonlySet<number>, budget: number): void {
    let left = budget;
    for (;;) {
      const { type } = this.#tokens.look(1);
      if (type === endOfInput || types.has(type)) return;
      if (left-- <= 0) {
        this.#giveUp(`error recovery token lookahead limit exceeded: ${maxRecoveryTokens}`);
      }
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries === maxRecoveries) {
      const next = this.#tokens.look(1);
      const message = `error recovery attempt limit exceeded: ${maxRecoveries}`;
      this.#syntaxError(message, next.start, next.end);
      throw new GivenUp();
    }
    this.#recoveries++;
  }

  // ---- reports

  #reportFailure(failure: Failure): void {
    if (this.#recovering) return;
    this.#recovering = true;
    if (failure.kind === 'mismatch') {
      const { token, expected } = failure;
      const wanted = describeTypes(expected);
      this.#tokenError(`mismatched input ${describeToken(token)} expecting ${wanted}`, token);
      return;
    }
    if (failure.kind === 'predicate') {
      const rule = this.#frame?.rule ?? 'start';
      this.#tokenError(`rule ${rule} ${failure.message}`, failure.token);
      return;
    }
    const { first, last } = failure;
    const input = first.type === endOfInput ? '<EOF>' : this.#tokens.textBetween(first, last);
    this.#tokenError(`no viable alternative at input ${quote(input)}`, last);
  }

  #reportUnwanted(): void {
    if (this.#recovering) return;
    this.#recovering = true;
    const token = this.#tokens.look(1);
    const wanted = describeTypes(this.#expected(this.#state, this.#frame));
    this.#tokenError(`extraneous input ${describeToken(token)} expecting ${wanted}`, token);
  }

  #reportMissing(): void {
    if (this.#recovering) return;
    this.#recovering = true;
    const token = this.#tokens.look(1);
    const wanted = describeTypes(this.#expected(this.#state, this.#frame));
    this.#tokenError(`missing ${wanted} at ${describeToken(token)}`, token);
  }

  #tokenError(message: string, token: Token): void {
    this.#syntaxError(message, token.start, token.end);
  }

  #syntaxError(message: string, start: number, end: number): void {
    const tooMany = this.#reports >= maxReports;
    const text = tooMany ? `More than ${maxReports} syntax errors` : reservedWord(message);
    this.#errors.push({ message: `Syntax error: ${text}`, start, end });
    if (tooMany) throw new GivenUp();
    this.#reports++;
  }
}

const quote = (text: string): string =>
  `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

const describeToken = (token: Token): string => quote(token.text);

const describeTypes = (types: ReadonlySet<number>): string => {
  const names = [...types]
    .sort((a, b) => a - b)
    .map((type) => (type === endOfInput ? '<EOF>' : (tokenNames[type] ?? '')));
  return names.length > 1 ? `{${names.join(', ')}}` : (names[0] ?? '{}');
};

/** `a.true`: said as if the word had been recognised as one. */
const reservedWord = (message: string): string =>
  message.includes('no viable alternative')
    ? message.replace(
        /no viable alternative at input '.(true|false|null)'/g,
        "mismatched input '$1' expecting IDENTIFIER",
      )
    : message;
