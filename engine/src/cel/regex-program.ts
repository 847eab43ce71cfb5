/** Common regular expressions -> instructions of a small machine. Anything uncommon gives nothing. */

/** What the machine does at a place. */
export type Instruction =
  | { readonly kind: 'character'; readonly fits: (code: number) => boolean }
  | { readonly kind: 'split'; readonly first: number; readonly second: number }
  | { readonly kind: 'jump'; readonly to: number }
  /** Only at the very start, or only at the very end of a text. */
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'match' };

/** Most instructions; a larger expression is left to the general engine. */
const maxInstructions = 600;
const maxRepeat = 64;

type CharacterTest = (code: number) => boolean;

type Piece =
  | { readonly kind: 'character'; readonly fits: CharacterTest }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly part: Piece; readonly min: number; readonly max: number };

/** Reads an expression that the general engine accepts. */
export const parseRegexProgram = (pattern: string): readonly Instruction[] | undefined => {
  const reader = new Reader(pattern);
  try {
    const piece = reader.choice(true);
    if (!reader.atEnd) return undefined;
    const program: Instruction[] = [];
    emit(program, piece);
    return [...program, { kind: 'match' }];
  } catch (error) {
    if (error instanceof Uncommon) return undefined;
    throw error;
  }
};

/** Thrown inside this file when an expression has something that it does not know. */
class Uncommon extends Error {}

const isDigit: CharacterTest = (code) => code >= 48 && code <= 57;
const isWord: CharacterTest = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: CharacterTest = (code) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const not =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    !test(code);

const classes: ReadonlyMap<string, CharacterTest> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['f', 12],
  ['r', 13],
]);

