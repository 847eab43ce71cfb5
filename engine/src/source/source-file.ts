/** A file with an index of its lines. Lines end with LF; a CR before it belongs to the line end. */

export interface Position {
  /** The zero-based line. */
  readonly line: number;
  /** The zero-based column in UTF-16 code units. */
  readonly column: number;
}

/**
 * A file with its lines. Offsets and columns count UTF-16 code units.
 *
 * @example
 * ```ts
 * const source: SourceFile = sourceFile('auth.yaml', text);
 * console.log(source.positionAt(120));
 * ```
 */
export interface SourceFile {
  /** The URI or path that the caller passed. */
  readonly uri: string;
  readonly text: string;
  readonly lineCount: number;
  /** Converts an offset to a position; offsets outside of the file are clamped. */
  positionAt(offset: number): Position;
  offsetAt(position: Position): number;
  /** Returns a line without its line end. */
  lineText(line: number): string;
}

/**
 * Indexes the lines of a file.
 *
 * @example
 * ```ts
 * const source = sourceFile('auth.yaml', readFileSync('auth.yaml', 'utf8'));
 * ```
 */
export const sourceFile = (uri: string, text: string): SourceFile => {
  const starts = lineStarts(text);
  const startOf = (line: number): number => starts[line] ?? text.length;
  return {
    uri,
    text,
    lineCount: starts.length,
    positionAt(offset) {
      const at = Math.max(0, Math.min(offset, text.length));
      const line = lastAtOrBefore(starts, at);
      return { line, column: at - startOf(line) };
    },
    offsetAt({ line, column }) {
      return Math.max(0, Math.min(startOf(line) + column, text.length));
    },
    lineText(line) {
      return text.slice(startOf(line), startOf(line + 1)).replace(/\r?\n$/, '');
    },
  };
};

const lineStarts = (text: string): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

const lastAtOrBefore = (starts: readonly number[], offset: number): number => {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};
