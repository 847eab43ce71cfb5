/**
 * Tries all combinations of the values of claims. If none of them meets the conditions, no claims do, provided that
 * the values are complete and all conditions are supported.
 */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import { type ClassOptions, type ClassValue, classesAt, objectOfPaths } from './claim-classes.ts';
import { type ClaimPath, combineReads } from './claim-reads.ts';
import { type Condition, gapsOf, isSupported, type ProofGap, type Solution } from './condition.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';

export interface TryOptions extends ClassOptions {
  readonly budget: EvaluationBudget;
}

/** Looks for claims that meet all conditions; the first condition comes first if it matters. */
export function* tryClaims(
  conditions: readonly Condition[],
  options: TryOptions,
): ResumableWork<Solution> {
  const { dimensions, gaps } = yield* dimensionsOf(conditions, options);
  const trial = new Trial(conditions, dimensions, options);
  const claims = yield* trial.run();
  if (claims !== undefined) return { kind: 'found', claims };
  if (trial.isExhausted) return { kind: 'undecided', gaps: [...gaps, tooMany] };
  const missing = trial.hasReachedUnsupported ? gapsOf(conditions) : [];
  return gaps.length + missing.length === 0
    ? { kind: 'none' }
    : { kind: 'undecided', gaps: [...missing, ...gaps] };
}

const tooMany: ProofGap = { construct: 'the limit of evaluations was reached' };

/** The values to try at one path. */
interface Dimension {
  readonly path: ClaimPath;
  readonly values: readonly ClassValue[];
  /** Whether a supported condition reads the claim. */
  readonly isSupported: boolean;
}

interface Dimensions {
  readonly dimensions: readonly Dimension[];
  readonly gaps: readonly ProofGap[];
}

function* dimensionsOf(
  conditions: readonly Condition[],
  options: TryOptions,
): ResumableWork<Dimensions> {
  const reads = combineReads(conditions.map((condition) => condition.reads));
  const supported = new Set(
    conditions.filter(isSupported).flatMap((condition) => [...condition.roots]),
  );
  const order = rootOrder(conditions, supported);
  const paths = reads.all().filter(({ path }) => isField(path));
  const sorted = paths.toSorted(
    (a, b) =>
      order.indexOf(a.path[0] ?? '') - order.indexOf(b.path[0] ?? '') ||
      a.path.length - b.path.length,
  );
  const gaps: ProofGap[] = [];
  const dimensions: Dimension[] = [];
  for (const at of sorted) {
    const { values, gap } = yield* classesAt(reads, at, options);
    const isRelevant = supported.has(at.path[0] ?? '');
    if (gap !== undefined && isRelevant) gaps.push(gapAt(at.path, gap, conditions));
    dimensions.push({ path: at.path, values, isSupported: isRelevant });
  }
  const merged: Dimension[] = [];
  for (const one of dimensions) {
    merged.push(yield* mergeAlike(one, dimensions, conditions, options));
  }
  return { dimensions: merged, gaps };
}

/** Paths of elements are part of their list. */
const isField = (path: ClaimPath): boolean => !path.some((name) => name.startsWith('\0'));

/** Returns the claims in the order in which they are tried. */
const rootOrder = (
  conditions: readonly Condition[],
  supported: ReadonlySet<string>,
): readonly string[] => {
  const roots = [...new Set(conditions.flatMap((condition) => [...condition.roots]))];
  return [
    ...roots.filter((root) => supported.has(root)),
    ...roots.filter((root) => !supported.has(root)),
  ];
};

const gapAt = (path: ClaimPath, construct: string, conditions: readonly Condition[]): ProofGap => {
  const reader = conditions.find(({ roots }) => roots.has(path[0] ?? ''));
  return reader === undefined ? { construct } : { place: reader.place, construct };
};

/** Leaves one of the values that all conditions treat alike, if the claim can be looked at alone. */
function* mergeAlike(
  dimension: Dimension,
  all: readonly Dimension[],
  conditions: readonly Condition[],
  { budget, issuer }: TryOptions,
): ResumableWork<Dimension> {
  const [root = ''] = dimension.path;
  const tests = all.some((other) => other !== dimension && other.path[0] === root)
    ? undefined
    : testsOf(root, conditions);
  if (tests === undefined) return dimension;
  const merged = new Map<string, ClassValue>();
  for (const value of dimension.values) {
    const claims: JsonObject =
      value === undefined ? { iss: issuer } : { iss: issuer, [root]: plain(value) };
    if (budget.endStep()) yield;
    const results = tests.map((test) => (budget.spend() ? test(claims) : '?')).join('');
    if (results.includes('?')) return dimension;
    if (!merged.has(results)) merged.set(results, value);
  }
  return { ...dimension, values: [...merged.values()] };
}

type ClaimTest = (claims: JsonObject) => string;

