/** Errors with the line numbers that kube-apiserver's YAML loader prints. */
import type { Span } from '../../source/span.ts';
import { type Mark, type TextCursor, YamlError } from './text-cursor.ts';

/** Creates an error of the scanner, with the line of the cursor. */
export const scannerError = (
  cursor: TextCursor,
  context: Mark,
  message: string,
  at: number = cursor.offset,
): YamlError => {
  const line = cursor.line !== 0 ? cursor.line + 1 : context.line;
  return new YamlError(withLine(line, message), at, Math.min(at + 1, cursor.text.length));
};

/**
 * Creates an error that is detected late; its position is the rest of the line where its cause
 * starts.
 */
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

/**
 * Creates an error about the order of tokens. The loader counts the lines of such errors from zero.
 */
export const parserError = (
  token: { readonly start: Mark; readonly end: number },
  context: Mark | undefined,
  message: string,
): YamlError => {
  const line = token.start.line !== 0 ? token.start.line : (context?.line ?? 0);
  return new YamlError(withLine(line, message), token.start.offset, token.end, context?.offset);
};

/** Creates an error about the meaning of the tree, which the loader reports without a position. */
export const decoderError = (message: string, { start, end }: Span): YamlError =>
  new YamlError(message, start, end);

const withLine = (line: number, message: string): string =>
  line === 0 ? message : `line ${line}: ${message}`;
