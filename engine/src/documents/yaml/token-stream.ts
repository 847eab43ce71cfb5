/**
 * Converts text to tokens, one at a time. Block structure results from indentation, and a key is
 * recognized at its colon, so the stream keeps a queue in which key and block-start tokens are
 * inserted before earlier tokens. How far it reads ahead determines which of two errors is
 * reported, and follows kube-apiserver's YAML loader.
 */
import type { Span } from '../../source/span.ts';
import { scanBlock } from './scan-block.ts';
import { scanPlain } from './scan-plain.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanQuoted } from './scan-quoted.ts';
import { isBlankOrEnd, isBreak, isBreakOrEnd, type Mark, TextCursor } from './text-cursor.ts';
import { makeToken, scalarToken, type Token, type TokenKind } from './token.ts';
import { scannerError, unterminatedError } from './yaml-errors.ts';

/** Open brackets and open blocks that the loader allows. */
const maxNesting = 10_000;
/** A key must be followed by its colon within this many characters. */
const maxSimpleKeyLength = 1024;

/** A position where a simple key may have started. */
interface SimpleKey {
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
  /** Whether the stream reads ahead for its colon before it returns the token. */
  isAwaited: boolean;
}

export class TokenStream {
  readonly comments: Span[] = [];
  readonly #cursor: TextCursor;
  #queue: Token[] = [];
  #first = 0;
  #consumed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #simpleKeyAllowed = true;
  /** One simple key per flow level; the first is that of the block context. */
  readonly #simpleKeys: (SimpleKey | undefined)[] = [undefined];
  /** The keys by the number of their token, from the first one that may be awaited. */
  #awaitedKeys: SimpleKey[] = [];
  #firstAwaited = 0;
  /** The key that is not awaited any more when the bracket of the level closes. */
  readonly #levelKeys: (SimpleKey | undefined)[] = [];
  #ready = false;

  /** Creates a stream; with `inMap`, the text is the inside of a block map in the first column. */
  constructor(text: string, { inMap }: { readonly inMap: boolean } = { inMap: false }) {
    this.#cursor = new TextCursor(text);
    if (!inMap) return;
    this.#indents.push(this.#indent);
    this.#indent = 0;
  }

