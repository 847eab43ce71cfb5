/**
 * Finds the place of an offset in a configuration: a field's name, its value, or room for either.
 * It reads the lines upwards from the cursor, so that it works in a text that no parser accepts
 * yet, and it never parses the whole file.
 */
import {
  type LooseScalar,
  readLooseLine,
  readLooseScalar,
} from '../documents/yaml/loose-scalar.ts';
import type { SourceFile } from '../source/source-file.ts';
import { span } from '../source/span.ts';
import { type BlockLine, indentOfLine, readLine } from './block-lines.ts';
import { collectSteps, fitsColumn, linesAt, type Step, siblingsOf } from './block-steps.ts';
import { flowPlaceAt } from './flow-place.ts';
import type { ConfigPlace, KeyPlace, TypedPath } from './place.ts';
import type { FieldRow } from './schema.ts';
import { fieldBelow, itemBelow, rootPath } from './typed-path.ts';

export type { ConfigPlace, ItemPlace, KeyPlace, OpenPlace, ValuePlace } from './place.ts';

/**
 * Returns the place of an offset; `undefined` in comments, after complete values, below unknown
 * fields, and in strings that are not part of the schema.
 */
export const placeAt = (source: SourceFile, offset: number): ConfigPlace | undefined => {
  const { text } = source;
  const brace = /^\s*\{/.exec(text);
  if (brace !== null) {
    const flow = { text, start: brace[0].length - 1, layout: 'json' } as const;
    if (offset <= flow.start) return undefined;
    const answer = flowPlaceAt(flow, rootPath, offset);
    return answer.kind === 'inside' ? answer.place : undefined;
  }
  return blockPlace(source, offset);
};

const blockPlace = (source: SourceFile, offset: number): ConfigPlace | undefined => {
  const { line, column } = source.positionAt(offset);
  const cursorLine = readLine(source, line);
  const steps: Step[] = [];
  let limit = Math.min(
    column,
    cursorLine.isEmpty && cursorLine.dashes.length === 0 ? column : cursorLine.content,
  );
  const { key } = cursorLine;
  if (key !== undefined && column > key.colon) {
    steps.push({ kind: 'key', line: cursorLine, column: cursorLine.content });
    limit = cursorLine.content;
  }
  for (const dash of cursorLine.dashes.toReversed()) {
    // The space after the dash has not been typed yet.
    if (dash + 1 === column) limit = dash;
    if (dash + 1 >= column) continue;
    steps.push({ kind: 'dash', line: cursorLine, column: dash, index: 0 });
    limit = dash;
  }
  collectSteps(source, { from: line - 1, limit, steps });
  return descend(source, { offset, column, own: cursorLine, steps: steps.toReversed() });
};

interface Descent {
  readonly offset: number;
  readonly column: number;
  readonly own: BlockLine;
  /** Enclosing steps, the outermost first. */
  readonly steps: readonly Step[];
}

const descend = (source: SourceFile, place: Descent): ConfigPlace | undefined => {
  const { steps } = place;
  let at: TypedPath = rootPath;
  let last: Step | undefined;
  for (const step of steps) {
    if (step.kind === 'text') return undefined;
    if (step.kind === 'dash') {
      const item = itemBelow(at, step.index);
      if (item === undefined) return undefined;
      at = item;
      const written = step.line.start + step.line.content;
      const found =
        step.line.key === undefined ? placeInside(source, place, { at, step, written }) : undefined;
      if (found !== undefined) return found.place;
    } else {
      const { key } = step.line;
      const below = key === undefined ? undefined : fieldBelow(at, key.name);
      if (key === undefined || below === undefined) return undefined;
      at = below;
      const found = placeInside(source, place, { at, step, written: key.value });
      if (found !== undefined) return found.place;
    }
    last = step;
  }
  return placeAtEnd(source, place, { at, last });
};

/**
 * Returns the place inside the value of a step, if the offset is in it: a scalar, brackets, or an
 * empty value.
 */
const placeInside = (
  source: SourceFile,
  { offset, own }: Descent,
  value: {
    readonly at: TypedPath;
    readonly step: Exclude<Step, { kind: 'text' }>;
    readonly written: number;
  },
): { readonly place: ConfigPlace | undefined } | undefined => {
  const { at, step, written } = value;
  const { line } = step;
  const { text } = source;
  const lineEnd = line.start + line.text.length;
  const rest = text.slice(written, lineEnd);
  const isEmpty = rest.trim() === '' || (/^#/.test(rest) && /\s/.test(text[written - 1] ?? ' '));
  const shift = own.content - own.indent;
  if (isComment(rest, written, offset)) return { place: undefined };
  if (at.type.kind === 'struct' || at.type.kind === 'list') {
    if (/^[{[]/.test(rest) && offset > written) {
      const answer = flowPlaceAt({ text, start: written, layout: 'flow' }, at, offset);
      if (answer.kind === 'inside') return answer;
      return { place: undefined };
    }
    // Further lines below continue the value; on the line of its key it can still be started.
    if (line !== own || step.kind === 'dash') return undefined;
    const owner = at.owner;
    if (owner === undefined || !isEmpty) return { place: undefined };
    return {
      place: {
        kind: 'open',
        path: at.path,
        layout: 'block',
        offset: shift,
        row: owner.row,
        type: at.type,
        written: span(offset, offset),
      },
    };
  }
  const { owner } = at;
  if (owner === undefined) return { place: undefined };
  if (isEmpty && line !== own) return valueBelowKey(source, { offset, own, step, at });
  const quoted = readLooseScalar(text, isEmpty ? offset : written, {
    indent: step.column,
    flow: false,
  });
  const scalar = continuesAfterQuote(source, quoted, { offset, row: owner.row })
    ? readLooseLine(text, written)
    : quoted;
  const isBlock = scalar.style === 'literal' || scalar.style === 'folded';
  const first = source.positionAt(written).line;
  if (isBlock && own.line === first) return { place: undefined };
  if (!reachesOffset(source, scalar, offset)) return { place: undefined };
  return {
    place: {
      kind: 'value',
      path: at.path,
      layout: 'block',
      offset: shift,
      ...owner,
      type: at.type,
      scalar,
      siblings: siblingsOf(source, step),
    },
  };
};

/**
 * Returns true for an expression that starts with a string literal: it looks like a quoted scalar
 * with more text after it. YAML rejects that, but people write it.
 */
const continuesAfterQuote = (
  source: SourceFile,
  { span: where, style, closed }: LooseScalar,
  { offset, row }: { readonly offset: number; readonly row: FieldRow },
): boolean => {
  if (row.expression === undefined || !closed || (style !== 'single' && style !== 'double'))
    return false;
  const { line } = source.positionAt(where.end);
  const isBehind = offset > where.end && source.positionAt(offset).line === line;
  return isBehind && /^\s*[^\s#]/.test(source.text.slice(where.end, offset));
};

/** A value may start on the line below its key. */
const valueBelowKey = (
  source: SourceFile,
  {
    offset,
    own,
    step,
    at,
  }: {
    readonly offset: number;
    readonly own: BlockLine;
    readonly step: Step;
    readonly at: TypedPath;
  },
): { readonly place: ConfigPlace | undefined } => {
  if (step.kind === 'text' || at.owner === undefined) return { place: undefined };
  const from = firstBelow(source, step.line.line, own.line);
  const start = from.start + from.content;
  const scalar = readLooseScalar(source.text, own.isEmpty && from === own ? offset : start, {
    indent: step.column,
    flow: false,
  });
  return {
    place: {
      kind: 'value',
      path: at.path,
      layout: 'block',
      offset: 0,
      ...at.owner,
      type: at.type,
      scalar,
      siblings: siblingsOf(source, step),
    },
  };
};

const firstBelow = (source: SourceFile, above: number, own: number): BlockLine => {
  for (let line = above + 1; line < own; line += 1)
    if (indentOfLine(source, line) !== undefined) return readLine(source, line);
  return readLine(source, own);
};

const isComment = (rest: string, start: number, offset: number): boolean => {
  const comment = /(?:^|\s)#/.exec(rest);
  return (
    comment !== null &&
    comment.index === 0 &&
    offset > start + comment[0].length - 1 &&
    /^#/.test(rest)
  );
};

/**
 * Returns true if the offset is in the scalar, directly after it, or where the next character would
 * be part of it.
 */
const reachesOffset = (source: SourceFile, scalar: LooseScalar, offset: number): boolean => {
  const { span: where, style, closed } = scalar;
  if (style === 'double' || style === 'single')
    return offset > where.start && (closed ? offset < where.end : offset <= where.end);
  if (offset < where.start) return false;
  return offset <= where.end || source.text.slice(where.end, offset).trim() === '';
};

/**
 * Returns the place at the end of the enclosing steps: a struct or a list that can be extended
 * there.
 */
const placeAtEnd = (
  source: SourceFile,
  { offset, column, own }: Descent,
  { at, last }: { readonly at: TypedPath; readonly last: Step | undefined },
): ConfigPlace | undefined => {
  const rest = own.text.slice(own.content);
  if (rest.startsWith('#') && column > own.content) return undefined;
  if (/^(?:---|\.\.\.)/.test(own.text)) return undefined;
  const shift = own.content - own.indent;
  if (at.type.kind === 'list') {
    const written = own.text.slice(0, column).trim();
    if (at.owner === undefined || !['', '-'].includes(written) || own.dashes.length > 1)
      return undefined;
    if (!fitsColumn(source, last, written === '' ? column : own.indent)) return undefined;
    if (own.text.slice(column).trim() !== '') return undefined;
    return {
      kind: 'item',
      path: at.path,
      layout: 'block',
      offset: 0,
      row: at.owner.row,
      type: at.type.item,
      written: span(offset - written.length, offset),
    };
  }
  if (at.type.kind !== 'struct') return undefined;
  const keyColumn = own.isEmpty && !rest.startsWith('#') ? column : own.content;
  if (rest.startsWith('#') || column < keyColumn) return undefined;
  if (own.key === undefined && !/^(?:["']?[\w-]*["']?)?\s*$/.test(rest)) return undefined;
  if (!fitsColumn(source, last, keyColumn)) return undefined;
  return keyPlace(source, { offset, own, at, struct: at.type.struct, keyColumn, shift });
};

const keyPlace = (
  source: SourceFile,
  place: {
    readonly offset: number;
    readonly own: BlockLine;
    readonly at: TypedPath;
    readonly struct: KeyPlace['struct'];
    readonly keyColumn: number;
    readonly shift: number;
  },
): KeyPlace => {
  const { offset, own, at, struct, keyColumn } = place;
  const { key } = own;
  const word = /^(["']?)([\w-]*)/.exec(own.text.slice(own.content));
  const quotes = word?.[1]?.length ?? 0;
  const name = key?.name ?? word?.[2] ?? '';
  const start = own.start + own.content + quotes;
  const isEmpty = own.isEmpty;
  const present = new Set<string>();
  for (const line of linesAt(source, own.line, keyColumn))
    if (line.key !== undefined && line.line !== own.line && line.content === keyColumn)
      present.add(line.key.name);
  return {
    kind: 'key',
    path: at.path,
    layout: 'block',
    offset:
      keyColumn - own.indent < 0 || (own.isEmpty && own.dashes.length === 0)
        ? 0
        : keyColumn - own.indent,
    struct,
    written: isEmpty ? span(offset, offset) : (key?.span ?? span(start, start + name.length)),
    name: isEmpty ? '' : name,
    quoted: quotes === 1,
    hasColon: key !== undefined,
    present,
  };
};
