/**
 * One record of comma-separated text, as Go's reader takes it: quotes only around whole fields,
 * empty lines skipped, the rest after the first record ignored. Errors have its texts; columns count
 * bytes from 1.
 */

export type CsvRecord =
  | { readonly kind: 'record'; readonly fields: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

export const readCsvRecord = (text: string): CsvRecord => {
  const lines = splitLines(text);
  let index = 0;
  while (lines[index] === '\n') index += 1;
  const first = lines[index];
  if (first === undefined) return { kind: 'error', message: 'EOF' };

  const startLine = index + 1;
  const fields: string[] = [];
  let line = first;
  let at = 0;
  for (;;) {
    if (line[at] !== '"') {
      const end = fieldEnd(line, at);
      const field = line.slice(at, end);
      const quote = field.indexOf('"');
      if (quote !== -1)
        return parseError(startLine, index + 1, line, at + quote, 'bare " in non-quoted-field');
      fields.push(field);
      if (line[end] !== ',') return { kind: 'record', fields };
      at = end + 1;
      continue;
    }
    let field = '';
    at += 1;
    for (;;) {
      const quote = line.indexOf('"', at);
      if (quote === -1) {
        field += line.slice(at);
        const next = lines[index + 1];
        if (next === undefined)
          return parseError(startLine, index + 1, line, line.length, missingQuote);
        index += 1;
        line = next;
        at = 0;
        continue;
      }
      field += line.slice(at, quote);
      at = quote + 1;
      if (line[at] !== '"') break;
      field += '"';
      at += 1;
    }
    fields.push(field);
    if (line[at] === ',') {
      at += 1;
      continue;
    }
    if (at === line.length || line[at] === '\n') return { kind: 'record', fields };
    return parseError(startLine, index + 1, line, at - 1, missingQuote);
  }
};

const missingQuote = 'extraneous or missing " in quoted-field';

/** Lines with their LF; CR LF becomes LF, and a CR at the very end goes. */
const splitLines = (text: string): readonly string[] =>
  text
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\r\n$/, '\n').replace(/\r$/, ''));

const fieldEnd = (line: string, from: number): number => {
  const comma = line.indexOf(',', from);
  if (comma !== -1) return comma;
  return line.endsWith('\n') ? line.length - 1 : line.length;
};

const parseError = (
  startLine: number,
  line: number,
  text: string,
  at: number,
  what: string,
): CsvRecord => {
  const column = new TextEncoder().encode(text.slice(0, at)).length + 1;
  const where =
    startLine === line
      ? `parse error on line ${line}, column ${column}`
      : `record on line ${startLine}; parse error on line ${line}, column ${column}`;
  return { kind: 'error', message: `${where}: ${what}` };
};
