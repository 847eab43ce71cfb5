/**
 * A position in a YAML text that moves forward. Lines and columns are counted as in YAML 1.1: a
 * line ends at LF, CR, CR LF, NEL, LS or PS, and a column is a code point.
 */

export interface Mark {
  /** Offset in UTF-16 units. */
  readonly offset: number;
  /** Number of code points before the position. */
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** A syntax error with its position. `reason` is the loader's message without `yaml: `. */
export class YamlError extends Error {
  readonly reason: string;
  readonly start: number;
  readonly end: number;
  /** The start of the construct with the error. */
  readonly contextStart: number | undefined;
  constructor(reason: string, start: number, end: number, contextStart?: number) {
    super(reason);
    this.reason = reason;
    this.start = start;
    this.end = end;
    this.contextStart = contextStart;
  }
}

export class TextCursor {
  readonly text: string;
  offset = 0;
  line = 0;
  column = 0;
  readonly #hasSecondMark: boolean;
  /** Offset from which the text cannot be read; the length of a valid text. */
  readonly #readable: number;
  readonly #badCharacter: number;
  /** Surrogate pairs so far: the difference between offset and code point index. */
  #pairs = 0;

  constructor(text: string) {
    this.text = text;
    const firstBad = firstForbidden(text);
    this.#badCharacter = firstBad;
    this.#readable = firstBad === -1 ? text.length : startOfBlock(text, firstBad);
    if (text.charCodeAt(0) === 0xfeff) this.offset = 1;
    this.#hasSecondMark = this.offset === 1 && text.charCodeAt(1) === 0xfeff;
  }

  mark(): Mark {
    return {
      offset: this.offset,
      index: this.offset - this.#pairs,
      line: this.line,
      column: this.column,
    };
  }

  get index(): number {
    return this.offset - this.#pairs;
  }

  /** Returns the code unit `ahead` of the cursor; 0 after the end. */
  code(ahead = 0): number {
    const at = this.offset + ahead;
    if (at < this.#readable) return this.text.charCodeAt(at);
    if (this.#badCharacter === -1) return 0;
    throw new YamlError(
      'control characters are not allowed',
      this.#badCharacter,
      this.#badCharacter + 1,
    );
  }

  isEnd(ahead = 0): boolean {
    return this.code(ahead) === 0;
  }

  /** Skips a code point. */
  skip(): void {
    const unit = this.code();
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(this.code(1))) {
      this.offset += 2;
      this.#pairs += 1;
    } else this.offset += 1;
    this.column += 1;
  }

  /** Skips the characters of a set, which are ASCII and no line breaks. */
  skipAll(set: AsciiSet): void {
    const { text } = this;
    let at = this.offset;
    for (; at < this.#readable; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80 || set[unit] === 0) break;
    }
    this.column += at - this.offset;
    this.offset = at;
  }

  skipBy(count: number): void {
    for (let remaining = count; remaining > 0; remaining -= 1) this.skip();
  }

  /** Skips a line break, if there is one, and returns its decoded form. */
  skipBreak(): string {
    const unit = this.code();
    if (!isBreak(unit)) return '';
    this.offset += unit === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line += 1;
    this.column = 0;
    return unit === 0x2028 || unit === 0x2029 ? String.fromCharCode(unit) : '\n';
  }

  /**
   * Returns true if the YAML loader drops the next character: after two byte order marks it drops
   * the first character of every line in its first block.
   */
  dropsFirstLetter(): boolean {
    return this.#hasSecondMark && this.column === 0 && this.offset < blockBytes;
  }

  skipSpaces(): void {
    this.skipAll(spaces);
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.skip();
  }

  /** Returns true at `---` or `...` in the first column, followed by a blank or the end. */
  atDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const unit = this.code();
    return (
      (unit === 0x2d || unit === 0x2e) &&
      this.code(1) === unit &&
      this.code(2) === unit &&
      isBlankOrEnd(this.code(3))
    );
  }
}

/** A set of ASCII characters: 1 for each member. */
export type AsciiSet = Uint8Array;

/** Creates the set of all printable characters except these and the space. */
export const printableExcept = (excluded: string): AsciiSet =>
  Uint8Array.from({ length: 0x80 }, (_, unit) =>
    unit > 0x20 && unit < 0x7f && !excluded.includes(String.fromCharCode(unit)) ? 1 : 0,
  );

const spaces: AsciiSet = Uint8Array.from({ length: 0x80 }, (_, unit) => (unit === 0x20 ? 1 : 0));

export const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09;

export const isBreak = (unit: number): boolean =>
  unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029;

export const isBreakOrEnd = (unit: number): boolean => unit === 0 || isBreak(unit);

export const isBlankOrEnd = (unit: number): boolean => isBlank(unit) || isBreakOrEnd(unit);

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/**
 * Returns true for letters, digits, `_` and `-`, which anchors, tag handles and directives consist
 * of.
 */
export const isWordCharacter = (unit: number): boolean =>
  isDigit(unit) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x61 && unit <= 0x7a) ||
  unit === 0x5f ||
  unit === 0x2d;

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

const firstForbidden = (text: string): number => forbidden.exec(text)?.index ?? -1;

/** The YAML loader decodes this many bytes at a time. */
const blockBytes = 512;

/**
 * Returns the start of the block that contains a forbidden character: the loader decodes a block
 * before it scans it, so the character is reported before any other error in its block.
 */
const startOfBlock = (text: string, badOffset: number): number => {
  let bytes = 0;
  let start = 0;
  let startBytes = 0;
  for (let at = 0; at < badOffset; at += 1) {
    const width = utf8Width(text, at);
    if (bytes + width - startBytes > blockBytes) {
      start = at;
      startBytes = bytes;
    }
    bytes += width;
    if (width === 4) at += 1;
  }
  return bytes + 1 - startBytes > blockBytes ? badOffset : start;
};

const utf8Width = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1)) ? 4 : 3;
};
