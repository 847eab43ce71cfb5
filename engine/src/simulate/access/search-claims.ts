/**
 * Searches for claims that are decided differently, where no proof is possible: all combinations if there are few,
 * otherwise changes of one claim after the other that pass more parts. It finds examples and proves nothing.
 */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { AccessPart } from './access-part.ts';
import type { AccessChangeKind } from './access-result.ts';
import { type ClassValue, objectOfPaths } from './claim-classes.ts';
import {
  type ComparedIssuer,
  type ComparisonContext,
  changeFor,
  partsMissingIn,
} from './compared-issuer.ts';
import { randomNumbers } from './random-numbers.ts';
import { type SearchDimension, searchDimensions } from './search-values.ts';

/** The maximum number of evaluations of one search. */
const maxSearchEvaluations = 60_000;

/** The number of combinations up to which all are tried. */
const maxCombinations = 20_000;

const seed = 1;

/** Returns claims that show the change. */
export function* searchClaims(
  kind: AccessChangeKind,
  compared: ComparedIssuer,
  context: ComparisonContext,
): ResumableWork<JsonObject | undefined> {
  const { before, after, issuer } = compared;
  const parts = [...(before?.parts ?? []), ...(after?.parts ?? [])];
  const changed =
    before === undefined || after === undefined
      ? parts
      : [...partsMissingIn(before, after), ...partsMissingIn(after, before)];
  const dimensions = yield* withoutIrrelevant(
    yield* searchDimensions(parts, issuer, context.walks),
    parts,
    changed,
  );
  const search = new ClaimSearch(kind, { parts, dimensions, issuer, context });
  return yield* search.combinations <= maxCombinations ? search.tryAll() : search.climb();
}

/** Leaves one value of claims that only unchanged parts read, each of them alone. */
function* withoutIrrelevant(
  dimensions: readonly SearchDimension[],
  parts: readonly AccessPart[],
  changed: readonly AccessPart[],
): ResumableWork<readonly SearchDimension[]> {
  const relevant = new Set(changed.flatMap((part) => [...part.reads.roots()]));
  const left: SearchDimension[] = [];
  for (const dimension of dimensions) {
    yield;
    const [root = ''] = dimension.path;
    const readers = parts.filter((part) => part.reads.roots().has(root));
    const isAlone = dimensions.every((other) => other === dimension || other.path[0] !== root);
    if (relevant.has(root) || !isAlone || readers.some((part) => part.reads.roots().size > 1)) {
      left.push(dimension);
      continue;
    }
    const accepted = dimension.values.find((value) => {
      const claims = buildClaims([dimension], [value], {});
      return readers.every((part) => part.test(claims));
    });
    left.push({ ...dimension, values: [accepted] });
  }
  return left;
}

/** Builds claims from one value for each dimension. */
const buildClaims = (
  dimensions: readonly SearchDimension[],
  values: readonly ClassValue[],
  base: JsonObject,
): JsonObject => {
  const claims: Record<string, unknown> = { ...base };
  dimensions.forEach(({ path }, index) => {
    const value = values[index];
    if (value === undefined) return;
    let parent: Record<string, unknown> | undefined = claims;
    for (const name of path.slice(0, -1)) {
      const child: unknown = parent?.[name];
      const isObject = typeof child === 'object' && child !== null && !Array.isArray(child);
      parent = isObject ? (child as Record<string, unknown>) : undefined;
    }
    if (parent !== undefined) parent[path.at(-1) ?? ''] = value === objectOfPaths ? {} : value;
  });
  return claims as JsonObject;
};

interface SearchInput {
  readonly parts: readonly AccessPart[];
  readonly dimensions: readonly SearchDimension[];
  readonly issuer: string;
  readonly context: ComparisonContext;
}

class ClaimSearch {
  readonly #kind: AccessChangeKind;
  readonly #input: SearchInput;
  readonly #random = randomNumbers(seed);
  readonly #limit: number;
  #found: JsonObject | undefined;

