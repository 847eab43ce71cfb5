/** The findings of `check`, each with its lines, its evidence and its fixes. */
import { codeFrame } from '../../diagnostics/code-frame.ts';
import { evidenceLabel, evidenceText } from '../../diagnostics/evidence.ts';
import { type FileReport, formatLocation } from '../../diagnostics/render.ts';
import {
  type FoldedDiagnostic,
  foldConsequences,
  messageWithPath,
} from '../../diagnostics/report-order.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { lineAnchor } from '../coverage/coverage-html.ts';
import { finding } from '../html/elements.ts';
import { block, code, text } from '../html/untrusted-text.ts';
import type { ReportData } from './report-data.ts';
import { limited } from './shown-entries.ts';

/** Positions are links to the lines of the coverage, if it has the file. */
export const findingSections = (
  reports: readonly FileReport[],
  coverage: ReportData['coverage'],
): string => {
  const findings = reports.flatMap(({ source, diagnostics }) =>
    foldConsequences(diagnostics).map((folded) => ({ source, folded })),
  );
  if (findings.length === 0) return '<p>There are no problems.</p>';
  const covered = coverage.kind === 'result' ? coverage.result : [];
  const { shown, note } = limited(findings);
  return (
    shown
      .map(({ source, folded }, index) => {
        const file = covered.findIndex((one) => one.source.text === source.text);
        return findingHtml(source, folded, { file, id: `finding-${index + 1}` });
      })
      .join('\n') + note
  );
};

const findingHtml = (
  source: SourceFile,
  { diagnostic, consequences }: FoldedDiagnostic,
  {
    file,
    id,
  }: {
    /** The index of the file in the coverage; -1 if it is not there. */
    readonly file: number;
    /** The ID of the heading, unique on the page. */
    readonly id: string;
  },
): string => {
  const { severity, code: number, name, span, related, help, fixes, evidence } = diagnostic;
  const location = code(formatLocation(source, span.start));
  const { line } = source.positionAt(span.start);
  const shown = evidence === undefined ? undefined : evidenceText(evidence);
  const notes: readonly (readonly [string, string])[] = [
    ...related.map(
      (place) => ['See', `${formatLocation(source, place.span.start)}: ${place.message}`] as const,
    ),
    ...(consequences.length === 0
      ? []
      : [['Note', `${consequences.length} more follow from it`] as const]),
    ...(evidence === undefined || shown === undefined
      ? []
      : [[evidenceLabel(evidence) === 'proof' ? 'Proof' : 'Example', shown] as const]),
    ...(help === '' ? [] : [['Help', help] as const]),
    ...fixes.map(({ title }) => ['Fix', title] as const),
  ];
  const frame = frameOf(source, span);
  return finding({
    id,
    severity,
    heading: `<span class="severity">${severity}</span> ${text(messageWithPath(diagnostic))}`,
    parts: [
      `<p>${file === -1 ? location : `<a href="#${lineAnchor(file, line)}">${location}</a>`} <span class="note">${text(`${number} ${name}`)}</span></p>`,
      ...(frame === '' ? [] : [block(frame)]),
      ...notes.map(([label, note]) => `<p><strong>${label}:</strong> ${text(note)}</p>`),
    ],
  });
};

const frameOf = (source: SourceFile, span: Span): string =>
  codeFrame(source, span, {
    width: frameWidth,
    numberWidth: String(source.positionAt(span.end).line + 1).length,
    mark: '^',
    label: '',
    paintMark: (marks) => marks,
    paintGutter: (gutter) => gutter,
  }).join('\n');

/** Columns of the lines, longer ones are cut around the place. */
const frameWidth = 100;
