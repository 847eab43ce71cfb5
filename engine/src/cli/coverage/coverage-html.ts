/** Coverage as an HTML page. Files, expressions and claims are untrusted, so all text is escaped. */
import {
  type CoverageKind,
  type CoveragePlace,
  coverageKinds,
  coverageSummary,
  missingOutcomes,
} from '../../simulate/coverage/coverage.ts';
import { maskSecrets } from '../../source/redact-secrets.ts';
import type { Span } from '../../source/span.ts';
import { type HeadingLevel, scrollRegion, table } from '../html/elements.ts';
import { htmlPage } from '../html/page.ts';
import { list, text } from '../html/untrusted-text.ts';
import { kindNames } from './coverage-text.ts';
import { countText, type FileCoverage, totalOf } from './file-coverage.ts';

export const coverageHtml = (files: readonly FileCoverage[]): string =>
  htmlPage({ title: 'Coverage', body: `<h1>Coverage</h1>\n${coverageSections(files, 2)}` });

/** Returns the summary and the lines of each file. */
export const coverageSections = (files: readonly FileCoverage[], level: HeadingLevel): string =>
  [
    `<p>${countText(totalOf(files))} of all outcomes are covered.</p>`,
    summaryTable(files),
    ...files.map((file, index) => fileSection(file, index, level)),
  ].join('\n');

/** Returns the anchor of a line of a file, which are counted from 0. */
export const lineAnchor = (file: number, line: number): string => `file-${file}-${line + 1}`;

const summaryTable = (files: readonly FileCoverage[]): string => {
  const kinds = coverageKinds.filter((kind) =>
    files.some(({ coverage }) => coverage.places.some((place) => place.kind === kind)),
  );
  const covered = table({
    caption: 'Covered outcomes by file',
    columns: ['File', 'Cases', ...kinds.map((kind) => capitalized(kindNames[kind])), 'Total'],
    rows: files.map((file, index) => summaryRow(file, index, kinds)),
  });
  return scrollRegion('Covered outcomes by file', `<div class="wide">${covered}</div>`);
};

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const summaryRow = (
  { source, coverage }: FileCoverage,
  index: number,
  kinds: readonly CoverageKind[],
): readonly string[] => {
  const { byKind, total } = coverageSummary(coverage);
  const cells = kinds.map((kind) => {
    const count = byKind.get(kind);
    return count === undefined ? '–' : `${count.covered} of ${count.all}`;
  });
  const link = `<a href="#file-${index}">${text(source.uri)}</a>`;
  return [link, String(coverage.cases), ...cells, countText(total)];
};

const fileSection = (
  { source, coverage }: FileCoverage,
  index: number,
  level: HeadingLevel,
): string => {
  const lines = Array.from(
    { length: source.lineCount },
    (_, line): LineNotes => ({
      places: 0,
      missing: [],
      marks: markedIn(source.lineText(line).length),
    }),
  );
  for (const place of coverage.places) {
    const start = source.positionAt(place.span.start);
    const end = source.positionAt(place.span.end);
    const missing = missingOutcomes(place);
    const notes = lines[start.line];
    if (notes === undefined) continue;
    notes.places++;
    notes.missing.push(...missing.map((sentence) => `${place.at}: ${sentence}`));
    if (missing.length === 0 || !isMarked(place)) continue;
    for (let line = start.line; line <= end.line; line++)
      lines[line]?.marks.mark({
        start: line === start.line ? start.column : 0,
        end: line === end.line ? end.column : source.lineText(line).length,
      });
  }
  const rows = lines.map((notes, line) =>
    lineRow(lineAnchor(index, line), line, notes, maskSecrets(source.lineText(line))),
  );
  const name = text(source.uri);
  const content = `<table class="source">
<caption class="unseen">Lines of ${name}</caption>
<thead class="unseen"><tr><th scope="col">Line</th><th scope="col">Coverage</th><th scope="col">Text</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
  return `<section>
<h${level} id="file-${index}">${name}</h${level}>
${scrollRegion(`File ${index + 1}, lines of ${name}`, content)}
</section>`;
};

/** A rule with one of its outcomes would cover the parts of it that are missing. */
const isMarked = ({ kind, outcomes }: CoveragePlace): boolean =>
  kind === 'rule' ? outcomes.every(({ hits }) => hits === 0) : kind !== 'rejection';

interface LineNotes {
  places: number;
  readonly missing: string[];
  readonly marks: LineMarks;
}

const lineRow = (id: string, line: number, notes: LineNotes, lineText: string): string => {
  const state = (() => {
    if (notes.places === 0) return 'none';
    return notes.missing.length === 0 ? 'covered' : 'missing';
  })();
  return `<tr id="${id}" class="${state}"><th scope="row">${line + 1}</th><td>${stateTexts[state]}</td><td><code>${markedText(lineText, notes.marks)}</code>${list(notes.missing, text)}</td></tr>`;
};

const stateTexts = {
  none: '',
  covered: '<span aria-hidden="true">✓</span><span class="unseen">covered</span>',
  missing: '<span aria-hidden="true">✗</span><span class="unseen">not covered</span>',
} as const;

interface LineMarks {
  mark(columns: Span): void;
  /** Returns the parts of the line, alternately without and with a mark. */
  parts(): readonly Span[];
}

/** Joins overlapping marks of a line. */
const markedIn = (length: number): LineMarks => {
  const spans: Span[] = [];
  return {
    mark: (columns) => spans.push(columns),
    parts() {
      const parts: Span[] = [];
      let at = 0;
      for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
        if (end <= at) continue;
        const last = parts.at(-1);
        if (last !== undefined && start <= at) {
          parts.splice(-1, 1, { start: last.start, end });
        } else parts.push({ start: at, end: start }, { start, end });
        at = end;
      }
      return [...parts, { start: at, end: length }];
    },
  };
};

const markedText = (line: string, marks: LineMarks): string =>
  marks
    .parts()
    .map(({ start, end }, index) => {
      const part = text(line.slice(start, end));
      return index % 2 === 0 || part === '' ? part : `<mark>${part}</mark>`;
    })
    .join('');
