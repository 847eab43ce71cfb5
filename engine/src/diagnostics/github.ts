/** Diagnostics as workflow commands, which GitHub shows next to the changed lines. */
import type { SourceFile } from '../source/source-file.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { evidenceLine } from './evidence.ts';
import type { FileReport } from './render.ts';
import { foldConsequences, messageWithPath } from './report-order.ts';

/** Returns one command per line; a non-empty result ends with a line break. */
export const githubAnnotations = (reports: readonly FileReport[]): string =>
  reports
    .flatMap(({ source, diagnostics }) =>
      foldConsequences(diagnostics).map(({ diagnostic }) => `${annotation(source, diagnostic)}\n`),
    )
    .join('');

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

const annotation = (source: SourceFile, diagnostic: Diagnostic): string => {
  const start = source.positionAt(diagnostic.span.start);
  const end = source.positionAt(diagnostic.span.end);
  const properties = [
    `file=${escapeProperty(source.uri)}`,
    `line=${start.line + 1}`,
    // GitHub rejects columns for annotations that span several lines.
    ...(start.line === end.line
      ? [`col=${start.column + 1}`, `endColumn=${end.column + 1}`]
      : [`endLine=${end.line + 1}`]),
    `title=${escapeProperty(`${diagnostic.code} ${diagnostic.name}`)}`,
  ];
  const help = diagnostic.help === '' ? '' : `\n${diagnostic.help}`;
  return `::${commands[diagnostic.severity]} ${properties.join(',')}::${escapeData(messageWithPath(diagnostic) + evidenceLine(diagnostic) + help)}`;
};

/** Returns the command for an error at a line. */
export const githubAnnotation = ({
  file,
  line,
  title,
  message,
}: {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly title: string;
  readonly message: string;
}): string =>
  `::error file=${escapeProperty(file)},line=${line},title=${escapeProperty(title)}::${escapeData(message)}`;

/**
 * Escapes line breaks in GitHub's notation, and all other unprintable characters as for a terminal.
 */
const escapeData = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .split(/(\t|\r|\n)/)
    .map((part) => lineEnds.get(part) ?? escapeUnprintable(part))
    .join('');

const lineEnds: ReadonlyMap<string, string> = new Map([
  ['\t', '\t'],
  ['\r', '%0D'],
  ['\n', '%0A'],
]);

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
