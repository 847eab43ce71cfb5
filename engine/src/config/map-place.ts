/**
 * Finds the place of an offset in a map without a schema, such as the claims of a sample, complete
 * or not. It supports block layout and JSON, but neither lists nor the flow style.
 */
import { type LooseScalar, readLooseScalar } from '../documents/yaml/loose-scalar.ts';
import type { SourceFile } from '../source/source-file.ts';
import { type Span, span, touches } from '../source/span.ts';
import { indentOfLine, readLine } from './block-lines.ts';

/** A place in a map with arbitrary names, such as sample claims. */
export type MapPlace =
  | {
      readonly kind: 'key';
      readonly layout: 'block' | 'json';
      /** Names of the enclosing maps, the outermost first. */
      readonly path: readonly string[];
      readonly written: Span;
      readonly quoted: boolean;
      readonly hasColon: boolean;
      readonly present: ReadonlySet<string>;
    }
  | {
      readonly kind: 'value';
      readonly layout: 'block' | 'json';
      /** Names of the enclosing maps and of the value. */
      readonly path: readonly string[];
      readonly scalar: LooseScalar;
    };

/**
 * Returns the place of an offset; `undefined` in lists, in comments and between complete values.
 */
export const mapPlaceAt = (source: SourceFile, offset: number): MapPlace | undefined =>
  /^\s*\{/.test(source.text) ? jsonPlace(source.text, offset) : blockPlace(source, offset);

const blockPlace = (source: SourceFile, offset: number): MapPlace | undefined => {
  const { line, column } = source.positionAt(offset);
  const own = readLine(source, line);
  const rest = own.text.slice(own.content);
  if (own.dashes.length > 0 || rest.startsWith('#')) return undefined;
  const { key } = own;
  const keyColumn = own.isEmpty ? column : own.content;
  const path = parentsOf(source, line, keyColumn);
  if (path === undefined) return undefined;
  if (key !== undefined && column > key.colon) {
    const at = key.hasValue ? key.value : offset;
    const scalar = readLooseScalar(source.text, at, { indent: own.content, flow: false });
    if (!touches(scalar.span, offset) || /^[|>[{]/.test(source.text.slice(at, at + 1)))
      return undefined;
    return { kind: 'value', layout: 'block', path: [...path, key.name], scalar };
  }
  const word = /^(["']?)([^"':#]*)$/.exec(rest.trimEnd());
  if (column < keyColumn || (key === undefined && word === null)) return undefined;
  const quotes = word?.[1]?.length ?? 0;
  const start = own.isEmpty ? offset : own.start + own.content + quotes;
  const written = key?.span ?? span(start, own.isEmpty ? offset : start + (word?.[2]?.length ?? 0));
  return {
    kind: 'key',
    layout: 'block',
    path,
    written,
    quoted: quotes === 1 || key?.quoted === true,
    hasColon: key !== undefined,
    present: siblingNames(source, line, keyColumn),
  };
};

/** Returns the names of the enclosing maps; `undefined` below a list or a scalar. */
const parentsOf = (
  source: SourceFile,
  below: number,
  column: number,
): readonly string[] | undefined => {
  const path: string[] = [];
  let limit = column;
  for (let at = below - 1; at >= 0 && limit > 0; at -= 1) {
    const indent = indentOfLine(source, at);
    if (indent === undefined || indent >= limit) continue;
    const { key, dashes } = readLine(source, at);
    if (key === undefined || key.hasValue || dashes.length > 0) return undefined;
    path.unshift(key.name);
    limit = indent;
  }
  return limit === 0 ? path : undefined;
};

const siblingNames = (source: SourceFile, own: number, column: number): ReadonlySet<string> => {
  const names = new Set<string>();
  const walk = (from: number, by: 1 | -1): void => {
    for (let at = from; at >= 0 && at < source.lineCount; at += by) {
      const indent = indentOfLine(source, at);
      if (indent === undefined || indent > column) continue;
      if (indent < column) return;
      const { key } = readLine(source, at);
      if (key !== undefined) names.add(key.name);
    }
  };
  walk(own - 1, -1);
  walk(own + 1, 1);
  return names;
};

interface Frame {
  readonly isMap: boolean;
  readonly names: string[];
  key: string | undefined;
  /** True after the colon of the key. */
  colon: boolean;
}

/**
 * Reads the tokens before the offset; the names after it are collected up to the end of the map.
 */
const jsonPlace = (text: string, offset: number): MapPlace | undefined => {
  const frames: Frame[] = [];
  let found: { readonly frame: Frame; readonly place: MapPlace } | undefined;
  const place = (at: number, scalar: LooseScalar | undefined): MapPlace | undefined => {
    const frame = frames.at(-1);
    if (frame === undefined || !frame.isMap || frames.some(({ isMap }) => !isMap)) return undefined;
    const path = frames.slice(0, -1).flatMap(({ key }) => (key === undefined ? [] : [key]));
    const value = scalar ?? readLooseScalar(text, at, { indent: -1, flow: true });
    if (frame.colon)
      return { kind: 'value', layout: 'json', path: [...path, frame.key ?? ''], scalar: value };
    const end = value.span.end - (value.closed ? 1 : 0);
    const written = scalar === undefined ? span(at, at) : span(value.span.start + 1, end);
    const hasColon = scalar !== undefined && /^\s*:/.test(text.slice(value.span.end));
    const { present, quoted } = { present: new Set<string>(), quoted: scalar !== undefined };
    return { kind: 'key', layout: 'json', path, written, quoted, hasColon, present };
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    const frame = frames.at(-1);
    if (found === undefined && at >= offset) {
      const here = place(offset, undefined);
      if (frame === undefined || here === undefined) return undefined;
      found = { frame, place: here };
    }
    if (letter === '"') {
      const scalar = readLooseScalar(text, at, { indent: -1, flow: true });
      const inside = offset > at && offset < scalar.span.end + (scalar.closed ? 0 : 1);
      if (inside && found === undefined) {
        const here = place(at, scalar);
        if (frame === undefined || here === undefined) return undefined;
        found = { frame, place: here };
      } else if (frame?.isMap === true && !frame.colon) {
        frame.key = scalar.text;
        frame.names.push(scalar.text);
      }
      at = scalar.span.end - 1;
    } else if (letter === '{' || letter === '[')
      frames.push({ isMap: letter === '{', names: [], key: undefined, colon: false });
    else if (letter === '}' || letter === ']') {
      frames.pop();
      if (found !== undefined && frame === found.frame) break;
    } else if (letter === ':' && frame !== undefined) frame.colon = true;
    else if (letter === ',' && frame !== undefined) frame.colon = false;
  }
  if (found === undefined) return place(text.length, undefined);
  const { place: here, frame } = found;
  return here.kind === 'value' ? here : { ...here, present: new Set(frame.names) };
};
