/** What expressions distinguish about each claim: the tests of its strings, numbers and lists. */
import { type LiteralTest, literalMachine } from '../../cel/text-machines/literal-machines.ts';
import type { StringMachine } from '../../cel/text-machines/string-machine.ts';
import type { StringWrapper } from '../../cel/text-machines/string-wrappers.ts';

/** The names from the claims to a value: `['realm_access', 'roles']`. */
export type ClaimPath = readonly string[];

/** The step from a list to any of its elements, or from a map to any of its keys. */
export const elementStep = '\0element';

/** Returns a string that identifies a path. */
export const pathKey = (path: ClaimPath): string => JSON.stringify(path);

/** A test of the string of a claim. */
export interface StringTest {
  readonly machine: StringMachine;
  /** Whether the expression also tests numbers and booleans, as `string(claims.a)`. */
  readonly isConverted: boolean;
  /** The comparison that the machine makes, if it is one with a literal. */
  readonly comparison?: LiteralComparison | undefined;
}

/** A comparison of a string with a literal, after functions of the string. */
export interface LiteralComparison {
  readonly test: LiteralTest;
  readonly literal: string;
  /** The functions, in the order in which they are applied. */
  readonly wrappers: readonly StringWrapper[];
}

/** What is distinguished about the value at one path. */
export interface PathReads {
  readonly path: ClaimPath;
  /** The tests of a string, by a key that is equal for equal tests. */
  readonly strings: Map<string, StringTest>;
  /** The numbers with which the value is compared. */
  readonly numbers: Set<number>;
  /** Whether the value is compared with `<` or `>`. */
  isOrdered: boolean;
  /**
   * Statements about the elements of a list, each with the number of elements that determine its
   * result.
   */
  readonly statements: Map<string, number>;
  /** The largest number with which the size of the value is compared; -1 if there is none. */
  largestSize: number;
  /** Whether it matters how often an element is repeated. */
  countsElements: boolean;
  /** The paths whose values are compared with this one for equality, by their keys. */
  readonly equals: Map<string, ClaimPath>;
}

/** What a set of expressions distinguishes about all claims. */
export class ClaimReads {
  readonly #paths = new Map<string, PathReads>();

  /** Returns what is distinguished at a path, and records that the path and its parents are read. */
  at(path: ClaimPath): PathReads {
    const key = pathKey(path);
    const existing = this.#paths.get(key);
    if (existing !== undefined) return existing;
    if (path.length > 1) this.at(path.slice(0, -1));
    const added: PathReads = {
      path,
      strings: new Map(),
      numbers: new Set(),
      isOrdered: false,
      statements: new Map(),
      largestSize: -1,
      countsElements: false,
      equals: new Map(),
    };
    this.#paths.set(key, added);
    return added;
  }

  /** Records that the string at a path is compared with a literal. */
  testEqual(path: ClaimPath, literal: string): void {
    const machine = literalMachine('equals', literal);
    this.at(path).strings.set(`equals ${JSON.stringify(literal)} `, {
      machine,
      isConverted: false,
      comparison: { test: 'equals', literal, wrappers: [] },
    });
  }

  /** Records that the values at two paths are compared for equality. */
  testEqualPaths(first: ClaimPath, second: ClaimPath): void {
    this.at(first).equals.set(pathKey(second), second);
    this.at(second).equals.set(pathKey(first), first);
  }

  find(path: ClaimPath): PathReads | undefined {
    return this.#paths.get(pathKey(path));
  }

  /** All paths that are read. */
  all(): readonly PathReads[] {
    return [...this.#paths.values()];
  }

  /** The names of the claims that are read. */
  roots(): ReadonlySet<string> {
    return new Set(this.all().map(({ path }) => path[0] ?? ''));
  }

  /** Adds everything that other expressions distinguish. */
  add(others: ClaimReads): void {
    for (const other of others.all()) {
      const own = this.at(other.path);
      for (const [key, test] of other.strings) own.strings.set(key, test);
      for (const number of other.numbers) own.numbers.add(number);
      for (const [key, path] of other.equals) own.equals.set(key, path);
      for (const [key, weight] of other.statements) own.statements.set(key, weight);
      own.isOrdered ||= other.isOrdered;
      own.countsElements ||= other.countsElements;
      own.largestSize = Math.max(own.largestSize, other.largestSize);
    }
  }
}

/** Combines what several sets of expressions distinguish. */
export const combineReads = (all: readonly ClaimReads[]): ClaimReads => {
  const combined = new ClaimReads();
  for (const reads of all) combined.add(reads);
  return combined;
};
