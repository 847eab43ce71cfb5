/** The order in which diagnostics are reported, and which of them are consequences of others. */
import type { Diagnostic, Severity } from './diagnostic.ts';

/** A diagnostic with those that disappear once it is fixed. */
export interface FoldedDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly consequences: readonly Diagnostic[];
}

/** Sorts by severity, the worst first, and then by position; the order at one position is kept. */
export const inReportOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) => rankOf(a) - rankOf(b) || a.span.start - b.span.start);

const rankOf = ({ severity }: Diagnostic): number => severities.indexOf(severity);

const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** Sorts diagnostics for a report, with each consequence under its cause if that is reported, too. */
export const foldConsequences = (
  diagnostics: readonly Diagnostic[],
): readonly FoldedDiagnostic[] => {
  const ordered = inReportOrder(diagnostics);
  const byCause = new Map<string, Diagnostic[]>();
  for (const one of ordered) if (one.consequenceOf === undefined) byCause.set(keyOf(one), []);
  const shown = ordered.filter(({ consequenceOf }) => {
    return consequenceOf === undefined || !byCause.has(keyOf(consequenceOf));
  });
  for (const one of ordered)
    if (one.consequenceOf !== undefined) byCause.get(keyOf(one.consequenceOf))?.push(one);
  return shown.map((diagnostic) => {
    const key = keyOf(diagnostic);
    const consequences = byCause.get(key) ?? [];
    // The first of several diagnostics of one field has the consequences.
    byCause.delete(key);
    return { diagnostic, consequences };
  });
};

const keyOf = ({ code, path = '' }: { readonly code: string; readonly path?: string }): string =>
  `${code} ${path}`;

/** Returns the message with the field path in front, as kube-apiserver prints it. */
export const messageWithPath = ({ message, path = '' }: Diagnostic): string =>
  path === '' || message.startsWith(`${path}: `) || /^(?:unknown|duplicate) field "/.test(message)
    ? message
    : `${path}: ${message}`;
