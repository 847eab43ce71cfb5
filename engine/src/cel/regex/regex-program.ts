/**
 * Prepares the program of a compiled regular expression for automata: its instructions in arrays, the edges that lead
 * to each of them, and the classes of characters that no instruction distinguishes. An automaton whose transitions
 * depend on classes has few transitions, whatever the characters of a string are.
 */

import { once } from '../../source/once.ts';

/** The instructions of RE2, numbered as in re2js. */
const opcodes = {
  alternative: 1,
  alternativeMatch: 2,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  firstRune: 8,
  anyRune: 10,
  anyRuneButNewline: 11,
} as const;

/** The part of a re2js program that automata need. */
export interface SourceProgram {
  readonly start: number;
  readonly inst: readonly SourceInstruction[];
}

interface SourceInstruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(codePoint: number): boolean;
}

/** What an automaton does at an instruction. */
export const kinds = { nop: 0, branch: 1, assert: 2, read: 3, match: 4, fail: 5 } as const;

/** Assertions of RE2: bits of an `emptyWidth` instruction. */
const assertions = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/** The properties of a character that assertions depend on: bits of a context. */
const contexts = { edge: 1, newline: 2, word: 4 } as const;

/** The class of the positions before the first and after the last character of a string. */
export const edgeClass = 0;

/** The maximum number of cached characters beyond ASCII. */
const maxWideCharacters = 4096;

/** The maximum number of classes times tests that are cached after a search. */
const maxClassEntries = 65_536;

/** The steps that finding the class of a character counts for. */
const stepsOfClass = 20;
const stepsOfTest = 4;

const unknown = -1;
const asciiSize = 128;

/** Counts what a search does. A step takes at most about 10 nanoseconds. */
export interface Work {
  steps: number;
}

/** A search in a string, and the maximum number of its steps. */
export interface Search {
  readonly text: string;
  readonly work: Work;
  readonly maxSteps: number;
}

export class RegexProgram {
  readonly start: number;
  readonly size: number;
  readonly kinds: Uint8Array;
  /** The next instruction. */
  readonly next: Int32Array;
  /** The second choice of a branch, or the assertions that must hold. */
  readonly arguments: Int32Array;
  /** All assertions of the program. */
  readonly assertions: number;
  readonly matches: readonly number[] = [];
  /** `edges[edgeStarts[n]]` to `edges[edgeStarts[n + 1] - 1]` lead to the instruction `n`. */
  readonly edgeStarts: Int32Array;
  readonly edges: Int32Array;
  /** Classes of ASCII characters, -1 until they are computed. */
  readonly asciiClasses = new Int32Array(asciiSize).fill(unknown);
  readonly #wideClasses = new Map<number, number>();
  /** The test of each `read` instruction; instructions that read the same characters share one. */
  readonly #testOf: Int32Array;
  readonly #tests: readonly SourceInstruction[];
  readonly #classBySignature = new Map<string, number>();
  /** Which tests accept the characters of a class. */
  readonly #accepts: Uint8Array[] = [];
  readonly #contexts: number[] = [];

  constructor({ inst, start }: SourceProgram) {
    this.start = start;
    this.size = inst.length;
    this.kinds = Uint8Array.from(inst, ({ op }) => kindOf(op));
    this.next = Int32Array.from(inst, ({ out }) => out);
    this.arguments = Int32Array.from(inst, ({ arg }) => arg);
    this.matches = [...inst.keys()].filter((place) => this.kinds[place] === kinds.match);
    this.assertions = inst.reduce(
      (all, { op, arg }) => (op === opcodes.emptyWidth ? all | arg : all),
      0,
    );
    const { testOf, tests } = shareTests(inst, this.kinds);
    this.#testOf = testOf;
    this.#tests = tests;
    this.#accepts.push(new Uint8Array(tests.length));
    this.#contexts.push(this.#neededContext(contexts.edge));
    const { edgeStarts, edges } = incomingEdges(this);
    this.edgeStarts = edgeStarts;
    this.edges = edges;
  }

  /** Whether the classes take more memory than is cached. */
  get hasManyClasses(): boolean {
    return this.#accepts.length * this.#tests.length > maxClassEntries;
  }

