/** Adds a case to the text of a test file; comments and layout of the file stay as they are. */
import type { MappingEntry, YamlNode } from '../../documents/yaml/document.ts';
import { parseDocument } from '../../documents/yaml/parse.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { type WrittenCase, writeCases } from './write-cases.ts';

/** Returns the edits that add a case to the end of the list, or why the file cannot be extended. */
export const appendCase = (
  source: SourceFile,
  added: WrittenCase,
): readonly TextEdit[] | string => {
  const { root, diagnostics } = parseDocument(source, { limits: 'refuse', as: 'yaml' });
  const [mistake] = diagnostics;
  if (mistake !== undefined) return `the test file has mistakes: ${mistake.message}`;
  const insert = (at: number, lines: string): TextEdit => insertion(source.text, at, lines);
  if (root === undefined) return [insert(source.text.length, listOf(added))];
  if (root.kind !== 'mapping' || root.flow)
    return 'the test file is in flow style: write its fields on lines of their own';
  const entry = root.entries.find(({ key }) => key.kind === 'scalar' && key.text === 'tests');
  if (entry === undefined) return [insert(lineEnd(source.text, root.span.end), listOf(added))];
  return appendToList(source.text, entry, added, insert);
};

const appendToList = (
  text: string,
  { key, value }: MappingEntry,
  added: WrittenCase,
  insert: (at: number, lines: string) => TextEdit,
): readonly TextEdit[] | string => {
  if (isEmptyList(value)) {
    const after = insert(
      lineEnd(text, Math.max(key.span.end, value.span.end)),
      writeCases([added]),
    );
    return value.span.start === value.span.end
      ? [after]
      : [{ span: value.span, newText: '' }, after];
  }
  if (value.kind !== 'sequence' || value.flow)
    return 'tests is not a block list: write each case on lines of its own, after a dash';
  const indent = value.span.start - lineStart(text, value.span.start);
  const end = endOfItem(text, lineEnd(text, value.span.end), indent);
  return [insert(end, indented(writeCases([added]), indent))];
};

const listOf = (added: WrittenCase): string => `tests:\n${writeCases([added])}`;

/** Returns whether the value is `[]`, absent or null. */
const isEmptyList = (value: YamlNode): boolean =>
  value.kind === 'sequence'
    ? value.flow && value.items.length === 0
    : value.kind === 'scalar' && value.implicit && /^(?:~|null|Null|NULL)?$/.test(value.text);

/** Returns the end of the comments after an item that are indented like its content. */
const endOfItem = (text: string, lastLineEnd: number, indent: number): number => {
  let end = lastLineEnd;
  while (end < text.length) {
    const next = lineEnd(text, end + 1);
    const line = text.slice(end + 1, next);
    const column = line.search(/\S/);
    if (column <= indent || line[column] !== '#') return end;
    end = next;
  }
  return end;
};

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Returns the offset of the line break after a position, or the length of the text. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

const indented = (lines: string, indent: number): string =>
  lines.replace(/^(?=.)/gm, ' '.repeat(indent));

/** Inserts whole lines behind the line that ends at `at`, with the line breaks of the file. */
const insertion = (text: string, at: number, lines: string): TextEdit => {
  const before = at === 0 || (at === text.length && text.endsWith('\n')) ? '' : '\n';
  const after = before === '' || at === text.length ? '\n' : '';
  const newText = `${before}${lines.trimEnd()}${after}`;
  const isCrLf = text.includes('\r\n');
  const position = isCrLf && text[at - 1] === '\r' ? at - 1 : at;
  return {
    span: span(position, position),
    newText: isCrLf ? newText.replaceAll('\n', '\r\n') : newText,
  };
};
