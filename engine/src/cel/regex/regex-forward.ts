/**
 * Tests whether a regular expression matches anywhere in a string: a deterministic automaton that reads forward and
 * stops at the end of the first match that it sees. It never backtracks.
 */
import { edgeClass, kinds, type RegexProgram, type Work } from './regex-program.ts';
import { InstructionSet, RegexStates, unknownTransition } from './regex-states.ts';

/** The state from which no match can be reached, and the state in which there is a match. */
const dead = 0;
const accepted = 1;

const asciiSize = 128;

/** The maximum number of states whose transitions are also stored by ASCII character. */
const maxAsciiStates = 256;

export class ForwardAutomaton {
  readonly #program: RegexProgram;
  readonly #beginsAtEdge: boolean;
  readonly #reached: InstructionSet;
  readonly #seeds: InstructionSet;
  #states = new RegexStates();
  /**
   * Transitions by state and ASCII character, which take one look-up less than those by character
   * class.
   */
  #ascii = new Int32Array(0);
  #start = 0;

  constructor(program: RegexProgram) {
    this.#program = program;
    this.#beginsAtEdge = program.beginsAtEdge();
    this.#reached = new InstructionSet(program.size);
    this.#seeds = new InstructionSet(program.size);
    this.#reset();
  }

  /** The state before the first character. */
  get start(): number {
    return this.#start;
  }

  /** Returns the state after a character. States stay valid until the next `test`. */
  step(state: number, codePoint: number, work: Work): number {
    if (state <= accepted) return state;
    return this.#transition(state, this.#program.classOf(codePoint, work), work);
  }

  /** Checks whether a string that ends in a state has a match. */
  matchesAtEnd(state: number, work: Work): boolean {
    return (state <= accepted ? state : this.#transition(state, edgeClass, work)) === accepted;
  }

  /** Returns `undefined` if the search needs more steps than `maxSteps`. */
  test(text: string, work: Work, maxSteps: number): boolean | undefined {
    const { length } = text;
    let ascii = this.#ascii;
    let state = this.#start;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      let next =
        unit < asciiSize
          ? (ascii[state * asciiSize + unit] ?? unknownTransition)
          : unknownTransition;
      if (next === unknownTransition) {
        const codePoint = text.codePointAt(index) ?? unit;
        if (codePoint > 0xffff) index++;
        next = this.#nextState(state, codePoint, work);
        if (work.steps > maxSteps) return undefined;
        ascii = this.#ascii;
      }
      if (next <= accepted) return this.#end(next);
      state = next;
    }
    return this.#end(this.#transition(state, edgeClass, work));
  }

  #end(state: number): boolean {
    if (this.#states.isLarge) this.#reset();
    return state === accepted;
  }

  #nextState(state: number, codePoint: number, work: Work): number {
    const next = this.#transition(state, this.#program.classOf(codePoint, work), work);
    if (codePoint < asciiSize && state < maxAsciiStates) {
      const index = state * asciiSize + codePoint;
      if (index >= this.#ascii.length) {
        const grown = new Int32Array(Math.max(2 * this.#ascii.length, (state + 1) * asciiSize));
        grown.fill(unknownTransition).set(this.#ascii);
        this.#ascii = grown;
      }
      this.#ascii[index] = next;
    }
    return next;
  }

  #transition(state: number, characterClass: number, work: Work): number {
    const cached = this.#states.transitions[state]?.[characterClass] ?? unknownTransition;
    if (cached !== unknownTransition) return cached;
    const next = this.#findNext(state, characterClass, work);
    this.#states.setTransition(state, characterClass, next);
    return next;
  }

  #reset(): void {
    const work: Work = { steps: 0 };
    this.#states = new RegexStates();
    this.#ascii = new Int32Array(4 * asciiSize).fill(unknownTransition);
    // No other state has the context of these two.
    this.#states.stateOf(new Int32Array(0), -1, work);
    this.#states.stateOf(new Int32Array(0), -2, work);
    const context = this.#program.contextOf(edgeClass);
    this.#start = this.#states.stateOf(Int32Array.of(this.#program.start), context, work);
  }

  #findNext(state: number, characterClass: number, work: Work): number {
    const program = this.#program;
    const context = program.contextOf(characterClass);
    const holding = program.assertionsBetween(this.#states.contextOf(state), context);
    const reached = this.#reached;
    const seeds = this.#seeds;
    reached.clear();
    seeds.clear();
    for (const place of this.#states.instructionsOf(state)) reached.add(place);
    for (let index = 0; index < reached.size; index++) {
      const place = reached.at(index);
      const following = program.next[place] ?? 0;
      const argument = program.arguments[place] ?? 0;
      switch (program.kinds[place]) {
        case kinds.match:
          return accepted;
        case kinds.branch:
          reached.add(following);
          reached.add(argument);
          break;
        case kinds.nop:
          reached.add(following);
          break;
        case kinds.assert:
          if ((argument & ~holding) === 0) reached.add(following);
          break;
        case kinds.read:
          if (program.reads(place, characterClass)) seeds.add(following);
          break;
      }
    }
    work.steps += reached.size;
    if (characterClass === edgeClass) return dead;
    if (!this.#beginsAtEdge) seeds.add(program.start);
    return seeds.size === 0 ? dead : this.#states.stateOf(seeds.toArray(), context, work);
  }
}
