/**
 * State machines that read a string one code point at a time and answer a question about it. Their number of states
 * is finite, so that a walk over all states sees every answer that any string can give.
 */

/** The answer for a string on which the expression has an error. */
export const errorAnswer = 'E';

export interface StringMachine {
  /** The state before the first code point. */
  readonly start: number;
  /** Returns the state after a code point. */
  step(state: number, codePoint: number): number;
  /** Returns the answer for a string that ends in a state. */
  answer(state: number): string;
  /** Every code point at which the class may differ from that of the code point before it. */
  readonly boundaries: ReadonlySet<number>;
  /** Returns the class of a code point: the machine treats code points of one class alike. */
  classOf(codePoint: number): string;
}

/** Returns the state after all code points of a string. */
export const runMachine = (machine: StringMachine, state: number, text: string): number => {
  let reached = state;
  for (const character of text) reached = machine.step(reached, character.codePointAt(0) ?? 0);
  return reached;
};

/** Returns the answer of a machine for a string. */
export const answerOf = (machine: StringMachine, text: string): string =>
  machine.answer(runMachine(machine, machine.start, text));

/** Returns the code points of a string as numbers. */
export const codePointsOf = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** Returns the boundaries of a machine that treats each of these code points in its own way. */
export const boundariesAround = (codePoints: Iterable<number>): Set<number> => {
  const boundaries = new Set<number>();
  for (const codePoint of codePoints) {
    boundaries.add(codePoint);
    boundaries.add(codePoint + 1);
  }
  return boundaries;
};

/** Numbers states that consist of several parts. */
export class StateNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #states: (readonly number[])[] = [];

  numberOf(...state: readonly number[]): number {
    const key = state.join(' ');
    const existing = this.#numbers.get(key);
    if (existing !== undefined) return existing;
    const added = this.#states.push(state) - 1;
    this.#numbers.set(key, added);
    return added;
  }

  /** Returns the parts of a state. */
  stateOf(number: number): readonly number[] {
    return this.#states[number] ?? [];
  }
}