  /** Drops all classes. Automata of the program that refer to them must be dropped, too. */
  dropClasses(): void {
    this.asciiClasses.fill(unknown);
    this.#wideClasses.clear();
    this.#classBySignature.clear();
    this.#accepts.length = edgeClass + 1;
    this.#contexts.length = edgeClass + 1;
  }

  /** Returns the class of a character. */
  classOf(codePoint: number, work: Work): number {
    const cached =
      codePoint < asciiSize ? this.asciiClasses[codePoint] : this.#wideClasses.get(codePoint);
    if (cached !== undefined && cached !== unknown) return cached;
    const characterClass = this.#findClass(codePoint, work);
    if (codePoint < asciiSize) this.asciiClasses[codePoint] = characterClass;
    else {
      if (this.#wideClasses.size >= maxWideCharacters) this.#wideClasses.clear();
      this.#wideClasses.set(codePoint, characterClass);
    }
    return characterClass;
  }

  /**
   * Returns the code points at which a test may begin or cease to accept characters; all characters
   * between two of them are alike for every test.
   */
  boundaries(): ReadonlySet<number> {
    const boundaries = new Set<number>();
    for (const test of this.#tests) {
      for (const boundary of boundariesOfTest(test)) boundaries.add(boundary);
    }
    return boundaries;
  }

  /** Whether an instruction reads the characters of a class. */
  reads(place: number, characterClass: number): boolean {
    return this.#accepts[characterClass]?.[this.#testOf[place] ?? 0] === 1;
  }

  contextOf(characterClass: number): number {
    return this.#contexts[characterClass] ?? 0;
  }

  /** The assertions that hold between two characters. */
  assertionsBetween(before: number, after: number): number {
    let holding = 0;
    if ((before & contexts.edge) !== 0) holding |= assertions.beginText | assertions.beginLine;
    if ((before & contexts.newline) !== 0) holding |= assertions.beginLine;
    if ((after & contexts.edge) !== 0) holding |= assertions.endText | assertions.endLine;
    if ((after & contexts.newline) !== 0) holding |= assertions.endLine;
    holding |=
      ((before ^ after) & contexts.word) === 0
        ? assertions.noWordBoundary
        : assertions.wordBoundary;
    return holding & this.assertions;
  }

  /**
   * Checks whether a match can only begin at the beginning of the string: no character is read
   * without that assertion.
   */
  beginsAtEdge(): boolean {
    const reached = new Set([this.start]);
    for (const place of reached) {
      const kind = this.kinds[place];
      const argument = this.arguments[place] ?? 0;
      if (kind === kinds.read || kind === kinds.match) return false;
      if (kind === kinds.fail) continue;
      if (kind === kinds.assert && (argument & assertions.beginText) !== 0) continue;
      reached.add(this.next[place] ?? 0);
      if (kind === kinds.branch) reached.add(argument);
    }
    return true;
  }

  #findClass(codePoint: number, work: Work): number {
    const tests = this.#tests;
    const context = this.#neededContext(contextOfCharacter(codePoint));
    let signature = String.fromCharCode(context);
    for (const test of tests) signature += test.matchRune(codePoint) ? '1' : '0';
    work.steps += stepsOfClass + stepsOfTest * tests.length;
    const existing = this.#classBySignature.get(signature);
    if (existing !== undefined) return existing;
    const accepts = Uint8Array.from(tests, (_, index) => (signature[index + 1] === '1' ? 1 : 0));
    const added = this.#accepts.push(accepts) - 1;
    this.#contexts.push(context);
    this.#classBySignature.set(signature, added);
    return added;
  }

  #neededContext(context: number): number {
    let needed = 0;
    if (this.assertions !== 0) needed |= contexts.edge;
    if ((this.assertions & (assertions.beginLine | assertions.endLine)) !== 0) {
      needed |= contexts.newline;
    }
    if ((this.assertions & (assertions.wordBoundary | assertions.noWordBoundary)) !== 0) {
      needed |= contexts.word;
    }
    return context & needed;
  }
}

const kindOf = (op: number): number => {
  switch (op) {
    case opcodes.alternative:
    case opcodes.alternativeMatch:
      return kinds.branch;
    case opcodes.emptyWidth:
      return kinds.assert;
    case opcodes.match:
      return kinds.match;
    case opcodes.fail:
      return kinds.fail;
    default:
      return op >= opcodes.firstRune ? kinds.read : kinds.nop;
  }
};

