/** Formats the path of a request through the graph as an indented list. */
import { codeFrame } from '../diagnostics/code-frame.ts';
import { toPrintable } from '../diagnostics/printable.ts';
import { formatLocation } from '../diagnostics/render.ts';
import type { TraceStep } from '../model/trace.ts';
import { type TracedPart, tracedParts } from '../simulate/preview/traced-parts.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Paint } from './color.ts';

export interface PlaceFinder {
  /** Returns the location of a configuration path; `undefined` for artifacts. */
  readonly find: (path: string) => { readonly source: SourceFile; readonly span: Span } | undefined;
}

/**
 * Formats one block per authenticator with one entry per part and its values. Authenticators of other
 * issuers than the token's follow with one line each.
 */
export const traceText = (
  steps: readonly TraceStep[],
  { find, paint }: PlaceFinder & { readonly paint: Paint },
): string => {
  const lines: string[] = [];
  const ofOtherIssuers: string[] = [];
  for (const [owner, parts] of tracedParts(steps)) {
    const place = find(owner);
    const where = place === undefined ? '' : `  ${formatLocation(place.source, place.span.start)}`;
    const title = `${paint('bold', owner)}${paint('dim', where)}`;
    const reason = skippedBecause(parts);
    if (reason === undefined) {
      lines.push(title);
      for (const part of parts) lines.push(...partLines(part, { find, paint }));
    } else ofOtherIssuers.push(`${title}  ${marks.skipped[0]} ${reason}`);
  }
  lines.push(...ofOtherIssuers);
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};

/** Returns why an authenticator is not the one of the token; `undefined` if it decides the token. */
const skippedBecause = (parts: readonly TracedPart[]): string | undefined => {
  const [step, ...others] = parts.flatMap((part) => part.steps);
  return step?.what === 'issuer' && step.outcome === 'skipped' && others.length === 0
    ? toPrintable(clip(step.detail ?? ''))
    : undefined;
};

/** Marks with a meaning of their own, without color. */
const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  value: ['=', 'blue'],
  note: ['·', 'yellow'],
} as const;

/** The maximum length of a value; a claim may be as long as the token. */
const maxValueLength = 300;

const partLines = (
  { path, field, steps, outcome }: TracedPart,
  { find, paint }: PlaceFinder & { readonly paint: Paint },
): readonly string[] => {
  const [mark, color] = marks[outcome];
  const value = steps.findLast((step) => step.value !== undefined)?.value;
  const result = value === undefined ? '' : ` → ${shown(value)}`;
  const place = field === '' ? undefined : find(path);
  const line = place?.source.positionAt(place.span.start).line;
  const where = line === undefined ? '' : `  line ${line + 1}`;
  const title = field === '' ? (steps[0]?.what ?? '') : field;
  const lines = [`  ${paint(color, mark)} ${title}${result}${paint('dim', where)}`];
  const printed = new Set<string>();
  for (const step of steps) {
    const detail = step.detail ?? '';
    if (detail !== '' && !printed.has(detail))
      for (const text of toPrintable(clip(detail)).split('\n'))
        lines.push(`      ${step.outcome === 'failed' ? paint('red', text) : text}`);
    printed.add(detail);
    for (const { expression, value: seen } of step.values ?? [])
      lines.push(`        ${toPrintable(clip(expression))} → ${toPrintable(clip(seen))}`);
  }
  return lines;
};

const shown = (value: unknown): string => toPrintable(clip(JSON.stringify(value) ?? ''));

const clip = (text: string): string =>
  text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`;

/** Returns the lines of the file that caused a rejection. */
export const rejectionFrame = (
  path: string | undefined,
  { find, paint, width }: PlaceFinder & { readonly paint: Paint; readonly width: number },
): readonly string[] => {
  if (path === undefined) return [];
  // Prefers the evaluated expression to the whole entry.
  const place =
    find(`${path}.expression`) ??
    find(`${path}.valueExpression`) ??
    find(`${path}.claim`) ??
    find(path);
  if (place === undefined) return [];
  const { source, span } = place;
  const numberWidth = String(source.positionAt(span.end).line + 1).length;
  return [
    `${' '.repeat(numberWidth)}${paint('blue', '-->')} ${formatLocation(source, span.start)}`,
    ...codeFrame(source, span, {
      width,
      numberWidth,
      mark: '^',
      label: '',
      paintMark: (text) => paint('red', text),
      paintGutter: (text) => paint('blue', text),
    }),
  ];
};
