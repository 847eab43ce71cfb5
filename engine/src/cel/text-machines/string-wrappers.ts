/**
 * Functions of strings as wrappers of machines: the wrapped machine reads a string and answers as the inner machine
 * answers for the result of the function.
 */
import { isSpace } from '../../formats/go-space.ts';
import {
  boundariesAround,
  codePointsOf,
  errorAnswer,
  runMachine,
  StateNumbers,
  type StringMachine,
} from './string-machine.ts';

/** A function of strings. Wrappers with equal keys are the same function. */
export interface StringWrapper {
  readonly key: string;
  /** What every result begins with. */
  readonly prefix?: string;
  /** What is appended to the string; only for a function that does nothing else. */
  readonly suffix?: string;
  wrap(inner: StringMachine): StringMachine;
}

/** The function `'prefix' + x`. */
export const prefixWrapper = (prefix: string): StringWrapper => ({
  key: `prefix ${JSON.stringify(prefix)}`,
  prefix,
  wrap: (inner) => ({ ...inner, start: runMachine(inner, inner.start, prefix) }),
});

/** The function `x + 'suffix'`. */
export const suffixWrapper = (suffix: string): StringWrapper => ({
  key: `suffix ${JSON.stringify(suffix)}`,
  suffix,
  wrap: (inner) => ({
    ...inner,
    answer: (state) => inner.answer(runMachine(inner, state, suffix)),
  }),
});

/** The function `x.lowerAscii()`. */
export const lowerWrapper: StringWrapper = {
  key: 'lowerAscii',
  wrap: (inner) => wrapCase(inner, { first: 0x41, shift: 0x20 }),
};

/** The function `x.upperAscii()`. */
export const upperWrapper: StringWrapper = {
  key: 'upperAscii',
  wrap: (inner) => wrapCase(inner, { first: 0x61, shift: -0x20 }),
};

/** The part of a string from `start` to `end`; an error if the string is shorter than `shortest`. */
export interface StringPart {
  readonly start: number;
  readonly end: number;
  readonly shortest: number;
}

/** The functions `x.substring(…)` and `x.charAt(…)`. */
export const partWrapper = ({ start, end, shortest }: StringPart): StringWrapper => ({
  key: `part ${start} ${end} ${shortest}`,
  wrap(inner) {
    const states = new StateNumbers();
    const limit = Math.max(start, shortest, Number.isFinite(end) ? end : 0);
    return {
      start: states.numberOf(0, inner.start),
      step(state, codePoint) {
        const [length = 0, before = 0] = states.stateOf(state);
        const isInside = length >= start && length < end;
        return states.numberOf(
          Math.min(length + 1, limit),
          isInside ? inner.step(before, codePoint) : before,
        );
      },
      answer(state) {
        const [length = 0, reached = 0] = states.stateOf(state);
        return length < shortest ? errorAnswer : inner.answer(reached);
      },
      boundaries: inner.boundaries,
      classOf: (codePoint) => inner.classOf(codePoint),
    };
  },
});

/** The function `x.trim()`. */
export const trimWrapper: StringWrapper = {
  key: 'trim',
  wrap(inner) {
    const states = new StateNumbers();
    return {
      // The inner state without the spaces at the end, the state with them, and whether to ignore spaces.
      start: states.numberOf(inner.start, inner.start, 1),
      step(state, codePoint) {
        const [trimmed = 0, reached = 0, isBefore = 0] = states.stateOf(state);
        if (!isSpaceCharacter(codePoint)) {
          const next = inner.step(reached, codePoint);
          return states.numberOf(next, next, 0);
        }
        return isBefore === 1 ? state : states.numberOf(trimmed, inner.step(reached, codePoint), 0);
      },
      answer: (state) => inner.answer(states.stateOf(state)[0] ?? 0),
      boundaries: new Set([...inner.boundaries, ...boundariesAround(spaces)]),
      classOf: (codePoint) =>
        `${isSpaceCharacter(codePoint) ? 's' : ''}${inner.classOf(codePoint)}`,
    };
  },
};

/** The function `x.replace(old, by)`; `old` is not empty. */
export const replaceWrapper = (old: string, by: string): StringWrapper => ({
  key: `replace ${JSON.stringify([old, by])}`,
  wrap(inner) {
    const states = new StateNumbers();
    const scanner = new LiteralScanner(old);
    return {
      start: states.numberOf(0, inner.start),
      step(state, codePoint) {
        const [pending = 0, before = 0] = states.stateOf(state);
        const scan = scanner.step(pending, codePoint);
        let reached = before;
        for (const passed of scan.passed) reached = inner.step(reached, passed);
        if (scan.isMatch) reached = runMachine(inner, reached, by);
        return states.numberOf(scan.pending, reached);
      },
      answer(state) {
        const [pending = 0, before = 0] = states.stateOf(state);
        let reached = before;
        for (const passed of scanner.rest(pending)) reached = inner.step(reached, passed);
        return inner.answer(reached);
      },
      boundaries: new Set([...inner.boundaries, ...scanner.boundaries]),
      classOf: (codePoint) => `${scanner.classOf(codePoint)} ${inner.classOf(codePoint)}`,
    };
  },
});

