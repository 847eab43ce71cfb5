/** Diagnostics for a terminal: a headline, the location, a code frame, related places and help. */
import { redactSecrets } from '../source/redact-secrets.ts';
import type { SourceFile } from '../source/source-file.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import { codeFrame } from './code-frame.ts';
import type { Diagnostic, Fix, Severity } from './diagnostic.ts';
import { evidenceLabel, evidenceText } from './evidence.ts';
import { toPrintable } from './printable.ts';
import { foldConsequences, messageWithPath } from './report-order.ts';

/**
 * The diagnostics of a file.
 *
 * @example
 * ```ts
 * const report: FileReport = { source, diagnostics: compile({ source }).diagnostics };
 * ```
 */
export interface FileReport {
  readonly source: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Layout of text for a terminal.
 *
 * @example
 * ```ts
 * const options: TextOptions = { color: process.stdout.isTTY, width: process.stdout.columns };
 * ```
 */
export interface TextOptions {
  readonly color: boolean;
  /** Width of the terminal in columns. */
  readonly width: number;
  /** Returns whether `authgraph check --fix` applies a fix, which is marked; absent to mark none. */
  readonly isApplied?: (fix: Fix) => boolean;
}

/**
 * Renders a diagnostic as several lines, without a line break after the last. Its consequences are
 * only counted.
 */
export const renderDiagnostic = (
  source: SourceFile,
  diagnostic: Diagnostic,
  { color, width, isApplied, consequences = 0 }: TextOptions & { readonly consequences?: number },
): string => {
  const paint = color ? paintWith : plain;
  const severity = severityColors[diagnostic.severity];
  const [headline = '', ...rest] = toPrintable(redactSecrets(messageWithPath(diagnostic))).split(
    '\n',
  );
  const related = diagnostic.related.map((place) => ({
    ...place,
    line: source.positionAt(place.span.start).line,
  }));
  const lastLine = Math.max(
    source.positionAt(diagnostic.span.end).line,
    ...related.map((place) => source.positionAt(place.span.end).line),
  );
  const numberWidth = String(lastLine + 1).length;
  const gutter = paint('34');
  const indent = ' '.repeat(numberWidth);
  const frame = {
    width,
    numberWidth,
    paintGutter: gutter,
  };
  const lines = [
    `${paint(severity)(`${diagnostic.severity}[${diagnostic.code}]`)} ${paint('1')(headline)}`,
    ...rest.map((line) => `${indent}   ${line}`),
    `${indent}${gutter('-->')} ${formatLocation(source, diagnostic.span.start)}`,
    `${indent} ${gutter('|')}`,
    ...codeFrame(source, diagnostic.span, {
      ...frame,
      mark: '^',
      label: '',
      paintMark: paint(severity),
    }),
  ];
  for (const place of related)
    lines.push(
      `${indent} ${gutter('|')}`,
      ...codeFrame(source, place.span, {
        ...frame,
        mark: '-',
        label: toPrintable(place.message),
        paintMark: gutter,
      }),
    );
  const note = (kind: string, text: string): string =>
    `${indent} ${gutter('=')} ${paint('1')(`${kind}:`)} ${toPrintable(text)}`;
  if (consequences > 0)
    lines.push(
      note(
        'note',
        `${consequences} more ${consequences === 1 ? 'error follows' : 'errors follow'} from it`,
      ),
    );
  const { evidence } = diagnostic;
  const shown = evidence === undefined ? undefined : evidenceText(evidence);
  if (evidence !== undefined && shown !== undefined)
    lines.push(note(evidenceLabel(evidence), redactSecrets(shown)));
  if (diagnostic.help !== '') lines.push(note('help', diagnostic.help));
  for (const fix of diagnostic.fixes)
    lines.push(note(isApplied?.(fix) === true ? 'fix (applied by --fix)' : 'fix', fix.title));
  lines.push(note('more', `authgraph explain ${diagnostic.code} (${diagnostic.name})`));
  return lines.join('\n');
};

/**
 * Renders the diagnostics of all files, separated by empty lines: errors first, then advice, each by
 * position. A non-empty result ends with a line break.
 *
 * @example
 * ```ts
 * const source = sourceFile('auth.yaml', text);
 * const { diagnostics } = compile({ source });
 * console.log(renderText([{ source, diagnostics }], { color: false, width: 100 }));
 * ```
 */
export const renderText = (reports: readonly FileReport[], options: TextOptions): string =>
  reports
    .flatMap(({ source, diagnostics }) =>
      foldConsequences(diagnostics).map(({ diagnostic, consequences }) => {
        const form = { ...options, consequences: consequences.length };
        return `${renderDiagnostic(source, diagnostic, form)}\n`;
      }),
    )
    .join('\n');

/**
 * Formats a location as `config.yaml:12:7`, counted from 1, with columns in UTF-16 units as editors
 * count them.
 */
export const formatLocation = (source: SourceFile, offset: number): string => {
  const { line, column } = source.positionAt(offset);
  return `${escapeUnprintable(source.uri)}:${line + 1}:${column + 1}`;
};

const severityColors: Readonly<Record<Severity, string>> = {
  error: '1;31',
  warning: '1;33',
  information: '1;36',
  hint: '1;32',
};

const paintWith =
  (code: string) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${code}m${text}\u001b[0m`;

const plain =
  (_code: string) =>
  (text: string): string =>
    text;
