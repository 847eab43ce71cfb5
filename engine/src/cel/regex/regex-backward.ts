/**
 * Finds the matches of a regular expression in a string in linear time. A first pass reads the string backward with a
 * deterministic automaton and notes for each position which instructions lead to a match from there. Matches are then
 * followed forward: of two alternatives the first one that leads to a match is the one that Go's `regexp` prefers.
 * Nothing is read twice, while an engine that searches forward reads ahead and begins again after each match.
 */
import { edgeClass, kinds, type RegexProgram, type Search, type Work } from './regex-program.ts';
import { InstructionSet, RegexStates, unknownTransition } from './regex-states.ts';

/** A decision that ends a match, or the absence of one. */
const matchEnds = -1;

/** The number of cached decisions, a power of two. */
const maxDecisions = 512;

const asciiSize = 128;

/** The number of sets of assertions that may hold at a position. */
const assertionSets = 64;

export class BackwardAutomaton {
  readonly #program: RegexProgram;
  readonly #alive: InstructionSet;
  readonly #readers: InstructionSet;
  #states = new RegexStates();
  /** The keys of the cached decisions, at an index that is computed from the key. */
  readonly #decisionKeys = new Float64Array(maxDecisions).fill(-1);
  readonly #decisions = new Int32Array(maxDecisions);
  readonly #stack: Int32Array;

  constructor(program: RegexProgram) {
    this.#program = program;
    this.#alive = new InstructionSet(program.size);
    this.#readers = new InstructionSet(program.size);
    this.#stack = new Int32Array(program.size * 2 + 2);
  }

  /**
   * Finds at most `limit` matches as Go's `FindAll` does. Returns `undefined` if the search exceeds
   * its steps.
   */
  findAll(search: Search, limit: number): readonly string[] | undefined {
    const positions = this.#readBackward(search);
    const matches =
      positions === undefined ? undefined : this.#collect({ ...search, positions }, limit);
    if (this.#states.isLarge) {
      this.#states = new RegexStates();
      this.#decisionKeys.fill(-1);
    }
    return matches;
  }

