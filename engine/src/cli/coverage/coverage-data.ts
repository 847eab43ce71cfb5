/** Coverage as JSON; see docs/schema/coverage.v1.json. */
import {
  type CoverageCount,
  coveragePercent,
  coverageSummary,
  missingOutcomes,
} from '../../simulate/coverage/coverage.ts';
import { type FileCoverage, totalOf } from './file-coverage.ts';

/** Incremented when the format changes incompatibly. */
const coverageVersion = 1;

export const coverageData = (files: readonly FileCoverage[]): object => ({
  version: coverageVersion,
  total: countData(totalOf(files)),
  files: files.map(({ source, coverage }) => {
    const { byKind, total } = coverageSummary(coverage);
    return {
      file: source.uri,
      cases: coverage.cases,
      total: countData(total),
      kinds: Object.fromEntries([...byKind].map(([kind, count]) => [kind, countData(count)])),
      places: coverage.places.map((place) => {
        const start = source.positionAt(place.span.start);
        const end = source.positionAt(place.span.end);
        return {
          kind: place.kind,
          field: place.at,
          text: place.text,
          line: start.line + 1,
          column: start.column + 1,
          endLine: end.line + 1,
          endColumn: end.column + 1,
          outcomes: Object.fromEntries(place.outcomes.map(({ name, hits }) => [name, hits])),
          missing: missingOutcomes(place),
        };
      }),
    };
  }),
});

const countData = (count: CoverageCount): object => ({
  covered: count.covered,
  all: count.all,
  percent: coveragePercent(count),
});
