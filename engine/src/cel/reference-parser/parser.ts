/**
 * The reference parser: runs the programs of the grammar's rules and recovers from errors like
 * ANTLR's `DefaultErrorStrategy`, by deleting a token, inserting one, or skipping to a token that
 * may
 * follow. It returns the parse tree as far as possible, and the errors in order.
 */
import {
  ErrorReporter,
  type Failure,
  ParsingAbortedError,
  type ReportedError,
} from './error-reporter.ts';
import { callers, expectedTokens, type Frame, recoveryTokens } from './frames.ts';
import { endOfInput, hasFixedText, type RuleName, ruleNames, tokenNames } from './grammar.ts';
import { celNetwork } from './network.ts';
import { ParseNode } from './parse-node.ts';
import { Predictor } from './prediction.ts';
import { endOfRule, type Instruction, nextTokens, type State } from './states.ts';
import { type Token, TokenStream } from './tokens.ts';

export interface ParseResult {
  /** The parse tree; `undefined` if parsing was aborted. */
  readonly root: ParseNode | undefined;
  readonly errors: readonly ReportedError[];
}

const maxRuleDepth = 250;
const maxRecoveries = 30;
const maxRecoveryTokens = 256;

/** Parses an expression with cel-go's grammar. */
export const parseByGrammar = (text: string): ParseResult => {
  const parser = new GrammarParser(text);
  return parser.run();
};

let predictor: Predictor | undefined;

class GrammarParser {
  readonly #tokens: TokenStream;
  readonly #reporter: ErrorReporter;
  readonly #predictor: Predictor;
  readonly #precedences: number[] = [0];
  readonly #depths = new Map<RuleName, number>(ruleNames.map((name) => [name, 0]));
  #frame: Frame | undefined;
  #state: State;
  #lastErrorAt = -1;
  #lastErrorStates = new Set<State>();
  #recoveries = 0;

