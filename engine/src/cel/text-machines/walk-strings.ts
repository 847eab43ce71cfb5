/**
 * Walks the product of machines breadth first, which finds a shortest string for every combination of answers that any
 * string can give.
 */
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { StringMachine } from './string-machine.ts';

/** The maximum number of product states that are visited. */
const maxProductStates = 30_000;

/** Strings for which all machines give the same answers. */
export interface StringClass {
  /** The answers, in the order of the machines. */
  readonly answers: readonly string[];
  /** One or two strings, the first of them a shortest one. */
  readonly strings: readonly string[];
}

export interface StringWalk {
  readonly classes: readonly StringClass[];
  /** Whether every combination of answers was found. */
  readonly isComplete: boolean;
  readonly states: number;
  /** The number of transitions that were computed. */
  readonly steps: number;
}

/** The maximum work of a walk. */
export interface WalkLimits {
  readonly maxStates?: number;
  readonly maxSteps?: number;
}

/** Finds a class for every combination of answers. */
export function* walkStrings(
  machines: readonly StringMachine[],
  { maxStates = maxProductStates, maxSteps = Number.POSITIVE_INFINITY }: WalkLimits = {},
): ResumableWork<StringWalk> {
  const characters = candidates(machines);
  let steps = characters.length * machines.length;
  const alphabet = steps > maxSteps ? [] : alphabetOf(machines, characters);
  const classes = new StringClasses(machines);
  const start = machines.map((machine) => machine.start);
  const classOfState = new Map([[start.join(' '), classes.add(start, '')]]);
  let layer: readonly Place[] = [{ states: start, text: '' }];
  while (layer.length > 0) {
    const next: Place[] = [];
    for (const [index, { states, text }] of layer.entries()) {
      if (index % statesPerStep === 0) yield;
      for (const { codePoint, character } of alphabet) {
        steps += machines.length;
        if (steps > maxSteps) break;
        const reached = machines.map((machine, index) =>
          machine.step(states[index] ?? 0, codePoint),
        );
        const key = reached.join(' ');
        const longer = text + character;
        const known = classOfState.get(key);
        if (known !== undefined) {
          addString(known, longer);
          continue;
        }
        if (classOfState.size >= maxStates) return classes.walk(classOfState.size, false, steps);
        classOfState.set(key, classes.add(reached, longer));
        next.push({ states: reached, text: longer });
      }
    }
    layer = next;
  }
  return classes.walk(classOfState.size, steps <= maxSteps, steps);
}

/** The number of states after which the walk yields. */
const statesPerStep = 32;

interface Place {
  readonly states: readonly number[];
  readonly text: string;
}

interface GrowingClass extends StringClass {
  readonly strings: string[];
}

const addString = ({ strings }: GrowingClass, text: string): void => {
  if (strings.length < 2 && strings[0] !== text) strings.push(text);
};

class StringClasses {
  readonly #machines: readonly StringMachine[];
  readonly #classes = new Map<string, GrowingClass>();

  constructor(machines: readonly StringMachine[]) {
    this.#machines = machines;
  }

  /** Adds a string, and returns its class. */
  add(states: readonly number[], text: string): GrowingClass {
    const answers = this.#machines.map((machine, index) => machine.answer(states[index] ?? 0));
    const key = answers.join(' ');
    const existing = this.#classes.get(key);
    if (existing !== undefined) {
      addString(existing, text);
      return existing;
    }
    const added = { answers, strings: [text] };
    this.#classes.set(key, added);
    return added;
  }

  walk(states: number, isComplete: boolean, steps: number): StringWalk {
    return { classes: [...this.#classes.values()], isComplete, states, steps };
  }
}

interface Letter {
  readonly codePoint: number;
  readonly character: string;
}

/** Characters that are easy to read, which represent their class if possible. */
const readable = 'xqz7kXZ_-. :/@,0aAbc';

/** Returns one character for each set of characters that all machines treat alike. */
const alphabetOf = (
  machines: readonly StringMachine[],
  characters: readonly number[],
): readonly Letter[] => {
  const letters = new Map<string, Letter>();
  for (const codePoint of characters) {
    const classes = machines.map((machine) => machine.classOf(codePoint)).join('|');
    if (letters.has(classes)) continue;
    letters.set(classes, { codePoint, character: String.fromCodePoint(codePoint) });
  }
  return [...letters.values()];
};

/** Returns code points of every class: readable ones, and the first one after each boundary. */
const candidates = (machines: readonly StringMachine[]): readonly number[] => {
  const boundaries = new Set([0, afterSurrogates]);
  for (const machine of machines) {
    for (const boundary of machine.boundaries) boundaries.add(boundary);
  }
  const firsts = [...boundaries].filter(isCharacter).toSorted((a, b) => a - b);
  return [...Array.from(readable, (character) => character.codePointAt(0) ?? 0), ...firsts];
};

const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/** Strings of tokens contain no lone surrogates. */
const isCharacter = (codePoint: number): boolean =>
  codePoint >= 0 &&
  codePoint <= 0x10ffff &&
  (codePoint < firstSurrogate || codePoint >= afterSurrogates);