  peek(): Token {
    if (!this.#ready) this.#fill();
    const next = this.#queue[this.#first];
    if (next === undefined) throw new Error('unreachable: the queue was just filled');
    return next;
  }

  consume(): Token {
    const next = this.peek();
    if (next.kind === 'stream-end') return next;
    this.#ready = false;
    this.#consumed += 1;
    this.#first += 1;
    if (this.#first > 64) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    return next;
  }

  get #inFlow(): boolean {
    return this.#simpleKeys.length > 1;
  }

  /** Fetches tokens until the first one in the queue can no longer turn out to be a key. */
  #fill(): void {
    while (true) {
      if (this.#first < this.#queue.length) {
        const key = this.#awaitedKey();
        if (key === undefined || !this.#isStillPossible(key)) break;
      }
      this.#fetch();
    }
    this.#ready = true;
  }

  /** Returns the key that the next token to consume may be. */
  #awaitedKey(): SimpleKey | undefined {
    let key = this.#awaitedKeys[this.#firstAwaited];
    while (key !== undefined && (!key.isAwaited || key.tokenNumber < this.#consumed)) {
      this.#firstAwaited += 1;
      key = this.#awaitedKeys[this.#firstAwaited];
    }
    if (this.#firstAwaited > 64) {
      this.#awaitedKeys = this.#awaitedKeys.slice(this.#firstAwaited);
      this.#firstAwaited = 0;
    }
    return key?.tokenNumber === this.#consumed ? key : undefined;
  }

  #fetch() {
    this.#skipToToken();
    const cursor = this.#cursor;
    this.#closeBlocks(cursor.column);
    // The loader has four characters available before it examines a token; an unreadable one among
    // them stops it.
    cursor.code(3);
    const unit = cursor.code();
    if (unit === 0) return this.#fetchStreamEnd();
    if (cursor.column === 0 && unit === 0x25) return this.#fetchDirective();
    if (cursor.atDocumentIndicator()) return this.#fetchDocumentIndicator();
    switch (unit) {
      case 0x5b:
        return this.#openFlow('flow-sequence-start');
      case 0x7b:
        return this.#openFlow('flow-mapping-start');
      case 0x5d:
        return this.#closeFlow('flow-sequence-end');
      case 0x7d:
        return this.#closeFlow('flow-mapping-end');
      case 0x2c:
        return this.#fetchFlowEntry();
      case 0x2a:
      case 0x26:
        return this.#fetchProperty(scanAnchor);
      case 0x21:
        return this.#fetchProperty(scanTag);
      case 0x27:
      case 0x22:
        return this.#fetchQuoted();
    }
    const blankNext = isBlankOrEnd(cursor.code(1));
    if (unit === 0x2d && blankNext) return this.#fetchBlockEntry();
    if (unit === 0x3f && (this.#inFlow || blankNext)) return this.#fetchKey();
    if (unit === 0x3a && (this.#inFlow || blankNext)) return this.#fetchValue();
    if ((unit === 0x7c || unit === 0x3e) && !this.#inFlow) return this.#fetchBlockScalar();
    if (!cannotStartPlain.has(unit)) return this.#fetchPlain();
    throw scannerError(cursor, cursor.mark(), 'found character that cannot start any token');
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    while (true) {
      if (cursor.dropsFirstLetter() && !cursor.isEnd()) cursor.skip();
      cursor.skipSpaces();
      let unit = cursor.code();
      // A tab is white space only where no key can start; it never indents.
      while (unit === 0x20 || (unit === 0x09 && (this.#inFlow || !this.#simpleKeyAllowed))) {
        cursor.skip();
        unit = cursor.code();
      }
      if (unit === 0x23) {
        const start = cursor.offset;
        while (!isBreakOrEnd(cursor.code())) cursor.skip();
        this.comments.push({ start, end: cursor.offset });
        unit = cursor.code();
      }
      if (!isBreak(unit)) return;
      cursor.skipBreak();
      if (!this.#inFlow) this.#simpleKeyAllowed = true;
    }
  }

  #push(added: Token): void {
    this.#queue.push(added);
  }

  /** Inserts a token before the one with that number. */
  #insert(added: Token, number: number): void {
    const queue = this.#queue;
    // Nothing can be inserted before a token that was consumed.
    const place = number < this.#consumed ? queue.length : this.#first + number - this.#consumed;
    queue.push(added);
    // Usually only the last token moves, for which `splice` would create an array.
    for (let at = queue.length - 1; at > place; at -= 1) queue[at] = queue[at - 1] ?? added;
    queue[place] = added;
  }

  #nextNumber(): number {
    return this.#consumed + this.#queue.length - this.#first;
  }

  #openBlock(mark: Mark, kind: TokenKind, number: number): void {
    if (this.#inFlow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (this.#indents.length > maxNesting)
      throw scannerError(this.#cursor, mark, `exceeded max depth of ${maxNesting}`);
    this.#insert(makeToken(kind, mark, mark), number);
  }

  #closeBlocks(column: number): void {
    if (this.#inFlow) return;
    while (this.#indent > column) {
      const mark = this.#cursor.mark();
      this.#push(makeToken('block-end', mark, mark));
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #isStillPossible(key: SimpleKey): boolean {
    const cursor = this.#cursor;
    if (key.mark.line === cursor.line && key.mark.index + maxSimpleKeyLength >= cursor.index)
      return true;
    if (key.required) throw unterminatedError(cursor, key.mark, "could not find expected ':'");
    this.#forgetKey(key);
    return false;
  }

  #forgetKey(key: SimpleKey): void {
    key.isAwaited = false;
    const level = this.#simpleKeys.lastIndexOf(key);
    if (level !== -1) this.#simpleKeys[level] = undefined;
  }

  /** Saves the token at the cursor as a key, if one may start there. */
  #saveKey(mark: Mark): SimpleKey | undefined {
    if (!this.#simpleKeyAllowed) return undefined;
    const required = !this.#inFlow && this.#indent === mark.column;
    this.#dropKey();
    const key = { required, tokenNumber: this.#nextNumber(), mark, isAwaited: true };
    this.#simpleKeys[this.#simpleKeys.length - 1] = key;
    this.#awaitedKeys.push(key);
    if (this.#inFlow) this.#levelKeys[this.#levelKeys.length - 1] = key;
    return key;
  }

  #dropKey(): void {
    const key = this.#simpleKeys.at(-1);
    if (key === undefined) return;
    if (key.required)
      throw unterminatedError(this.#cursor, key.mark, "could not find expected ':'");
    this.#forgetKey(key);
  }

  /** Ends all blocks before a line that belongs to no document, or begins or ends one. */
  #endBlocks(): void {
    this.#closeBlocks(-1);
    this.#dropKey();
    this.#simpleKeyAllowed = false;
  }

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line += 1;
    }
    this.#endBlocks();
    const mark = cursor.mark();
    this.#push(makeToken('stream-end', mark, mark));
  }

  #fetchDirective(): void {
    this.#endBlocks();
    this.#push(scanDirective(this.#cursor, (span) => this.comments.push(span)));
  }

  #fetchDocumentIndicator(): void {
    const cursor = this.#cursor;
    this.#endBlocks();
    const start = cursor.mark();
    const kind = cursor.code() === 0x2d ? 'document-start' : 'document-end';
    cursor.skipBy(3);
    this.#push(makeToken(kind, start, cursor));
  }

  #openFlow(kind: TokenKind): void {
    const start = this.#cursor.mark();
    const key = this.#saveKey(start);
    this.#simpleKeys.push(undefined);
    this.#levelKeys.push(key);
    if (this.#simpleKeys.length - 1 > maxNesting)
      throw scannerError(this.#cursor, start, `exceeded max depth of ${maxNesting}`);
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator(kind, start);
  }

  #closeFlow(kind: TokenKind): void {
    this.#dropKey();
    if (this.#inFlow) this.#simpleKeys.pop();
    // Brackets without a key inside drop the key that started at the bracket, so `[]: x` is not an
    // entry: the loader does not look for the colon after it.
    const key = this.#levelKeys.pop();
    if (key !== undefined) key.isAwaited = false;
    this.#simpleKeyAllowed = false;
    this.#fetchIndicator(kind);
  }

  #fetchFlowEntry(): void {
    this.#dropKey();
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator('flow-entry');
  }

  /** Opens a block at the cursor unless it is open; brackets contain no blocks. */
  #openBlockHere(kind: TokenKind, content: string): void {
    if (this.#inFlow) return;
    const mark = this.#cursor.mark();
    if (!this.#simpleKeyAllowed)
      throw scannerError(this.#cursor, mark, `${content} are not allowed in this context`);
    this.#openBlock(mark, kind, this.#nextNumber());
  }

  #fetchBlockEntry(): void {
    this.#openBlockHere('block-sequence-start', 'block sequence entries');
    this.#dropKey();
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator('block-entry');
  }

  #fetchKey(): void {
    this.#openBlockHere('block-mapping-start', 'mapping keys');
    this.#dropKey();
    this.#simpleKeyAllowed = !this.#inFlow;
    this.#fetchIndicator('key');
  }

  #fetchValue(): void {
    const key = this.#simpleKeys.at(-1);
    if (key !== undefined && this.#isStillPossible(key)) {
      this.#insert(makeToken('key', key.mark, key.mark), key.tokenNumber);
      this.#openBlock(key.mark, 'block-mapping-start', key.tokenNumber);
      this.#forgetKey(key);
      this.#simpleKeyAllowed = false;
    } else {
      this.#openBlockHere('block-mapping-start', 'mapping values');
      this.#simpleKeyAllowed = !this.#inFlow;
    }
    this.#fetchIndicator('value');
  }

  #fetchIndicator(kind: TokenKind, start = this.#cursor.mark()): void {
    this.#cursor.skip();
    this.#push(makeToken(kind, start, this.#cursor));
  }

  #fetchProperty(scan: (cursor: TextCursor) => Token): void {
    this.#saveKey(this.#cursor.mark());
    this.#simpleKeyAllowed = false;
    this.#push(scan(this.#cursor));
  }

  #fetchQuoted(): void {
    const start = this.#cursor.mark();
    this.#saveKey(start);
    this.#simpleKeyAllowed = false;
    const scalar = scanQuoted(this.#cursor, start);
    this.#push(scalarToken(scalar, start, this.#cursor));
  }

  #fetchPlain(): void {
    const start = this.#cursor.mark();
    this.#saveKey(start);
    this.#simpleKeyAllowed = false;
    const plain = scanPlain(this.#cursor, start, { indent: this.#indent, flow: this.#inFlow });
    this.#push(plain.token);
    if (plain.endsLine) this.#simpleKeyAllowed = true;
  }

  #fetchBlockScalar(): void {
    this.#dropKey();
    this.#simpleKeyAllowed = true;
    const start = this.#cursor.mark();
    const block = scanBlock(this.#cursor, this.#indent, (span) => this.comments.push(span));
    this.#push(scalarToken(block.content, start, block.end));
  }
}

/** Characters that cannot start a plain scalar. */
const cannotStartPlain: ReadonlySet<number> = new Set(
  Array.from('\t,[]{}#&*!|>\'"%@`', (letter) => letter.charCodeAt(0)),
);