  constructor(text: string) {
    predictor ??= new Predictor();
    this.#predictor = predictor;
    this.#state = celNetwork()('start').start;
    this.#tokens = new TokenStream(text, (message, start, end) =>
      this.#reporter.reportSyntaxError(message, start, end),
    );
    this.#reporter = new ErrorReporter(this.#tokens);
  }

  run(): ParseResult {
    try {
      const root = this.#enter('start', undefined, 0, undefined);
      while (this.#frame !== undefined) this.#runFrame(this.#frame);
      return { root, errors: this.#reporter.errors };
    } catch (error) {
      if (error instanceof ParsingAbortedError)
        return { root: undefined, errors: this.#reporter.errors };
      throw error;
    }
  }

  #runFrame(frame: Frame): void {
    const { instructions } = celNetwork()(frame.rule);
    while (this.#frame === frame) {
      const instruction = instructions[frame.nextInstruction++];
      if (instruction === undefined) throw new Error('unreachable: a program ends with return');
      const failure = this.#execute(frame, instruction);
      if (failure === undefined) continue;
      this.#reporter.reportFailure(failure, frame.rule);
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
        frame.nextInstruction = instruction.to;
        return undefined;
      case 'unless next':
        if (!instruction.types.has(this.#tokens.lookahead(1).type))
          frame.nextInstruction = instruction.to;
        return undefined;
      case 'switch': {
        const token = this.#tokens.lookahead(1);
        const target = instruction.targets.get(token.type);
        if (target === undefined)
          return { kind: 'no viable alternative', first: token, last: token };
        frame.nextInstruction = target;
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
    const node = new ParseNode(rule, label, this.#tokens.lookahead(1));
    const follow = call?.kind === 'rule' ? call.follow : undefined;
    this.#frame = { rule, caller, follow, parent, node, nextInstruction: 0 };
    if (celNetwork()(rule).recursive) this.#precedences.push(precedence);
    this.#countUp(rule);
    return node;
  }

  #leave(frame: Frame): void {
    frame.node.end = this.#tokens.previous()?.end ?? frame.node.end;
    if (celNetwork()(frame.rule).recursive) this.#precedences.pop();
    this.#countDown(frame.rule);
    const { parent } = frame;
    if (frame.caller !== undefined) this.#state = frame.caller;
    this.#frame = parent;
    parent?.node.addChild(frame.node);
  }

  /** Starts a left-recursive alternative: the tree so far becomes its left operand. */
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
    this.#reporter.abort(`expression recursion limit exceeded: ${maxRuleDepth}`);
  }

  #countDown(rule: RuleName): void {
    const depth = this.#depths.get(rule) ?? 0;
    if (depth > 0) this.#depths.set(rule, depth - 1);
  }

  // ---- decisions

  #predict(
    frame: Frame,
    instruction: Extract<Instruction, { op: 'predict' }>,
  ): Failure | undefined {
    const tokens = this.#tokens;
    const prediction = this.#predictor.predict(instruction.decision, {
      lookahead: (distance) => tokens.lookahead(distance).type,
      precedence: this.#precedences.at(-1) ?? 0,
      callers: () => callers(frame),
    });
    if (prediction.kind === 'none') {
      return {
        kind: 'no viable alternative',
        first: tokens.lookahead(1),
        last: tokens.lookahead(prediction.ahead),
      };
    }
    const target = instruction.targets[prediction.alt - 1];
    if (target === undefined)
      throw new Error('unreachable: every predicted alternative has a target');
    frame.nextInstruction = target;
    return undefined;
  }

  #checkPrecedence(precedence: number): Failure | undefined {
    if (precedence >= (this.#precedences.at(-1) ?? 0)) return undefined;
    const message = `failed predicate: {p.Precpred(p.GetParserRuleContext(), ${precedence})}?`;
    return { kind: 'predicate', token: this.#tokens.lookahead(1), message };
  }

  // ---- tokens

  #match(frame: Frame, types: ReadonlySet<number>, label: string | undefined): Failure | undefined {
    let token = this.#tokens.lookahead(1);
    if (types.has(token.type)) {
      this.#endErrorCondition();
      this.#consume();
    } else {
      const recovered = this.#recoverInline();
      if (recovered.kind === 'mismatch') return recovered;
      token = recovered.token;
    }
    if (label !== undefined) frame.node.addToken(label, token);
    return undefined;
  }

  #consume(): void {
    if (this.#tokens.lookahead(1).type !== endOfInput) this.#tokens.advance();
  }

  #endErrorCondition(): void {
    this.#reporter.recovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorStates = new Set();
  }

  // ---- the error strategy

  #sync(): Failure | undefined {
    if (this.#reporter.recovering) return undefined;
    const possible = nextTokens(this.#state);
    if (possible.has(endOfRule) || possible.has(this.#tokens.lookahead(1).type)) return undefined;
    if (this.#state.kind === 'loop back') {
      this.#reporter.reportUnwantedToken(expectedTokens(this.#state, this.#frame));
      const recoverySet = new Set([
        ...expectedTokens(this.#state, this.#frame),
        ...recoveryTokens(this.#frame),
      ]);
      this.#consumeUntil(recoverySet, Number.POSITIVE_INFINITY);
      return undefined;
    }
    if (this.#state.kind !== 'block start' && this.#state.kind !== 'loop entry') return undefined;
    if (this.#singleTokenDeletion() !== undefined) return undefined;
    return this.#mismatch();
  }

  #recoverInline():
    | { readonly kind: 'token'; readonly token: Token }
    | Extract<Failure, { kind: 'mismatch' }> {
    this.#countRecovery();
    const token = this.#singleTokenDeletion();
    if (token !== undefined) {
      this.#consume();
      return { kind: 'token', token };
    }
    if (this.#singleTokenInsertion()) return { kind: 'token', token: this.#missingToken() };
    return this.#mismatch();
  }

  /** Deletes the next token if the one after it is expected. */
  #singleTokenDeletion(): Token | undefined {
    const following = this.#tokens.lookahead(2).type;
    if (!expectedTokens(this.#state, this.#frame).has(following)) return undefined;
    this.#reporter.reportUnwantedToken(expectedTokens(this.#state, this.#frame));
    this.#consume();
    const token = this.#tokens.lookahead(1);
    this.#endErrorCondition();
    return token;
  }

  /** Reports a missing token if the next one is expected after it, and returns whether it did. */
  #singleTokenInsertion(): boolean {
    const next = this.#state.transitions[0]?.target;
    if (next === undefined) return false;
    if (!expectedTokens(next, this.#frame).has(this.#tokens.lookahead(1).type)) return false;
    this.#reporter.reportMissingToken(expectedTokens(this.#state, this.#frame));
    return true;
  }

  #missingToken(): Token {
    const type = Math.min(...expectedTokens(this.#state, this.#frame));
    const next = this.#tokens.lookahead(1);
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
      token: this.#tokens.lookahead(1),
      expected: expectedTokens(this.#state, this.#frame),
    };
  }

  #recover(frame: Frame): void {
    this.#countRecovery();
    let budget = maxRecoveryTokens;
    if (this.#lastErrorAt === this.#tokens.position && this.#lastErrorStates.has(this.#state)) {
      // The same error at the same location: consume a token, so that recovery terminates.
      this.#consume();
      budget--;
    }
    this.#lastErrorAt = this.#tokens.position;
    this.#lastErrorStates.add(this.#state);
    this.#frame = frame;
    this.#consumeUntil(recoveryTokens(this.#frame), budget);
  }

  #consumeUntil(types: ReadonlySet<number>, budget: number): void {
    let left = budget;
    for (;;) {
      const { type } = this.#tokens.lookahead(1);
      if (type === endOfInput || types.has(type)) return;
      if (left-- <= 0) {
        this.#reporter.abort(`error recovery token lookahead limit exceeded: ${maxRecoveryTokens}`);
      }
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries === maxRecoveries) {
      const next = this.#tokens.lookahead(1);
      const message = `error recovery attempt limit exceeded: ${maxRecoveries}`;
      this.#reporter.reportSyntaxError(message, next.start, next.end);
      throw new ParsingAbortedError();
    }
    this.#recoveries++;
  }
}
