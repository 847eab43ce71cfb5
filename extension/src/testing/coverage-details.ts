/** Coverage of configurations as the Testing API shows it: a statement for each place, a branch for each outcome. */
import type { ConfigurationCoverage, CoveragePlaceRow } from '@authgraph/language-server/protocol';
import { BranchCoverage, FileCoverage, type Range, StatementCoverage, Uri } from 'vscode';
import { rangeOf } from '../place.ts';

export type CoverageTotals = ReturnType<typeof createCoverageTotals>;

/** Adds up the coverage by several test files. */
export const createCoverageTotals = () => {
  const placesByUri = new Map<string, Map<string, PlaceTotal>>();
  const addPlace = (row: CoveragePlaceRow): void => {
    const { uri } = row.place;
    const places = placesByUri.get(uri) ?? new Map<string, PlaceTotal>();
    placesByUri.set(uri, places);
    const range = rangeOf(row.place);
    const key = keyOf(range);
    const place = places.get(key) ?? { range, hitsByOutcome: new Map<string, number>() };
    places.set(key, place);
    for (const { name, hits } of row.outcomes) {
      const label = `${row.at}: ${row.kind === 'rejection' ? 'rejected' : name}`;
      place.hitsByOutcome.set(label, (place.hitsByOutcome.get(label) ?? 0) + hits);
    }
  };
  return {
    add(configurations: readonly ConfigurationCoverage[]): void {
      for (const { places } of configurations) places.forEach(addPlace);
    },
    /** Returns each configuration with its statements. */
    files: (): readonly CoveredFile[] =>
      [...placesByUri].map(([uri, places]) => {
        const details = [...places.values()].map(statementOf);
        return { coverage: FileCoverage.fromDetails(Uri.parse(uri, true), details), details };
      }),
  };
};

export interface CoveredFile {
  readonly coverage: FileCoverage;
  readonly details: readonly StatementCoverage[];
}

/** The outcomes at one place, of the field and of what rejects there. */
interface PlaceTotal {
  readonly range: Range;
  readonly hitsByOutcome: Map<string, number>;
}

const keyOf = ({ start, end }: Range): string =>
  `${start.line}:${start.character}-${end.line}:${end.character}`;

const statementOf = ({ range, hitsByOutcome }: PlaceTotal): StatementCoverage => {
  const outcomes = [...hitsByOutcome];
  const executed = outcomes.reduce((sum, [, hits]) => sum + hits, 0);
  const branches =
    outcomes.length < 2
      ? []
      : // Without a location, VS Code marks the end of the statement instead of all of it.
        outcomes.map(([label, hits]) => new BranchCoverage(hits, undefined, label));
  return new StatementCoverage(executed, range, branches);
};
