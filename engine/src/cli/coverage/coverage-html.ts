/** Coverage as an HTML page. Files, expressions and claims are untrusted, so all text is escaped. */
import { xmlText } from '../../compile/svg-text.ts';
import {
  type CoverageKind,
  type CoveragePlace,
  coverageKinds,
  coverageSummary,
  missingOutcomes,
} from '../../simulate/coverage/coverage.ts';
import type { Span } from '../../source/span.ts';
import { htmlPage } from '../html-page.ts';
import { kindNames } from './coverage-text.ts';
import { countText, type FileCoverage, totalOf } from './file-coverage.ts';

export const coverageHtml = (files: readonly FileCoverage[]): string =>
  htmlPage({
    title: 'Coverage',
    style,
    body: `<h1>Coverage</h1>
<p>${countText(totalOf(files))} of all outcomes are covered.</p>
${summaryTable(files)}
${files.map(fileSection).join('\n')}`,
  });

const summaryTable = (files: readonly FileCoverage[]): string => {
  const kinds = coverageKinds.filter((kind) =>
    files.some(({ coverage }) => coverage.places.some((place) => place.kind === kind)),
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="Summary">
<table>
<caption>Covered outcomes by file</caption>
<thead><tr><th scope="col">File</th><th scope="col">Cases</th>${kinds
    .map((kind) => `<th scope="col">${capitalized(kindNames[kind])}</th>`)
    .join('')}<th scope="col">Total</th></tr></thead>
<tbody>
${files.map((file, index) => summaryRow(file, index, kinds)).join('\n')}
</tbody>
</table>
</div>`;
};

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const summaryRow = (
  { source, coverage }: FileCoverage,
  index: number,
  kinds: readonly CoverageKind[],
): string => {
  const { byKind, total } = coverageSummary(coverage);
  const cells = kinds.map((kind) => {
    const count = byKind.get(kind);
    return `<td>${count === undefined ? '–' : `${count.covered} of ${count.all}`}</td>`;
  });
  return `<tr><th scope="row"><a href="#file-${index}">${xmlText(source.uri)}</a></th><td>${coverage.cases}</td>${cells.join('')}<td>${countText(total)}</td></tr>`;
};

const fileSection = ({ source, coverage }: FileCoverage, index: number): string => {
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
    lineRow(`file-${index}-${line + 1}`, line, notes, source.lineText(line)),
  );
  return `<section>
<h2 id="file-${index}">${xmlText(source.uri)}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="File ${index + 1}, lines of ${xmlText(source.uri)}">
<table class="source">
<caption class="unseen">Lines of ${xmlText(source.uri)}</caption>
<thead class="unseen"><tr><th scope="col">Line</th><th scope="col">Coverage</th><th scope="col">Text</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
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

const lineRow = (id: string, line: number, notes: LineNotes, text: string): string => {
  const state = (() => {
    if (notes.places === 0) return 'none';
    return notes.missing.length === 0 ? 'covered' : 'missing';
  })();
  const missing = notes.missing.map((sentence) => `<li>${xmlText(sentence)}</li>`).join('');
  return `<tr id="${id}" class="${state}"><th scope="row">${line + 1}</th><td>${stateTexts[state]}</td><td><code>${markedText(text, notes.marks)}</code>${missing === '' ? '' : `<ul>${missing}</ul>`}</td></tr>`;
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

const markedText = (text: string, marks: LineMarks): string =>
  marks
    .parts()
    .map(({ start, end }, index) => {
      const part = xmlText(text.slice(start, end));
      return index % 2 === 0 || part === '' ? part : `<mark>${part}</mark>`;
    })
    .join('');

const style = `
:root { color-scheme: light dark; --line: #d0d7de; --quiet: #57606a; --good: #1a7f37; --bad: #a40e26; --mark: #ffd8d3; --ink: #1f2328; --paper: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --quiet: #9198a1; --good: #56d364; --bad: #ff9492; --mark: #67060c; --ink: #f0f6fc; --paper: #0d1117; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
a { color: inherit; }
table { border-collapse: collapse; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th { color: var(--quiet); }
.scroll { overflow-x: auto; white-space: nowrap; }
.source th, .source td { border: 0; padding: 0 .75rem 0 0; }
.source tbody th { color: var(--quiet); text-align: right; font-variant-numeric: tabular-nums; }
.source code { font: 13px/1.5 ui-monospace, monospace; white-space: pre; }
.source ul { margin: 0 0 .5rem; white-space: normal; padding-left: 1.25rem; color: var(--bad); }
.covered td:nth-child(2) { color: var(--good); }
.missing td:nth-child(2) { color: var(--bad); }
mark { background: var(--mark); color: inherit; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
