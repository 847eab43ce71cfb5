/** Tells the errors of a reading in the published texts, in the order they were met. */
import { describeToken, describeTypes, quote, rewriteReservedWord } from './describe.ts';
import { endOfInput, type RuleName } from './grammar.ts';
import type { Token, TokenStream } from './tokens.ts';

export interface ReportedError {
  readonly message: string;
  /** UTF-16 offsets; `undefined` for an error without a place. */
  readonly start: number | undefined;
  readonly end: number;
}

/** Reading stops here and now. */
export class ParsingAbortedError extends Error {}

/** The current rule cannot go on. */
export type Failure =
  | { readonly kind: 'mismatch'; readonly token: Token; readonly expected: ReadonlySet<number> }
  | { readonly kind: 'no viable alternative'; readonly first: Token; readonly last: Token }
  | { readonly kind: 'predicate'; readonly token: Token; readonly message: string };

const maxReports = 100;

/** Errors that follow from one already told are kept back, until a token fits again. */
export class ErrorReporter {
  /** An error was told and no token has fitted since. */
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

  /** The next token is one too many. */
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

  /** A token is missing before the next one. */
  reportMissingToken(expected: ReadonlySet<number>): void {
    if (this.recovering) return;
    this.recovering = true;
    const token = this.#tokens.lookahead(1);
    this.#reportAtToken(`missing ${describeTypes(expected)} at ${describeToken(token)}`, token);
  }

  /** @throws {GivenUp} always, after telling why. */
  abort(message: string): never {
    this.#errors.push({ message, start: undefined, end: 0 });
    throw new ParsingAbortedError();
  }

  /** @throws {GivenUp} when there are too many. */
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
