/** The way of a request through the graph, as an indented list with marks. */
import { codeFrame } from '../diagnostics/code-frame.ts';
import { printable } from '../diagnostics/printable.ts';
import { placeOf } from '../diagnostics/render.ts';
import type { TraceStep } from '../model/trace.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Paint } from './paint.ts';

export interface PlaceFinder {
  /** Where the part at this path of the configuration stands; `undefined` for artefacts. */
  readonly find: (path: string) => { readonly source: SourceFile; readonly span: Span } | undefined;
}

/** One block an authenticator, one line a step, values below their step. */
export const traceText = (
  steps: readonly TraceStep[],
  { find, paint }: PlaceFinder & { readonly paint: Paint },
): string => {
  const lines: string[] = [];
  let owner: string | undefined;
  for (const step of steps) {
    const stepOwner = ownerOf(step.at);
    if (stepOwner !== owner) {
      owner = stepOwner;
      const place = find(stepOwner);
      const where = place === undefined ? '' : `  ${placeOf(place.source, place.span.start)}`;
      lines.push(`${paint('bold', stepOwner)}${paint('dim', where)}`);
    }
    lines.push(...stepLines(step, { find, paint }));
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};

/** Marks that say the same without colour. */
const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
  value: ['=', 'blue'],
  note: ['·', 'yellow'],
} as const;

/** Longest value on one line; a token's claim may be as long as the token. */
const maxValueLength = 300;

const stepLines = (
  step: TraceStep,
  { find, paint }: PlaceFinder & { readonly paint: Paint },
): readonly string[] => {
  const [mark, color] = marks[step.outcome];
  const part = step.at.slice(ownerOf(step.at).length).replace(/^\./, '');
  const value = step.value === undefined ? '' : ` → ${shown(step.value)}`;
  const place = part === '' ? undefined : find(step.at);
  const where =
    place === undefined ? '' : `  line ${place.source.positionAt(place.span.start).line + 1}`;
  const title = part === '' ? step.what : `${step.what} ${part}`;
  const lines = [`  ${paint(color, mark)} ${title}${value}${paint('dim', where)}`];
  for (const { expression, value: seen } of step.values ?? [])
    lines.push(`      ${printable(clip(expression))} → ${printable(clip(seen))}`);
  if (step.detail !== undefined && step.detail !== '')
    for (const line of printable(clip(step.detail)).split('\n'))
      lines.push(`      ${step.outcome === 'failed' ? paint('red', line) : line}`);
  return lines;
};

/** `jwt[0]` of `jwt[0].claimMappings.username`. */
const ownerOf = (path: string): string => /^[A-Za-z]+(?:\[\d+\])?/.exec(path)?.[0] ?? path;

const shown = (value: unknown): string => printable(clip(JSON.stringify(value) ?? ''));

const clip = (text: string): string =>
  text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`;

/** The lines of the file on which a refusal stands. */
export const refusalFrame = (
  path: string | undefined,
  { find, paint, width }: PlaceFinder & { readonly paint: Paint; readonly width: number },
): readonly string[] => {
  const place = path === undefined ? undefined : find(path);
  if (place === undefined) return [];
  const { source, span } = place;
  const numberWidth = String(source.positionAt(span.end).line + 1).length;
  return [
    `${' '.repeat(numberWidth)}${paint('blue', '-->')} ${placeOf(source, span.start)}`,
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
