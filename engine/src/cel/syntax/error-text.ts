/**
 * Errors of reading and checking as the reference implementation prints them: head, source line and a
 * caret under the place.
 */

/** Place of an error that has none: a limit that was exceeded. */
export const noLocation = -1;

/** Place of something that was never read: column 0 of line 1. */
export const beforeStart = -2;

/** An error with its place in code points, or one of the two above. */
export interface LocatedError {
  readonly message: string;
  readonly at: number;
}

const maxErrors = 100;
/** Source lines longer than this (in UTF-8) are not shown. */
const maxSnippetBytes = 16_384;
const wideDot = '\uff0e';
const wideCaret = '\uff3e';

/**
 * All errors, in the order of their places, joined by line ends. Only the first hundred reported are
 * kept, and sorted after that; a last line counts the rest.
 */
export const renderErrors = (text: string, errors: readonly LocatedError[]): string => {
  const lines = splitLines(text);
  const located = errors
    .slice(0, maxErrors)
    .map((error) => ({ message: error.message, ...positionOf(lines, error.at) }));
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  const rendered = located.map((error) => renderError(lines, error));
  if (errors.length > maxErrors) {
    rendered.push(`${errors.length - maxErrors} more errors were truncated`);
  }
  return rendered.join('\n');
};

interface SourceLine {
  readonly text: string;
  /** Code point offset of its first character. */
  readonly start: number;
}

const splitLines = (text: string): readonly SourceLine[] => {
  if (text === '') return [];
  let start = 0;
  return text.split('\n').map((line) => {
    const result = { text: line, start };
    start += countCodePoints(line) + 1;
    return result;
  });
};

const countCodePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Line from 1, column from 0; both -1 for an error without a place. */
const positionOf = (lines: readonly SourceLine[], at: number) => {
  if (at === noLocation) return { line: -1, column: -1 };
  if (at === beforeStart) return { line: 1, column: -1 };
  let line = 1;
  while (line < lines.length && (lines[line]?.start ?? 0) <= at) line++;
  return { line, column: at - (lines[line - 1]?.start ?? 0) };
};

const renderError = (
  lines: readonly SourceLine[],
  error: { readonly message: string; readonly line: number; readonly column: number },
): string => {
  const heading = `ERROR: <input>:${error.line}:${error.column + 1}: ${error.message}`;
  const source = lines[error.line - 1];
  if (source === undefined || utf8Length(source.text) > maxSnippetBytes) return heading;
  const snippet = source.text.replaceAll('\t', ' ');
  const pointer: string[] = [];
  if (error.column < 0) {
    const wide = (snippet.codePointAt(0) ?? 0) > 0x7f;
    return `${heading}\n | ${snippet}\n | ${wide ? wideCaret : '^'}`;
  }
  for (const character of snippet) {
    const wide = (character.codePointAt(0) ?? 0) > 0x7f;
    if (pointer.length === error.column) {
      return `${heading}\n | ${snippet}\n | ${pointer.join('')}${wide ? wideCaret : '^'}`;
    }
    pointer.push(wide ? wideDot : '.');
  }
  return `${heading}\n | ${snippet}\n | ${pointer.join('')}^`;
};

const utf8Length = (text: string): number => {
  if (text.length * 3 <= maxSnippetBytes) return text.length;
  return new TextEncoder().encode(text).length;
};