const contextOfCharacter = (codePoint: number): number => {
  if (codePoint === 10) return contexts.newline;
  const isWord =
    (codePoint >= 48 && codePoint <= 57) ||
    (codePoint >= 65 && codePoint <= 90) ||
    codePoint === 95 ||
    (codePoint >= 97 && codePoint <= 122);
  return isWord ? contexts.word : 0;
};

const shareTests = (
  inst: readonly SourceInstruction[],
  kindOfPlace: Uint8Array,
): { readonly testOf: Int32Array; readonly tests: readonly SourceInstruction[] } => {
  const testOf = new Int32Array(inst.length);
  const tests: SourceInstruction[] = [];
  const byKey = new Map<string, number[]>();
  for (const [place, instruction] of inst.entries()) {
    if (kindOfPlace[place] !== kinds.read) continue;
    const key = keyOfTest(instruction);
    const alike = byKey.get(key) ?? [];
    byKey.set(key, alike);
    let test = alike.find((index) => haveSameRunes(tests[index], instruction));
    if (test === undefined) {
      test = tests.push(instruction) - 1;
      alike.push(test);
    }
    testOf[place] = test;
  }
  return { testOf, tests };
};

/**
 * Identifies the characters that a `read` instruction accepts. Its argument contains flags; `.` has
 * no list of characters.
 */
const keyOfTest = ({ op, arg, runes }: SourceInstruction): string => {
  const any = op === opcodes.anyRune || op === opcodes.anyRuneButNewline ? op : 0;
  return `${any} ${arg} ${runes.length} ${runes[0]} ${runes[runes.length >> 1]} ${runes.at(-1)}`;
};

/** A code point above every character that has another case. */
const afterCasedCharacters = 0x1ea00;

/** All characters that have another case. */
const casedCharacters = once((): readonly number[] => {
  const cased: number[] = [];
  for (let codePoint = 0; codePoint < afterCasedCharacters; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (character.toLowerCase() !== character || character.toUpperCase() !== character) {
      cased.push(codePoint);
    }
  }
  return cased;
});

/** The flag of an instruction that reads a single character in upper and lower case. */
const ignoresCase = 1;

const boundariesOfTest = (test: SourceInstruction): readonly number[] => {
  const { op, arg, runes } = test;
  if (op === opcodes.anyRune) return [];
  if (op === opcodes.anyRuneButNewline) return [10, 11];
  if (runes.length !== 1) return Array.from(runes, (rune, index) => rune + (index % 2));
  const [rune = 0] = runes;
  const boundaries = [rune, rune + 1];
  if ((arg & ignoresCase) === 0) return boundaries;
  for (const codePoint of casedCharacters()) {
    if (test.matchRune(codePoint)) boundaries.push(codePoint, codePoint + 1);
  }
  return boundaries;
};

const haveSameRunes = (a: SourceInstruction | undefined, b: SourceInstruction): boolean =>
  a !== undefined &&
  (a.runes === b.runes ||
    (a.runes.length === b.runes.length && a.runes.every((rune, index) => rune === b.runes[index])));

const incomingEdges = ({
  size,
  kinds: kindOfPlace,
  next,
  arguments: seconds,
}: RegexProgram): { readonly edgeStarts: Int32Array; readonly edges: Int32Array } => {
  const edgeStarts = new Int32Array(size + 1);
  const forEachEdge = (visit: (from: number, to: number) => void): void => {
    for (let place = 0; place < size; place++) {
      const kind = kindOfPlace[place];
      if (kind === kinds.match || kind === kinds.fail) continue;
      visit(place, next[place] ?? 0);
      if (kind === kinds.branch) visit(place, seconds[place] ?? 0);
    }
  };
  forEachEdge((_, to) => {
    edgeStarts[to + 1] = (edgeStarts[to + 1] ?? 0) + 1;
  });
  for (let place = 0; place < size; place++) {
    edgeStarts[place + 1] = (edgeStarts[place + 1] ?? 0) + (edgeStarts[place] ?? 0);
  }
  const filled = edgeStarts.slice();
  const edges = new Int32Array(edgeStarts[size] ?? 0);
  forEachEdge((from, to) => {
    const index = filled[to] ?? 0;
    edges[index] = from;
    filled[to] = index + 1;
  });
  return { edgeStarts, edges };
};