/** The function `x.split(separator)[index]`; the separator is not empty. */
export const splitWrapper = (separator: string, index: number): StringWrapper => ({
  key: `split ${JSON.stringify(separator)} ${index}`,
  wrap(inner) {
    const states = new StateNumbers();
    const scanner = new LiteralScanner(separator);
    const read = (part: number, before: number, passed: readonly number[]): number =>
      part === index ? passed.reduce((state, unit) => inner.step(state, unit), before) : before;
    return {
      start: states.numberOf(0, 0, inner.start),
      step(state, codePoint) {
        const [part = 0, pending = 0, before = 0] = states.stateOf(state);
        if (part > index) return state;
        const scan = scanner.step(pending, codePoint);
        const next = part + (scan.isMatch ? 1 : 0);
        return states.numberOf(next, scan.pending, read(part, before, scan.passed));
      },
      answer(state) {
        const [part = 0, pending = 0, before = 0] = states.stateOf(state);
        if (part < index) return errorAnswer;
        return inner.answer(read(part, before, scanner.rest(pending)));
      },
      boundaries: new Set([...inner.boundaries, ...scanner.boundaries]),
      classOf: (codePoint) => `${scanner.classOf(codePoint)} ${inner.classOf(codePoint)}`,
    };
  },
});

/** Creates a machine that answers how many parts `x.split(separator)` has, at most `limit`. */
export const partCountMachine = (separator: string, limit: number): StringMachine => {
  const states = new StateNumbers();
  const scanner = new LiteralScanner(separator);
  return {
    start: states.numberOf(1, 0),
    step(state, codePoint) {
      const [count = 0, pending = 0] = states.stateOf(state);
      if (count >= limit) return state;
      const scan = scanner.step(pending, codePoint);
      return states.numberOf(count + (scan.isMatch ? 1 : 0), scan.pending);
    },
    answer: (state) => String(states.stateOf(state)[0]),
    boundaries: scanner.boundaries,
    classOf: (codePoint) => scanner.classOf(codePoint),
  };
};

/** What a scanner does at a code point. */
interface Scan {
  /** The code points that are certainly outside of a match. */
  readonly passed: readonly number[];
  readonly isMatch: boolean;
  /** How many code points may begin a match. */
  readonly pending: number;
}

/** Finds the occurrences of a literal from left to right, without overlaps. */
class LiteralScanner {
  readonly boundaries: ReadonlySet<number>;
  readonly #literal: readonly number[];

  constructor(literal: string) {
    this.#literal = codePointsOf(literal);
    this.boundaries = boundariesAround(this.#literal);
  }

  step(pending: number, codePoint: number): Scan {
    const read = [...this.#literal.slice(0, pending), codePoint];
    if (read.length === this.#literal.length && this.#isPrefix(read)) {
      return { passed: [], isMatch: true, pending: 0 };
    }
    let passed = 0;
    while (!this.#isPrefix(read.slice(passed))) passed++;
    return { passed: read.slice(0, passed), isMatch: false, pending: read.length - passed };
  }

  /** Returns the code points that did not become a match at the end of the string. */
  rest(pending: number): readonly number[] {
    return this.#literal.slice(0, pending);
  }

  classOf(codePoint: number): string {
    return String(this.#literal.indexOf(codePoint));
  }

  #isPrefix(read: readonly number[]): boolean {
    return read.every((codePoint, index) => codePoint === this.#literal[index]);
  }
}

/** Converts the 26 letters from `first` on. */
const wrapCase = (
  inner: StringMachine,
  { first, shift }: { readonly first: number; readonly shift: number },
): StringMachine => {
  const convert = (codePoint: number): number =>
    codePoint >= first && codePoint < first + 26 ? codePoint + shift : codePoint;
  const boundaries = new Set([...inner.boundaries, first, first + 26]);
  for (const boundary of inner.boundaries) {
    const original = boundary - shift;
    if (original >= first && original <= first + 26) boundaries.add(original);
  }
  return {
    start: inner.start,
    step: (state, codePoint) => inner.step(state, convert(codePoint)),
    answer: (state) => inner.answer(state),
    boundaries,
    classOf: (codePoint) => inner.classOf(convert(codePoint)),
  };
};

const isSpaceCharacter = (codePoint: number): boolean => codePoint <= 0xffff && isSpace(codePoint);

/** All white space characters; the last one is U+3000. */
const spaces = Array.from({ length: 0x3001 }, (_, codePoint) => codePoint).filter(isSpaceCharacter);