const anyButNewline: CharacterTest = (code) => code !== 10;

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get atEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** Alternatives. `isFirst`: nothing can stand before them. */
  choice(isFirst: boolean): Piece {
    const parts = [this.#sequence(isFirst)];
    while (this.#take('|')) parts.push(this.#sequence(isFirst));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'choice', parts };
  }

  #sequence(isFirst: boolean): Piece {
    const parts: Piece[] = [];
    while (!this.atEnd && !'|)'.includes(this.#peek())) {
      parts.push(this.#repeated(isFirst && parts.every((part) => part.kind === 'start')));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(isFirst: boolean): Piece {
    const part = this.#atom(isFirst);
    const range = this.#range();
    if (range === undefined) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new Uncommon();
    // Whether it prefers more or less makes no difference for a test.
    this.#take('?');
    return { kind: 'repeat', part, ...range };
  }

  #range(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#peek() !== '{') return undefined;
    const match = /^\{([0-9]+)(,?)([0-9]*)\}/.exec(this.#pattern.slice(this.#at));
    if (match === null) throw new Uncommon();
    const [whole, minimum = '', comma, maximum = ''] = match;
    this.#at += whole.length;
    const min = Number(minimum);
    const upper = maximum === '' ? Number.POSITIVE_INFINITY : Number(maximum);
    const max = comma === '' ? min : upper;
    if (min > maxRepeat || (max > maxRepeat && Number.isFinite(max))) throw new Uncommon();
    return { min, max };
  }

  #atom(isFirst: boolean): Piece {
    const character = this.#next();
    switch (character) {
      case '(':
        return this.#group(isFirst);
      case '[':
        return { kind: 'character', fits: this.#class() };
      case '.':
        return { kind: 'character', fits: anyButNewline };
      case '^':
        if (!isFirst) throw new Uncommon();
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return { kind: 'character', fits: this.#escape() };
      case '{':
      case '*':
      case '+':
      case '?':
        throw new Uncommon();
      default:
        return { kind: 'character', fits: exactly(this.#codeOf(character)) };
    }
  }

  #group(isFirst: boolean): Piece {
    if (this.#peek() === '?') {
      const head = /^\?(?::|P?<\w+>)/.exec(this.#pattern.slice(this.#at));
      if (head === null) throw new Uncommon();
      this.#at += head[0].length;
    }
    const piece = this.choice(isFirst);
    if (!this.#take(')')) throw new Uncommon();
    return piece;
  }

  /** A class, or a character that the backslash takes literally. */
  #escape(): CharacterTest {
    const character = this.#next();
    const known = classes.get(character);
    if (known !== undefined) return known;
    return exactly(this.#literalEscape(character));
  }

  #literalEscape(character: string): number {
    const control = controls.get(character);
    if (control !== undefined) return control;
    if (/[A-Za-z0-9]/.test(character)) throw new Uncommon();
    return this.#codeOf(character);
  }

  #class(): CharacterTest {
    const negated = this.#take('^');
    const tests: CharacterTest[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      isFirst = false;
      tests.push(this.#classItem());
    }
    this.#at++;
    const fits: CharacterTest = (code) => tests.some((test) => test(code));
    return negated ? not(fits) : fits;
  }

  #classItem(): CharacterTest {
    const character = this.#next();
    if (character === '[' && this.#peek() === ':') throw new Uncommon();
    let low = 0;
    if (character === '\\') {
      const escaped = this.#next();
      const known = classes.get(escaped);
      if (known !== undefined) return known;
      low = this.#literalEscape(escaped);
    } else low = this.#codeOf(character);
    if (this.#peek() !== '-' || this.#pattern.charAt(this.#at + 1) === ']') return exactly(low);
    this.#at++;
    const end = this.#next();
    const high = end === '\\' ? this.#literalEscape(this.#next()) : this.#codeOf(end);
    return (code) => code >= low && code <= high;
  }

  /** Characters beyond the basic plane are two units, which this machine does not know. */
  #codeOf(character: string): number {
    const code = character.charCodeAt(0);
    if (Number.isNaN(code) || (code >= 0xd800 && code <= 0xdfff)) throw new Uncommon();
    return code;
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #next(): string {
    if (this.atEnd) throw new Uncommon();
    return this.#pattern.charAt(this.#at++);
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}

const exactly =
  (wanted: number): CharacterTest =>
  (code) =>
    code === wanted;

const emit = (program: Instruction[], piece: Piece): void => {
  if (program.length > maxInstructions) throw new Uncommon();
  switch (piece.kind) {
    case 'character':
      program.push(piece);
      return;
    case 'start':
    case 'end':
      program.push({ kind: piece.kind });
      return;
    case 'sequence':
      for (const part of piece.parts) emit(program, part);
      return;
    case 'choice':
      emitChoice(program, piece.parts);
      return;
    case 'repeat':
      emitRepeat(program, piece);
      return;
  }
};

const emitChoice = (program: Instruction[], parts: readonly Piece[]): void => {
  const [first, ...others] = parts;
  if (first === undefined) return;
  if (others.length === 0) {
    emit(program, first);
    return;
  }
  const split = program.length;
  program.push({ kind: 'jump', to: 0 });
  emit(program, first);
  const leave = program.length;
  program.push({ kind: 'jump', to: 0 });
  program[split] = { kind: 'split', first: split + 1, second: program.length };
  emitChoice(program, others);
  program[leave] = { kind: 'jump', to: program.length };
};

const emitRepeat = (
  program: Instruction[],
  { part, min, max }: Extract<Piece, { kind: 'repeat' }>,
): void => {
  for (let count = 0; count < min; count++) emit(program, part);
  if (max === Number.POSITIVE_INFINITY) {
    const loop = program.length;
    program.push({ kind: 'jump', to: 0 });
    emit(program, part);
    program.push({ kind: 'jump', to: loop });
    program[loop] = { kind: 'split', first: loop + 1, second: program.length };
    return;
  }
  const leaves: number[] = [];
  for (let count = min; count < max; count++) {
    leaves.push(program.length);
    program.push({ kind: 'jump', to: 0 });
    emit(program, part);
  }
  for (const leave of leaves) {
    program[leave] = { kind: 'split', first: leave + 1, second: program.length };
  }
};
