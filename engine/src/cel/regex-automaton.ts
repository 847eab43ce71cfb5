/**
 * A quick test for common regular expressions: the expression becomes a deterministic automaton, made
 * state by state while texts are read, so that each character costs one look into a table. It never
 * backtracks. What it does not know (flags, word boundaries, Unicode classes, back and forth) it leaves
 * to the general engine.
 */
import { type Instruction, parseRegexProgram } from './regex-program.ts';

/** Whether the expression fits anywhere in a text; `undefined` where the general engine must be asked. */
export type RegexTest = (text: string) => boolean | undefined;

/** Most states of one automaton. */
const maxStates = 500;

/** Most transitions kept for characters beyond ASCII. */
const maxWide = 4096;

const asciiSize = 128;
const unknown = -1;
/** No way leads from here to a match. */
const dead = 0;

/** Makes the test for an expression that is known to be a valid one; `undefined` if it is not a common one. */
export const compileAutomaton = (pattern: string): RegexTest | undefined => {
  const program = parseRegexProgram(pattern);
  if (program === undefined) return undefined;
  const automaton = new Automaton(program);
  return (text) => automaton.test(text);
};

interface State {
  /** Instructions that read a character, or wait for the end. */
  readonly places: readonly number[];
  readonly accepts: boolean;
  readonly acceptsAtEnd: boolean;
}

class Automaton {
  readonly #program: readonly Instruction[];
  readonly #states: State[] = [{ places: [], accepts: false, acceptsAtEnd: false }];
  readonly #byKey = new Map<string, number>([['', dead]]);
  readonly #isAnchored: boolean;
  readonly #wide = new Map<number, number>();
  #ascii = new Int16Array(asciiSize * 16).fill(unknown);
  readonly #start: number;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    this.#isAnchored = this.#closure([0], false).places.length === 0;
    this.#start = this.#stateOf(this.#closure([0], true));
  }

  test(text: string): boolean | undefined {
    const states = this.#states;
    let state = this.#start;
    if (states[state]?.accepts === true) return true;
    const { length } = text;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      let next =
        code < asciiSize
          ? (this.#ascii[state * asciiSize + code] ?? unknown)
          : this.#lookUp(state, code);
      if (next === unknown) {
        // Half of a pair is no character of its own.
        if (code >= 0xd800 && code <= 0xdfff) return undefined;
        next = this.#step(state, code);
        if (next === unknown) return undefined;
      }
      if (next === dead) return false;
      if (states[next]?.accepts === true) return true;
      state = next;
    }
    return states[state]?.acceptsAtEnd ?? false;
  }

  #lookUp(state: number, code: number): number {
    return this.#wide.get(state * 0x10000 + code) ?? unknown;
  }

  #step(state: number, code: number): number {
    const from = this.#states[state];
    if (from === undefined || this.#states.length >= maxStates) return unknown;
    const reached: number[] = this.#isAnchored ? [] : [0];
    for (const place of from.places) {
      const instruction = this.#program[place];
      if (instruction?.kind === 'character' && instruction.fits(code)) reached.push(place + 1);
    }
    const next = this.#stateOf(this.#closure(reached, false));
    if (code < asciiSize) this.#ascii[state * asciiSize + code] = next;
    else if (this.#wide.size < maxWide) this.#wide.set(state * 0x10000 + code, next);
    return next;
  }

  #stateOf(state: State): number {
    const key = state.accepts ? 'accepts' : state.places.join(' ');
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const index = this.#states.push(state) - 1;
    this.#byKey.set(key, index);
    if (this.#ascii.length < (index + 1) * asciiSize) {
      const grown = new Int16Array(this.#ascii.length * 2).fill(unknown);
      grown.set(this.#ascii);
      this.#ascii = grown;
    }
    return index;
  }

  /** Everything that is reached without reading. */
  #closure(from: readonly number[], atStart: boolean): State {
    const places = this.#reach(from, { atStart, atEnd: false });
    const ends = this.#reach([...places], { atStart, atEnd: true });
    const isMatch = (place: number): boolean => this.#program[place]?.kind === 'match';
    return {
      places: [...places]
        .filter((place) => {
          const kind = this.#program[place]?.kind;
          return kind === 'character' || kind === 'end';
        })
        .sort((a, b) => a - b),
      accepts: [...places].some(isMatch),
      acceptsAtEnd: [...ends].some(isMatch),
    };
  }

  #reach(
    from: readonly number[],
    at: { readonly atStart: boolean; readonly atEnd: boolean },
  ): ReadonlySet<number> {
    const seen = new Set<number>();
    const waiting = [...from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#program[place];
      if (instruction?.kind === 'split') waiting.push(instruction.first, instruction.second);
      if (instruction?.kind === 'jump') waiting.push(instruction.to);
      if (instruction?.kind === 'start' && at.atStart) waiting.push(place + 1);
      if (instruction?.kind === 'end' && at.atEnd) waiting.push(place + 1);
    }
    return seen;
  }
}
