/** The coverage of a configuration: plain data that commands, requests and reports show. */
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { Span } from '../../source/span.ts';

/**
 * The claims of a token.
 *
 * @example
 * ```ts
 * const sample: CoverageCase = { claims, now: Date.now(), isToken: false };
 * ```
 */
export interface CoverageCase {
  readonly claims: ClaimSet;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether audience and times are checked, as for a token; samples often lack both. */
  readonly isToken: boolean;
}

/**
 * What is counted. `rejection` is a reason for which an authenticator rejects tokens.
 *
 * @example
 * ```ts
 * const kinds: readonly CoverageKind[] = ['rule', 'branch'];
 * ```
 */
export type CoverageKind =
  | 'issuer'
  | 'audience'
  | 'mapping'
  | 'rule'
  | 'branch'
  | 'list element'
  | 'rejection';

/** All kinds, in the order of reports. */
export const coverageKinds: readonly CoverageKind[] = [
  'issuer',
  'audience',
  'mapping',
  'rule',
  'branch',
  'list element',
  'rejection',
];

/**
 * One outcome of a place, such as `false`, and how many cases had it.
 *
 * @example
 * ```ts
 * const isCovered = ({ hits }: CoverageOutcome) => hits > 0;
 * ```
 */
export interface CoverageOutcome {
  readonly name: string;
  readonly hits: number;
}

/**
 * A part of the configuration with its possible outcomes.
 *
 * @example
 * ```ts
 * const missing = ({ outcomes }: CoveragePlace) => outcomes.filter(({ hits }) => hits === 0);
 * ```
 */
export interface CoveragePlace {
  readonly kind: CoverageKind;
  /** The field: `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  /** The position in the text of the configuration. */
  readonly span: Span;
  /** The source of the part: `claims.hd == "example.com"`, an audience, a code and its name. */
  readonly text: string;
  readonly outcomes: readonly CoverageOutcome[];
}

/**
 * The coverage of a configuration by cases.
 *
 * @example
 * ```ts
 * const coverage: Coverage = measureCoverage(compilation, cases);
 * console.log(coverageSummary(coverage).total);
 * ```
 */
export interface Coverage {
  /** The number of cases that were decided. */
  readonly cases: number;
  /** The places, by authenticator and position. */
  readonly places: readonly CoveragePlace[];
}

/**
 * How many outcomes there are, and how many of them were seen.
 *
 * @example
 * ```ts
 * const percent = ({ covered, all }: CoverageCount) => (100 * covered) / all;
 * ```
 */
export interface CoverageCount {
  readonly covered: number;
  readonly all: number;
}

/**
 * Counts the outcomes by kind and in total. Kinds that the configuration does not have are left out.
 *
 * @example
 * ```ts
 * const { total } = coverageSummary(coverage);
 * console.log(`${total.covered} of ${total.all}`);
 * ```
 */
export const coverageSummary = ({
  places,
}: Pick<Coverage, 'places'>): {
  readonly byKind: ReadonlyMap<CoverageKind, CoverageCount>;
  readonly total: CoverageCount;
} => {
  const byKind = coverageKinds.flatMap(
    (kind): readonly (readonly [CoverageKind, CoverageCount])[] => {
      const count = countOf(places.filter((place) => place.kind === kind));
      return count.all === 0 ? [] : [[kind, count]];
    },
  );
  return { byKind: new Map(byKind), total: countOf(places) };
};

/**
 * Returns the percentage of the outcomes that were seen; 100 if there are none.
 *
 * @example
 * ```ts
 * const isEnough = coveragePercent(coverageSummary(coverage).total) >= 90;
 * ```
 */
export const coveragePercent = ({ covered, all }: CoverageCount): number =>
  all === 0 ? 100 : (100 * covered) / all;

/**
 * Returns a sentence for each outcome of a place that no case had.
 *
 * @example
 * ```ts
 * for (const sentence of missingOutcomes(place)) console.log(`${place.at}: ${sentence}`);
 * ```
 */
export const missingOutcomes = (place: CoveragePlace): readonly string[] =>
  place.outcomes.flatMap(({ name, hits }) => (hits > 0 ? [] : [missingOutcome(place, name)]));

const missingOutcome = ({ kind, text }: CoveragePlace, outcome: string): string => {
  switch (kind) {
    case 'issuer':
      return `no case is accepted as a token of ${text}`;
    case 'audience':
      return `no case is accepted for the audience ${JSON.stringify(text)}`;
    case 'mapping':
      return `no case gets a value from ${text}`;
    case 'rule':
      return `no case makes the rule ${outcome}: ${text}`;
    case 'branch':
      return `no case makes the condition ${outcome}: ${text}`;
    case 'list element':
      return `no case ${outcome === 'reached' ? 'reaches' : 'matches'} the element ${text}`;
    case 'rejection':
      return `no case is rejected for ${text}`;
  }
};

const countOf = (places: readonly CoveragePlace[]): CoverageCount => {
  const outcomes = places.flatMap((place) => place.outcomes);
  return { covered: outcomes.filter(({ hits }) => hits > 0).length, all: outcomes.length };
};
