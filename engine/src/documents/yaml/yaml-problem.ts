/** The real loader's way of naming the line of a problem. */
import { type Mark, type TextCursor, YamlProblem } from './text-cursor.ts';

/** A problem met while reading characters: the line is where the cursor stands. */
export const scannerProblem = (
  cursor: TextCursor,
  context: Mark,
  message: string,
  at: number = cursor.offset,
): YamlProblem => {
  const line = cursor.line !== 0 ? cursor.line + 1 : context.line;
  return new YamlProblem(withLine(line, message), at, Math.min(at + 1, cursor.text.length));
};

/** A problem that is noticed late: it points at the rest of the line where its cause began. */
export const unfinishedProblem = (
  cursor: TextCursor,
  began: Mark,
  message: string,
): YamlProblem => {
  const { text } = scannerProblem(cursor, began, message);
  const lineLength = cursor.text.slice(began.offset).search(/[\r\n]/);
  const end = lineLength === -1 ? cursor.text.length : began.offset + lineLength;
  return new YamlProblem(text, began.offset, end);
};

/** A problem of the order of tokens. The real loader counts such lines from zero. */
export const parserProblem = (
  place: { readonly start: Mark; readonly end: number },
  context: Mark | undefined,
  message: string,
): YamlProblem => {
  const line = place.start.line !== 0 ? place.start.line : (context?.line ?? 0);
  return new YamlProblem(withLine(line, message), place.start.offset, place.end, context?.offset);
};

/** A problem of what the tree means, which the real loader reports without a place. */
export const meaningProblem = (message: string, start: number, end: number): YamlProblem =>
  new YamlProblem(message, start, end);

const withLine = (line: number, message: string): string =>
  line === 0 ? message : `line ${line}: ${message}`;