/** Returns what conditions see of a claim; `undefined` if one sees it together with another claim. */
const testsOf = (
  root: string,
  conditions: readonly Condition[],
): readonly ClaimTest[] | undefined => {
  const tests: ClaimTest[] = [];
  for (const { roots, leaves, readsAllClaims, holds } of conditions) {
    if (readsAllClaims) return undefined;
    if (!roots.has(root)) continue;
    if (roots.size === 1) {
      tests.push((claims) => (holds(claims) ? 'T' : 'F'));
      continue;
    }
    const own = leaves.filter((leaf) => leaf.roots.has(root));
    if (own.length === 0 || own.some((leaf) => leaf.roots.size > 1)) return undefined;
    for (const leaf of own) tests.push((claims) => leaf.resultOf(claims));
  }
  return tests;
};

const plain = (value: ClassValue): Exclude<ClassValue, undefined | typeof objectOfPaths> =>
  value === undefined || value === objectOfPaths ? {} : value;

type MutableClaims = Record<string, unknown>;

/** Assigns values to one claim after the other, and tests a condition as soon as its claims are set. */
class Trial {
  /** Whether the evaluations ran out. */
  isExhausted = false;
  /** Whether claims met all supported conditions, so that only others can reject them. */
  hasReachedUnsupported = false;
  readonly #dimensions: readonly Dimension[];
  readonly #budget: EvaluationBudget;
  /** The supported conditions to test once a number of dimensions is set. */
  readonly #ready: readonly (readonly Condition[])[];
  /**
   * The other conditions. They are tested last: that one of them rejects the values that are tried
   * says nothing about other values.
   */
  readonly #late: readonly (readonly Condition[])[];
  readonly #supportedCount: number;
  readonly #claims: MutableClaims;

  constructor(
    conditions: readonly Condition[],
    dimensions: readonly Dimension[],
    { budget, issuer }: TryOptions,
  ) {
    this.#dimensions = dimensions;
    this.#budget = budget;
    this.#claims = { iss: issuer };
    this.#supportedCount = dimensions.filter((dimension) => dimension.isSupported).length;
    const counts = Map.groupBy(conditions.filter(isSupported), (one) => this.#neededFor(one));
    const lateCounts = Map.groupBy(
      conditions.filter((condition) => !isSupported(condition)),
      (one) => Math.max(this.#neededFor(one), this.#supportedCount),
    );
    const all = Array.from({ length: dimensions.length + 1 }, (_, count) => count);
    this.#ready = all.map((count) => counts.get(count) ?? []);
    this.#late = all.map((count) => lateCounts.get(count) ?? []);
  }

  /** Returns claims that meet all conditions. */
  *run(): ResumableWork<JsonObject | undefined> {
    return this.#meets(this.#ready[0]) ? yield* this.#assign(0) : undefined;
  }

  /** Returns how many dimensions must be set before a condition can be tested. */
  #neededFor({ roots, readsAllClaims }: Condition): number {
    if (readsAllClaims) return this.#dimensions.length;
    return this.#dimensions.findLastIndex(({ path }) => roots.has(path[0] ?? '')) + 1;
  }

  *#assign(index: number): ResumableWork<JsonObject | undefined> {
    if (index === this.#supportedCount) this.hasReachedUnsupported = true;
    if (!this.#meets(this.#late[index])) return undefined;
    const dimension = this.#dimensions[index];
    if (dimension === undefined) return structuredClone(this.#claims) as JsonObject;
    const { path, values } = dimension;
    const parent = this.#parentOf(path);
    const name = path.at(-1) ?? '';
    if (parent === undefined)
      return this.#meets(this.#ready[index + 1]) ? yield* this.#assign(index + 1) : undefined;
    for (const value of values) {
      if (value === undefined) delete parent[name];
      else parent[name] = value === objectOfPaths ? {} : value;
      const isMet = this.#meets(this.#ready[index + 1]);
      if (this.#budget.endStep()) yield;
      const found = isMet ? yield* this.#assign(index + 1) : undefined;
      if (found !== undefined) return found;
      if (this.isExhausted) return undefined;
    }
    delete parent[name];
    return undefined;
  }

  /** Returns the object that has the member at a path; `undefined` if a parent is no object. */
  #parentOf(path: ClaimPath): MutableClaims | undefined {
    let parent = this.#claims;
    for (const name of path.slice(0, -1)) {
      const child = parent[name];
      if (typeof child !== 'object' || child === null || Array.isArray(child)) return undefined;
      parent = child as MutableClaims;
    }
    return parent;
  }

  #meets(conditions: readonly Condition[] = []): boolean {
    for (const condition of conditions) {
      if (!this.#budget.spend()) {
        this.isExhausted = true;
        return false;
      }
      // Evaluators may cache what they derive from an object, so each test gets its own.
      if (!condition.holds({ ...this.#claims } as JsonObject)) return false;
    }
    return true;
  }
}
