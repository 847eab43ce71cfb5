/**
 * Estimates the size of an RE2 expression: the approximate number of instructions of its program,
 * without compiling it, because compiling takes the time. Repetitions multiply; character classes
 * that take long to build count for more.
 */

/** A class of Unicode characters. */
const unicodeClassSize = 256;
/** A range in a class whose other cases are looked up character by character. */
const foldedRangeSize = 4096;

const foldFlag = /\(\?[a-zA-Z]*i/;
const repetition = /\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/y;

/**
 * The size of a pattern, and the repetition that makes Go reject it: nested repetitions may repeat
 * at most 1000 times together.
 */
export interface RegexSize {
  readonly instructions: number;
  readonly invalidRepeat: string | undefined;
}

/** The maximum number of repetitions that Go accepts for nested repetitions. */
const maxNestedRepeat = 1000;

export const regexSize = (pattern: string): RegexSize => {
  const counter = new SizeCounter(pattern);
  const instructions = counter.count();
  return { instructions, invalidRepeat: counter.invalidRepeat };
};

class SizeCounter {
  readonly #pattern: string;
  readonly #folds: boolean;
  /** The sizes of the open groups, and of the expression itself. */
  readonly #groups = [0];
  /** The size of the atom that a following repetition repeats. */
  #atom = 0;
  /** How often repetitions in each open group repeat their atom at most. */
  readonly #groupRepeats = [1];
  #atomRepeat = 1;
  /** The end of the last repetition. */
  #repeatEnd = -1;
  invalidRepeat: string | undefined;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#folds = foldFlag.test(pattern);
  }

  count(): number {
    while (this.#at < this.#pattern.length) this.#next();
    return this.#groups.reduce((sum, size) => sum + size, 0);
  }

  #next(): void {
    const character = this.#pattern[this.#at++];
    if (character === '(') {
      this.#groups.push(2);
      this.#groupRepeats.push(1);
    } else if (character === ')') this.#closeGroup();
    else if (character === '[') this.#addClass(this.#class());
    else if (character === '\\') this.#addClass(this.#escape());
    else if (character === '{') this.#repeat();
    else this.#add(1);
  }

  #closeGroup(): void {
    if (this.#groups.length === 1) {
      this.#add(1);
      return;
    }
    this.#add(this.#groups.pop() ?? 0);
    this.#repeatAtom(this.#groupRepeats.pop() ?? 1);
  }

  #repeatAtom(times: number): void {
    this.#atomRepeat *= times;
    this.#groupRepeats.push(Math.max(this.#groupRepeats.pop() ?? 1, this.#atomRepeat));
  }

  #add(size: number): void {
    this.#atom = size;
    this.#atomRepeat = 1;
    this.#grow(size);
  }

  /** The characters of a class are listed once, however often it is repeated. */
  #addClass(size: number): void {
    this.#grow(size);
    this.#atom = 1;
    this.#atomRepeat = 1;
  }

  #grow(size: number): void {
    this.#groups.push((this.#groups.pop() ?? 0) + size);
  }

  #repeat(): void {
    repetition.lastIndex = this.#at - 1;
    const match = repetition.exec(this.#pattern);
    if (match === null) {
      this.#add(1);
      return;
    }
    this.#at = repetition.lastIndex;
    const times = Math.max(Number(match[1]), Number(match[2] ?? 0), 1);
    // A repetition of a repetition is a different error.
    if (match.index !== this.#repeatEnd) {
      this.#repeatAtom(times);
      if (this.#atomRepeat > maxNestedRepeat) this.invalidRepeat ??= match[0];
    }
    this.#repeatEnd = this.#at;
    this.#grow((this.#atom + 1) * times);
    this.#atom = (this.#atom + 1) * (times + 1);
  }

  #escape(): number {
    const letter = this.#pattern[this.#at++] ?? '';
    // The number in the braces of `\x{10}` is not a repetition.
    if (letter === 'x' && this.#pattern[this.#at] === '{') this.#at++;
    if (letter === 'p' || letter === 'P') {
      return unicodeClassSize * (this.#folds ? 2 : 1);
    }
    return this.#folds && 'WDS'.includes(letter) ? unicodeClassSize : 1;
  }

  /** Counts to the end of a class; a bracket directly at its start is part of it. */
  #class(): number {
    let size = 1;
    if (this.#pattern[this.#at] === '^') this.#at++;
    let isFirst = true;
    for (;;) {
      const from = this.#at;
      const character = this.#pattern[this.#at++];
      if (character === undefined || (character === ']' && !isFirst)) return size;
      isFirst = false;
      if (character === '\\') size += this.#escape();
      else if (character === '[' && this.#pattern[this.#at] === ':') {
        // The bracket that ends the named class ends the outer class here, and the next one counts
        // as a character.
        size += unicodeClassSize;
      } else size += 1;
      if (this.#folds) size += this.#foldedRange(from);
    }
  }

  /**
   * Returns what the end of a range adds if the range, which may begin before it, contains
   * characters beyond ASCII.
   */
  #foldedRange(from: number): number {
    if (this.#pattern[from - 1] !== '-') return 0;
    const isWide = this.#pattern.charCodeAt(from) > 0x7f || this.#pattern.startsWith('\\x', from);
    return isWide ? foldedRangeSize : 0;
  }
}
