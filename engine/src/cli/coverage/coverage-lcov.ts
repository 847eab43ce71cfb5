/**
 * Coverage as an LCOV tracefile (geninfo(1)): issuers, mappings and rules are functions, every outcome
 * is a branch, and a line is covered if something that begins on it was evaluated.
 */
import { toPrintable } from '../../diagnostics/printable.ts';
import type { CoveragePlace } from '../../simulate/coverage/coverage.ts';
import type { FileCoverage } from './file-coverage.ts';

export const coverageLcov = (files: readonly FileCoverage[]): string =>
  files.map((file) => `${recordLines(file).join('\n')}\n`).join('');

const recordLines = ({ source, coverage }: FileCoverage): readonly string[] => {
  const places = coverage.places.map((place) => ({
    place,
    line: source.positionAt(place.span.start).line + 1,
    hits: hitsOf(place),
  }));
  const functions = places.filter(({ place }) => functionKinds.has(place.kind));
  const branches = places.flatMap(({ place, line, hits }, block) =>
    place.outcomes.map((outcome, index) => ({ line, block, index, hits: outcome.hits, all: hits })),
  );
  const hitsByLine = new Map<number, number>();
  for (const { place, line, hits } of places) {
    if (place.kind === 'rejection') continue;
    hitsByLine.set(line, Math.max(hits, hitsByLine.get(line) ?? 0));
  }
  const lines = [...hitsByLine].toSorted(([a], [b]) => a - b);
  return [
    'TN:',
    `SF:${toPrintable(source.uri)}`,
    ...functions.map(({ place, line }) => `FN:${line},${place.at}`),
    ...functions.map(({ place, hits }) => `FNDA:${hits},${place.at}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ hits }) => hits > 0).length}`,
    ...branches.map(
      ({ line, block, index, hits, all }) =>
        `BRDA:${line},${block},${index},${all === 0 ? '-' : hits}`,
    ),
    `BRF:${branches.length}`,
    `BRH:${branches.filter(({ hits }) => hits > 0).length}`,
    ...lines.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(([, hits]) => hits > 0).length}`,
    'end_of_record',
  ];
};

const functionKinds: ReadonlySet<CoveragePlace['kind']> = new Set(['issuer', 'mapping', 'rule']);

const hitsOf = ({ outcomes }: CoveragePlace): number =>
  outcomes.reduce((sum, { hits }) => sum + hits, 0);
