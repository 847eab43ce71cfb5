/** Fixes that add a field or take an item away, in the layout of the file. */
import type { Fix } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../source/span.ts';
import { span } from '../../source/span.ts';
import type { RulePlace } from './server-rule.ts';

export interface NewField {
  readonly name: string;
  /** As it stands in YAML and in JSON alike. */
  readonly value: string;
  /** The section that gets the field. */
  readonly section: Span;
  /** The value behind which it stands. */
  readonly after: Span;
}

/** No fix where the layout is too unusual to be sure. */
export const insertField = (place: RulePlace, field: NewField): readonly Fix[] => {
  const { source, format } = place;
  const { text } = source;
  const title = `Add ${field.name}: ${field.value}`;
  const { after, section } = field;
  if (text.slice(after.start, after.end).includes('\n')) return [];
  if (after.start < section.start || after.end > section.end) return [];
  if (text[section.start] === '{') {
    const name = format === 'json' ? `"${field.name}"` : field.name;
    const newText = `, ${name}: ${field.value}`;
    return [{ title, edits: [{ span: span(after.end, after.end), newText }] }];
  }
  const { line, column } = source.positionAt(section.start);
  const before = source.lineText(line).slice(0, column);
  if (!/^[ -]*$/.test(before)) return [];
  const afterLine = source.positionAt(after.end).line;
  const lineEnd = source.offsetAt({ line: afterLine, column: source.lineText(afterLine).length });
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const newText = `${lineBreak}${' '.repeat(column)}${field.name}: ${field.value}`;
  return [{ title, edits: [{ span: span(lineEnd, lineEnd), newText }] }];
};

/** Removes an item together with what parts it from the one before. */
export const removeItem = (place: RulePlace, item: Span, previous: Span): readonly Fix[] => {
  const between = place.source.text.slice(previous.end, item.start);
  if (!/^(?:\s*,\s*|[ \t]*\r?\n[ \t]*-[ \t]+)$/.test(between)) return [];
  const edits = [{ span: span(previous.end, item.end), newText: '' }];
  return [{ title: 'Remove it', edits }];
};

/** The first line of a section: where something that is missing is reported. */
export const headOf = (place: RulePlace, section: Span): Span => {
  const { source } = place;
  const { line } = source.positionAt(section.start);
  const lineStart = source.offsetAt({ line, column: 0 });
  const end = Math.min(section.end, lineStart + source.lineText(line).length);
  return span(section.start, Math.max(section.start, end));
};
