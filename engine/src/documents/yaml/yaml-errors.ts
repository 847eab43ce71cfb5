/** The real loader's way of naming the line of a problem. */
import { type Mark, type TextCursor, YamlError } from './text-cursor.ts';

/** A problem met while reading characters: the line is where the cursor stands. */
export const scannerError = (
  cursor: TextCursor,
  context: Mark,
  message: string,
  at: number = cursor.offset,
): YamlError => {
  const line = cursor.line !== 0 ? cursor.line + 1 : context.line;
  return new YamlError(withLine(line, message), at, Math.min(at + 1, cursor.text.length));
};

/** A problem that is noticed late: it points at the rest of the line where its cause began. */
export const unterminatedError = (
  cursor: TextCursor,
  contextMark: Mark,
  message: string,
): YamlError => {
  const { reason } = scannerError(cursor, contextMark, message);
  const lineLength = cursor.text.slice(contextMark.offset).search(/[\r\n]/);
  const end = lineLength === -1 ? cursor.text.length : contextMark.offset + lineLength;
  return new YamlError(reason, contextMark.offset, end);
};

/** A problem of the order of tokens. The real loader counts such lines from zero. */
export const parserError = (
  token: { readonly start: Mark; readonly end: number },
  context: Mark | undefined,
  message: string,
): YamlError => {
  const line = token.start.line !== 0 ? token.start.line : (context?.line ?? 0);
  return new YamlError(withLine(line, message), token.start.offset, token.end, context?.offset);
};

/** A problem of what the tree means, which the real loader reports without a place. */
export const decoderError = (message: string, start: number, end: number): YamlError =>
  new YamlError(message, start, end);

const withLine = (line: number, message: string): string =>
  line === 0 ? message : `line ${line}: ${message}`;
