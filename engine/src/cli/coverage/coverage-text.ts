/** Coverage for a terminal: a summary, and each outcome that no case has, with its position. */

import { toPrintable } from '../../diagnostics/printable.ts';
import { formatLocation } from '../../diagnostics/render.ts';
import { collapseWhitespace } from '../../formats/trim.ts';
import {
  type CoverageKind,
  coveragePercent,
  coverageSummary,
  missingOutcomes,
} from '../../simulate/coverage/coverage.ts';
import type { Paint } from '../color.ts';
import { countText, type FileCoverage, totalOf } from './file-coverage.ts';

export const coverageText = (files: readonly FileCoverage[], paint: Paint): string =>
  `${files.map((file) => fileText(file, paint)).join('\n')}${
    files.length < 2 ? '' : `\n${files.length} files: ${countText(totalOf(files))} covered\n`
  }`;

const fileText = ({ source, coverage }: FileCoverage, paint: Paint): string => {
  const { byKind, total } = coverageSummary(coverage);
  const missing = coverage.places.flatMap((place) =>
    missingOutcomes(place).map((sentence) => {
      const location = formatLocation(source, place.span.start);
      return `  ${location}  ${toPrintable(`${place.at}: ${collapseWhitespace(sentence)}`)}`;
    }),
  );
  const style = coveragePercent(total) === 100 ? 'green' : 'yellow';
  const cases = `${coverage.cases} ${coverage.cases === 1 ? 'case' : 'cases'}`;
  return [
    `${paint('bold', toPrintable(source.uri))}: ${paint(style, `${countText(total)} covered`)} by ${cases}`,
    ...[...byKind].map(
      ([kind, count]) => `  ${kindNames[kind].padEnd(nameWidth)}  ${count.covered} of ${count.all}`,
    ),
    ...(missing.length === 0 ? [] : ['not covered:', ...missing]),
  ]
    .map((line) => `${line}\n`)
    .join('');
};

export const kindNames: Readonly<Record<CoverageKind, string>> = {
  issuer: 'issuers',
  audience: 'audiences',
  mapping: 'mappings',
  rule: 'rules',
  branch: 'branches',
  'list element': 'list elements',
  rejection: 'reasons for rejection',
};

const nameWidth = Math.max(...Object.values(kindNames).map(({ length }) => length));