  constructor(kind: AccessChangeKind, input: SearchInput) {
    this.#kind = kind;
    this.#input = input;
    const { budget } = input.context;
    this.#limit = budget.evaluations + Math.min(maxSearchEvaluations, budget.remaining);
  }

  get combinations(): number {
    return this.#input.dimensions.reduce((product, { values }) => product * values.length, 1);
  }

  /** Tries every combination. */
  *tryAll(): ResumableWork<JsonObject | undefined> {
    const { dimensions } = this.#input;
    const picks = dimensions.map(() => 0);
    while (!this.#isOver()) {
      if (this.#endsStep()) yield;
      this.#try(picks);
      let index = 0;
      for (; index < picks.length; index++) {
        const next = (picks[index] ?? 0) + 1;
        picks[index] = next % (dimensions[index]?.values.length ?? 1);
        if (picks[index] !== 0) break;
      }
      if (index === picks.length) break;
    }
    return this.#found;
  }

  /** Starts at random claims, improves them, and then tries changes of one and two claims. */
  *climb(): ResumableWork<JsonObject | undefined> {
    const { dimensions } = this.#input;
    while (!this.#isOver()) {
      const picks = dimensions.map(({ values }) => this.#random(values.length));
      yield* this.#improve(picks);
      this.#try(picks);
      yield* this.#tryNeighbors(picks);
      yield* this.#tryPairs(picks);
    }
    return this.#found;
  }

  #isOver(): boolean {
    return this.#found !== undefined || this.#input.context.budget.evaluations >= this.#limit;
  }

  #endsStep(): boolean {
    return this.#input.context.budget.endStep();
  }

  #claimsOf(picks: readonly number[]): JsonObject {
    const { dimensions, issuer } = this.#input;
    const values = dimensions.map((dimension, index) => dimension.values[picks[index] ?? 0]);
    return buildClaims(dimensions, values, { iss: issuer });
  }

  #try(picks: readonly number[]): void {
    const { context } = this.#input;
    if (this.#isOver() || !context.budget.spend() || !context.budget.spend()) return;
    const claims = this.#claimsOf(picks);
    if (changeFor(claims, context) === this.#kind) this.#found = claims;
  }

  /** Returns how many parts the claims pass. */
  #score(picks: readonly number[]): number {
    const { parts, context } = this.#input;
    const claims = this.#claimsOf(picks);
    return parts.filter((part) => context.budget.spend() && part.test({ ...claims })).length;
  }

  /** Changes one claim after the other as long as more parts are passed. */
  *#improve(picks: number[]): ResumableWork<void> {
    let best = this.#score(picks);
    for (let round = 0, isBetter = true; isBetter && round < 4 && !this.#isOver(); round++) {
      isBetter = false;
      for (const [index, { values }] of this.#input.dimensions.entries()) {
        const original = picks[index] ?? 0;
        let chosen = original;
        for (let value = 0; value < values.length && !this.#isOver(); value++) {
          if (this.#endsStep()) yield;
          picks[index] = value;
          const score = value === original ? 0 : this.#score(picks);
          if (score <= best) continue;
          best = score;
          chosen = value;
          isBetter = true;
        }
        picks[index] = chosen;
      }
    }
  }

  *#tryNeighbors(picks: number[]): ResumableWork<void> {
    for (const [index, { values }] of this.#input.dimensions.entries()) {
      const original = picks[index] ?? 0;
      for (let value = 0; value < values.length && !this.#isOver(); value++) {
        if (this.#endsStep()) yield;
        picks[index] = value;
        this.#try(picks);
      }
      picks[index] = original;
    }
  }

  *#tryPairs(picks: number[]): ResumableWork<void> {
    const { dimensions } = this.#input;
    for (let round = 0; round < 1000 && !this.#isOver(); round++) {
      if (this.#endsStep()) yield;
      const changed = [...picks];
      for (let change = 0; change < 2; change++) {
        const index = this.#random(dimensions.length);
        changed[index] = this.#random(dimensions[index]?.values.length ?? 1);
      }
      this.#try(changed);
    }
  }
}
