/**
 * Fixes that add a field, or remove a field or an item, in the layout of the file: block or flow,
 * YAML or JSON. There is no fix if the layout is too unusual to be sure.
 */
import type { Fix } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import type { RulePlace } from './server-rule.ts';

export interface NewField {
  readonly name: string;
  /** The value in a form that is valid in both YAML and JSON. */
  readonly value: string;
  /** The section that the field is added to. */
  readonly section: Span;
  /** The value after which the field is inserted. */
  readonly after: Span;
}

export const insertField = (place: RulePlace, field: NewField): readonly Fix[] => {
  const { source, format } = place;
  const { text } = source;
  const title = `Add ${field.name}: ${field.value}`;
  const { after, section } = field;
  if (after.start < section.start || after.end > section.end) return [];
  if (hasKey(text.slice(section.start, section.end), field.name)) return [];
  if (text[section.start] === '{') {
    const name = format === 'json' ? `"${field.name}"` : field.name;
    const newText = `, ${name}: ${field.value}`;
    return [{ title, edits: [{ span: span(after.end, after.end), newText }] }];
  }
  const column = blockColumn(source, section);
  if (column === undefined) return [];
  const newText = `${lineBreakOf(text)}${' '.repeat(column)}${field.name}: ${field.value}`;
  const at = endOfLine(text, after.end);
  return [{ title, edits: [{ span: span(at, at), newText }] }];
};

/** Returns the column of the keys of a section in block style. */
export const blockColumn = ({ text }: SourceFile, section: Span): number | undefined => {
  const before = text.slice(startOfLine(text, section.start), section.start);
  return /^[ -]*$/.test(before) && isKey(text, section.start) ? before.length : undefined;
};

const isKey = (text: string, at: number): boolean =>
  /["'\w]/.test(text[at] ?? '') &&
  /^(?:"[^"\n]*"|'[^'\n]*'|\w+)[ \t]*:/.test(text.slice(at, at + 100));

/** Returns true if the section may have the key, even without a value, such as `prefix: null`. */
export const hasKey = (section: string, name: string): boolean =>
  new RegExp(`(?:^|[\\s{,"'])${name}["']?\\s*:`).test(section);

/** Removes an item and the separator before it. */
export const removeItem = (
  { source: { text } }: RulePlace,
  item: Span,
  previous: Span,
): readonly Fix[] => {
  const between = text.slice(previous.end, item.start);
  const title = 'Remove it';
  if (/^\s*,\s*$/.test(between))
    return [{ title, edits: [{ span: span(previous.end, item.end), newText: '' }] }];
  const dash = /\r?\n[ \t]*-[ \t]+$/.exec(between);
  const rest = text.slice(item.end, endOfLine(text, item.end));
  if (dash === null || !/^[ \t]*(?:#.*)?$/.test(rest)) return [];
  const start = previous.end + dash.index;
  return [{ title, edits: [{ span: span(start, item.end + rest.length), newText: '' }] }];
};

/** Removes a field and the separator next to it. The section must have another field. */
export const removeField = (
  { source: { text } }: { readonly source: Pick<SourceFile, 'text'> },
  name: string,
  value: Span,
): TextEdit | undefined => {
  const head = new RegExp(`(?:"${name}"|'${name}'|(?<![\\w"'])${name})[ \\t]*:\\s*$`).exec(
    text.slice(Math.max(0, value.start - 200), value.start),
  );
  if (head === null) return undefined;
  const key = value.start - head[0].length;
  const before = text.slice(0, key).trimEnd();
  const rest = /^\s*/.exec(text.slice(value.end))?.[0].length ?? 0;
  const next = text[value.end + rest] ?? '';
  if (next === ',' || next === '}' || next === ']')
    return fieldInFlow({ key, value, before, next: value.end + rest }, text);
  return fieldInBlock(key, value, text);
};

/** Removes one or more fields of a section; absent ones are skipped. */
export const withoutFields = (
  place: RulePlace,
  fields: readonly (readonly [name: string, value: Span | undefined])[],
): readonly Fix[] => {
  const present = fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const edits = present.map(({ name, value }) => removeField(place, name, value));
  const known = edits
    .filter((edit) => edit !== undefined)
    .sort((one, other) => one.span.start - other.span.start);
  const overlap = known.some((edit, at) => edit.span.start < (known[at - 1]?.span.end ?? 0));
  if (known.length < present.length || known.length === 0 || overlap) return [];
  return [{ title: `Remove ${present.map(({ name }) => name).join(' and ')}`, edits: known }];
};

const fieldInFlow = (
  at: {
    readonly key: number;
    readonly value: Span;
    readonly before: string;
    readonly next: number;
  },
  text: string,
): TextEdit | undefined => {
  if (at.before.endsWith(','))
    return { span: span(at.before.length - 1, at.value.end), newText: '' };
  if (!at.before.endsWith('{')) return undefined;
  if (text[at.next] !== ',') return { span: span(at.key, at.value.end), newText: '' };
  const gap = /^\s*/.exec(text.slice(at.next + 1))?.[0].length ?? 0;
  return { span: span(at.key, at.next + 1 + gap), newText: '' };
};

const fieldInBlock = (key: number, value: Span, text: string): TextEdit | undefined => {
  const lineStart = startOfLine(text, key);
  const lead = text.slice(lineStart, key);
  const lineEnd = endOfLine(text, value.end);
  if (!/^[ \t]*(?:#.*)?$/.test(text.slice(value.end, lineEnd))) return undefined;
  if (/^ *$/.test(lead)) {
    if (lineStart === 0) return undefined;
    const width = text.slice(lineStart - 2, lineStart) === '\r\n' ? 2 : 1;
    return { span: span(lineStart - width, lineEnd), newText: '' };
  }
  if (!/^[ -]*- +$/.test(lead)) return undefined;
  // The next key moves up behind the dash.
  const next = /^(?:[ \t]*\r?\n)+( *)(?=["'\w])/.exec(text.slice(lineEnd));
  if (next?.[1]?.length !== lead.length) return undefined;
  return { span: span(key, lineEnd + next[0].length), newText: '' };
};

/** Returns the first line of a section, where missing fields are reported. */
export const firstLineOf = (place: RulePlace, section: Span): Span => {
  const { source } = place;
  const { line } = source.positionAt(section.start);
  const lineStart = source.offsetAt({ line, column: 0 });
  const end = Math.min(section.end, lineStart + source.lineText(line).length);
  return span(section.start, Math.max(section.start, end));
};

/** Returns the line break of the first line. */
export const lineBreakOf = (text: string): string =>
  text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';

export const startOfLine = (text: string, at: number): number => lineAround(text, at).start;

export const endOfLine = (text: string, at: number): number => lineAround(text, at).end;

interface Line {
  readonly text: string;
  readonly start: number;
  /** Offset of the line break. */
  readonly end: number;
}

/** The line that was looked up last: a file may have many findings in one line. */
let lastLine: Line = { text: '', start: 0, end: 0 };

const lineAround = (text: string, at: number): Line => {
  const { start, end } = lastLine;
  if (at < start || at > end || lastLine.text !== text) lastLine = findLine(text, at);
  return lastLine;
};

const findLine = (text: string, at: number): Line => {
  let start = at;
  while (start > 0 && !isLineEnd(text, start - 1)) start -= 1;
  let end = at;
  while (end < text.length && !isLineEnd(text, end)) end += 1;
  return { text, start, end };
};

/** YAML also ends a line at a carriage return. */
const isLineEnd = (text: string, at: number): boolean => text[at] === '\n' || text[at] === '\r';
