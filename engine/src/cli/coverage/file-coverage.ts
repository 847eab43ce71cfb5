/** The coverage of a configuration in its file. */
import {
  type Coverage,
  type CoverageCount,
  coveragePercent,
  coverageSummary,
} from '../../simulate/coverage/coverage.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';

export interface FileCoverage {
  readonly source: SourceFile;
  /** The coverage with positions in the file. */
  readonly coverage: Coverage;
}

/** Converts the positions, which are those of the configuration's own text. */
export const coverageInFile = (
  source: SourceFile,
  { cases, places }: Coverage,
  toFile: (own: Span) => Span,
): FileCoverage => ({
  source,
  coverage: { cases, places: places.map((place) => ({ ...place, span: toFile(place.span) })) },
});

/** Returns the count of all files together. */
export const totalOf = (files: readonly FileCoverage[]): CoverageCount =>
  coverageSummary({ places: files.flatMap(({ coverage }) => coverage.places) }).total;

/** Formats a percentage that is never rounded up: `99.9%`. */
export const percentText = (percent: number): string =>
  `${(Math.floor(percent * 10) / 10).toFixed(1)}%`;

/** Formats a count: `73.8% (31 of 42)`. */
export const countText = (count: CoverageCount): string =>
  `${percentText(coveragePercent(count))} (${count.covered} of ${count.all})`;
