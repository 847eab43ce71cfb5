/** Reports syntax errors with ANTLR's messages, in the order in which the parser finds them. */
import { describeToken, describeTypes, quote, rewriteReservedWord } from './describe.ts';
import { endOfInput, type RuleName } from './grammar.ts';
import type { Token, TokenStream } from './tokens.ts';

export interface ReportedError {
  readonly message: string;
  /** UTF-16 offset; `undefined` for an error without a location. */
  readonly start: number | undefined;
  readonly end: number;
}

/** Thrown to abort parsing; the reason is already reported. */
export class ParsingAbortedError extends Error {}

/** The reason why a rule cannot be continued. */
export type Failure =
  | { readonly kind: 'mismatch'; readonly token: Token; readonly expected: ReadonlySet<number> }
  | { readonly kind: 'no viable alternative'; readonly first: Token; readonly last: Token }
  | { readonly kind: 'predicate'; readonly token: Token; readonly message: string };

const maxReports = 100;

/** Collects errors. After an error it suppresses further ones until a token matches again. */
export class ErrorReporter {
  /** True from an error until the next token that matches. */
  recovering = false;
  readonly #errors: ReportedError[] = [];
  readonly #tokens: TokenStream;
  #count = 0;

  constructor(tokens: TokenStream) {
    this.#tokens = tokens;
  }

  get errors(): readonly ReportedError[] {
    return this.#errors;
  }

  reportFailure(failure: Failure, rule: RuleName): void {
    if (this.recovering) return;
    this.recovering = true;
    if (failure.kind === 'mismatch') {
      const { token, expected } = failure;
      const expectedText = describeTypes(expected);
      this.#reportAtToken(
        `mismatched input ${describeToken(token)} expecting ${expectedText}`,
        token,
      );
      return;
    }
    if (failure.kind === 'predicate') {
      this.#reportAtToken(`rule ${rule} ${failure.message}`, failure.token);
      return;
    }
    const { first, last } = failure;
    const input = first.type === endOfInput ? '<EOF>' : this.#tokens.textBetween(first, last);
    this.#reportAtToken(`no viable alternative at input ${quote(input)}`, last);
  }

  /** Reports that the next token is extraneous. */
  reportUnwantedToken(expected: ReadonlySet<number>): void {
    if (this.recovering) return;
    this.recovering = true;
    const token = this.#tokens.lookahead(1);
    const expectedText = describeTypes(expected);
    this.#reportAtToken(
      `extraneous input ${describeToken(token)} expecting ${expectedText}`,
      token,
    );
  }

  /** Reports that a token is missing before the next one. */
  reportMissingToken(expected: ReadonlySet<number>): void {
    if (this.recovering) return;
    this.recovering = true;
    const token = this.#tokens.lookahead(1);
    this.#reportAtToken(`missing ${describeTypes(expected)} at ${describeToken(token)}`, token);
  }

  /**
   * Reports the reason and aborts parsing.
   * @throws {ParsingAbortedError} always.
   */
  abort(message: string): never {
    this.#errors.push({ message, start: undefined, end: 0 });
    throw new ParsingAbortedError();
  }

  /**
   * Reports a syntax error.
   * @throws {ParsingAbortedError} after too many errors.
   */
  reportSyntaxError(message: string, start: number, end: number): void {
    const tooMany = this.#count >= maxReports;
    const text = tooMany ? `More than ${maxReports} syntax errors` : rewriteReservedWord(message);
    this.#errors.push({ message: `Syntax error: ${text}`, start, end });
    if (tooMany) throw new ParsingAbortedError();
    this.#count++;
  }

  #reportAtToken(message: string, token: Token): void {
    this.reportSyntaxError(message, token.start, token.end);
  }
}
