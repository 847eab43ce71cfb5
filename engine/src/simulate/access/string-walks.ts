/** Finds strings for the tests of a claim, and remembers them: the same tests occur in many questions. */
import { literalMachine } from '../../cel/text-machines/literal-machines.ts';
import { answerOf, type StringMachine } from '../../cel/text-machines/string-machine.ts';
import { type StringWalk, walkStrings } from '../../cel/text-machines/walk-strings.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { StringTest } from './claim-reads.ts';

export interface FoundStrings {
  readonly strings: readonly string[];
  /** Whether there is a string for every combination of answers. */
  readonly isComplete: boolean;
}

export interface StringNeeds {
  /** Strings per combination of answers. */
  readonly perClass: number;
  /** How many different strings must be found for a combination that has so many. */
  readonly distinct: number;
}

export class StringWalks {
  readonly #walks = new Map<string, StringWalk>();
  #remainingSteps: number;

  /** Creates walks that take no more than a number of steps together. */
  constructor(maxSteps: number = Number.POSITIVE_INFINITY) {
    this.#remainingSteps = maxSteps;
  }

  /** Whether no walk can take further steps. */
  get isExhausted(): boolean {
    return this.#remainingSteps <= 0;
  }

  /** Walks machines; equal keys mean equal machines. The answers have the order of the sorted keys. */
  *walk(machines: ReadonlyMap<string, StringMachine>): ResumableWork<StringWalk> {
    const sorted = [...machines].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const key = sorted.map(([name]) => name).join('\n');
    const known = this.#walks.get(key);
    if (known !== undefined) return known;
    const limits = { maxSteps: this.#remainingSteps };
    const walk = yield* walkStrings(
      sorted.map(([, machine]) => machine),
      limits,
    );
    this.#remainingSteps -= walk.steps;
    this.#walks.set(key, walk);
    return walk;
  }

  /** Returns strings for every combination of answers; empty ones come last, as they explain least. */
  *stringsOf(
    tests: ReadonlyMap<string, StringTest>,
    { perClass, distinct }: StringNeeds,
  ): ResumableWork<FoundStrings> {
    const machines = new Map([...tests].map(([key, { machine }]) => [key, machine]));
    const found = new Set<string>();
    let isComplete = true;
    for (let round = 0; round < distinct; round++) {
      const walk = yield* this.walk(machines);
      isComplete &&= walk.isComplete;
      const strings = walk.classes.flatMap((one) => one.strings.slice(0, perClass));
      for (const text of strings) found.add(text);
      if (!isComplete) break;
      // The next round finds other strings, as these have answers of their own.
      for (const text of strings) {
        machines.set(`equals ${JSON.stringify(text)}`, literalMachine('equals', text));
      }
    }
    return { strings: [...found].toSorted(emptyLast), isComplete };
  }

  /**
   * Returns groups of different strings with the same answers: `count` strings of each group, or all
   * if it has less.
   */
  *groupsOf(
    tests: ReadonlyMap<string, StringTest>,
    count: number,
  ): ResumableWork<readonly (readonly string[])[]> {
    const machines = [...tests.values()].map(({ machine }) => machine);
    const { strings } = yield* this.stringsOf(tests, { perClass: 1, distinct: count });
    const groups = Map.groupBy(strings, (text) =>
      machines.map((machine) => answerOf(machine, text)).join(' '),
    );
    return [...groups.values()];
  }
}

const emptyLast = (a: string, b: string): number => Number(a === '') - Number(b === '');
