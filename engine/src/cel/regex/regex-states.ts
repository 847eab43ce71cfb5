/**
 * The states of an automaton that is built while strings are read. A state is a set of instructions and the context of
 * the character that was read last. Each transition is computed once and then costs one look into a table.
 */
import type { Work } from './regex-program.ts';

/** A transition that has not been computed. */
export const unknownTransition = -1;

/** Instructions and transitions of one automaton that are cached after a search. */
const maxCachedEntries = 32_768;

export class RegexStates {
  readonly #places: Int32Array[] = [];
  readonly #contexts: number[] = [];
  readonly #byHash = new Map<number, number[]>();
  #entries = 0;
  /** The transitions of each state by the class of the character; missing ones are unknown. */
  readonly transitions: Int32Array[] = [];

  /** Whether the automaton takes more memory than is cached. */
  get isLarge(): boolean {
    return this.#entries > maxCachedEntries;
  }

  /** Returns the state with these instructions, which are sorted in place. */
  stateOf(places: Int32Array, context: number, work: Work): number {
    places.sort();
    work.steps += 10 + 4 * places.length;
    let hash = context;
    for (const place of places) hash = (Math.imul(hash, 0x01000193) ^ place) | 0;
    const alike = this.#byHash.get(hash) ?? [];
    for (const state of alike) {
      work.steps += places.length;
      if (this.#contexts[state] === context && this.#hasPlaces(state, places)) return state;
    }
    const added = this.#places.push(places) - 1;
    this.#contexts.push(context);
    this.transitions.push(new Int32Array(0));
    this.#byHash.set(hash, [...alike, added]);
    this.#entries += places.length + 16;
    return added;
  }

  instructionsOf(state: number): Int32Array {
    return this.#places[state] ?? new Int32Array(0);
  }

  contextOf(state: number): number {
    return this.#contexts[state] ?? 0;
  }

  /** Whether an instruction belongs to a state. */
  includes(state: number, place: number): boolean {
    const places = this.instructionsOf(state);
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return places[low] === place;
  }

  setTransition(state: number, characterClass: number, value: number): void {
    let row = this.transitions[state] ?? new Int32Array(0);
    if (characterClass >= row.length) {
      const grown = new Int32Array(Math.max(8, 2 * row.length, characterClass + 1));
      grown.fill(unknownTransition).set(row);
      this.#entries += grown.length - row.length;
      row = grown;
      this.transitions[state] = row;
    }
    row[characterClass] = value;
  }

  #hasPlaces(state: number, places: Int32Array): boolean {
    const own = this.instructionsOf(state);
    if (own.length !== places.length) return false;
    for (let index = 0; index < places.length; index++) {
      if (own[index] !== places[index]) return false;
    }
    return true;
  }
}

/** A set of instructions that is cleared in constant time. */
export class InstructionSet {
  readonly #marks: Int32Array;
  readonly #places: Int32Array;
  #round = 1;
  size = 0;

  constructor(programSize: number) {
    this.#marks = new Int32Array(programSize);
    this.#places = new Int32Array(programSize);
  }

  clear(): void {
    this.#round++;
    this.size = 0;
  }

  has(place: number): boolean {
    return this.#marks[place] === this.#round;
  }

  /** Returns `false` if the set has the instruction already. */
  add(place: number): boolean {
    if (this.#marks[place] === this.#round) return false;
    this.#marks[place] = this.#round;
    this.#places[this.size++] = place;
    return true;
  }

  /** The instruction that was added as number `index`. */
  at(index: number): number {
    return this.#places[index] ?? 0;
  }

  toArray(): Int32Array {
    return this.#places.slice(0, this.size);
  }
}
