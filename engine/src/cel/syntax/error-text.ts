/**
 * Prints parse and check errors like cel-go: the message with its location, the source line, and a
 * caret below the location.
 */

import { codePointCount } from '../tree/code-points.ts';

/** The offset of errors without a location, such as an exceeded limit. */
export const noLocation = -1;

/** The offset of a location before the text, printed as line 1, column 0. */
export const beforeStart = -2;

/** An error with its code point offset, `noLocation` or `beforeStart`. */
export interface LocatedError {
  readonly message: string;
  readonly at: number;
}

const maxErrors = 100;
/** Maximum length in UTF-8 bytes of a source line that is printed with its error. */
const maxSnippetBytes = 16_384;
const wideDot = '\uff0e';
const wideCaret = '\uff3e';

/**
 * Prints errors, sorted by location and joined by newlines. Only the first 100 errors are sorted
 * and
 * printed; a last line counts the others.
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
  /** Code point offset of the first character of the line. */
  readonly start: number;
}

const splitLines = (text: string): readonly SourceLine[] => {
  if (text === '') return [];
  let start = 0;
  return text.split('\n').map((line) => {
    const result = { text: line, start };
    start += codePointCount(line) + 1;
    return result;
  });
};

/**
 * Returns the line, counted from 1, and the column, counted from 0; both are -1 for `noLocation`.
 */
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