  /** Returns for each position twice its state, plus one if a match can begin there. */
  #readBackward({ text, work, maxSteps }: Search): Int32Array | undefined {
    const program = this.#program;
    const { asciiClasses } = program;
    const states = this.#states;
    const { transitions } = states;
    const positions = new Int32Array(text.length + 1);
    let state = states.stateOf(new Int32Array(0), program.contextOf(edgeClass), work);
    work.steps += text.length;
    let index = text.length;
    for (;;) {
      let previous = index - 1;
      let characterClass = edgeClass;
      if (index > 0) {
        const unit = text.charCodeAt(previous);
        characterClass = unit < asciiSize ? (asciiClasses[unit] ?? -1) : -1;
        if (characterClass < 0) {
          const codePoint = codePointBefore(text, index);
          if (codePoint > 0xffff) previous--;
          characterClass = program.classOf(codePoint, work);
        }
      }
      let transition = transitions[state]?.[characterClass] ?? unknownTransition;
      if (transition === unknownTransition) {
        transition = this.#step(state, characterClass, work);
        if (work.steps > maxSteps) return undefined;
      }
      positions[index] = (state << 1) | (transition & 1);
      if (index === 0) return positions;
      state = transition >> 1;
      index = previous;
    }
  }

  /** Returns twice the state before a character, plus one if a match can begin after it. */
  #step(state: number, characterClass: number, work: Work): number {
    const program = this.#program;
    const context = program.contextOf(characterClass);
    const holding = program.assertionsBetween(context, this.#states.contextOf(state));
    const alive = this.#alive;
    const readers = this.#readers;
    alive.clear();
    readers.clear();
    for (const place of program.matches) alive.add(place);
    for (const place of this.#states.instructionsOf(state)) alive.add(place);
    for (let index = 0; index < alive.size; index++) {
      const place = alive.at(index);
      const end = program.edgeStarts[place + 1] ?? 0;
      for (let edge = program.edgeStarts[place] ?? 0; edge < end; edge++) {
        const from = program.edges[edge] ?? 0;
        const kind = program.kinds[from];
        if (kind === kinds.read) {
          if (program.reads(from, characterClass)) readers.add(from);
        } else if (kind !== kinds.assert || ((program.arguments[from] ?? 0) & ~holding) === 0) {
          alive.add(from);
        }
        work.steps++;
      }
    }
    const canStart = alive.has(program.start) ? 1 : 0;
    const before =
      characterClass === edgeClass ? 0 : this.#states.stateOf(readers.toArray(), context, work);
    const transition = (before << 1) | canStart;
    this.#states.setTransition(state, characterClass, transition);
    return transition;
  }

  /** Collects matches. An empty match right after a match does not count. */
  #collect(search: PositionedSearch, limit: number): readonly string[] | undefined {
    const { text, positions, work, maxSteps } = search;
    const matches: string[] = [];
    let position = 0;
    let previousEnd = -1;
    while (matches.length < limit && position <= text.length) {
      let start = position;
      while (start <= text.length && ((positions[start] ?? 0) & 1) === 0) start++;
      if (start > text.length) break;
      const end = this.#follow(search, start);
      work.steps += 10;
      if (work.steps > maxSteps) return undefined;
      const isAccepted = end !== position || start !== previousEnd;
      position = end === position ? end + widthAt(text, end) : end;
      previousEnd = end;
      if (isAccepted) matches.push(text.slice(start, end));
    }
    return matches;
  }

  /** Returns where the match ends. */
  #follow({ text, positions, work, maxSteps }: PositionedSearch, start: number): number {
    const program = this.#program;
    let place = program.start;
    let position = start;
    while (work.steps <= maxSteps) {
      const state = (positions[position] ?? 0) >> 1;
      const holding = program.assertions === 0 ? 0 : this.#holdingAt(text, position, work);
      const key = (state * program.size + place) * assertionSets + holding;
      const index = (state * 31 + place + holding) & (maxDecisions - 1);
      if (this.#decisionKeys[index] !== key) {
        this.#decisions[index] = this.#decide(state, place, holding, work);
        this.#decisionKeys[index] = key;
      }
      const decision = this.#decisions[index] ?? matchEnds;
      if (decision === matchEnds) return position;
      work.steps += 4;
      place = decision;
      position += widthAt(text, position);
    }
    return position;
  }

  #holdingAt(text: string, position: number, work: Work): number {
    const program = this.#program;
    const before =
      position === 0 ? edgeClass : program.classOf(codePointBefore(text, position), work);
    const after =
      position === text.length ? edgeClass : program.classOf(text.codePointAt(position) ?? 0, work);
    return program.assertionsBetween(program.contextOf(before), program.contextOf(after));
  }

  /** Returns the preferred instruction that reads a character and leads to a match. */
  #decide(state: number, from: number, holding: number, work: Work): number {
    const program = this.#program;
    const seen = this.#alive;
    const stack = this.#stack;
    seen.clear();
    let depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      const place = stack[--depth] ?? 0;
      work.steps++;
      if (!seen.add(place)) continue;
      const following = program.next[place] ?? 0;
      const argument = program.arguments[place] ?? 0;
      switch (program.kinds[place]) {
        case kinds.match:
          return matchEnds;
        case kinds.branch:
          stack[depth++] = argument;
          stack[depth++] = following;
          break;
        case kinds.nop:
          stack[depth++] = following;
          break;
        case kinds.assert:
          if ((argument & ~holding) === 0) stack[depth++] = following;
          break;
        case kinds.read:
          if (this.#states.includes(state, place)) return following;
          break;
      }
    }
    throw new Error('unreachable: the first pass found a match here');
  }
}

interface PositionedSearch extends Search {
  readonly positions: Int32Array;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const codePointBefore = (text: string, position: number): number => {
  const unit = text.charCodeAt(position - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return isLow && position > 1 && isHighSurrogate(text.charCodeAt(position - 2))
    ? (text.codePointAt(position - 2) ?? unit)
    : unit;
};

const widthAt = (text: string, position: number): number =>
  (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
