/**
 * Parses CSV like Go's `encoding/csv`: quotes only around whole fields, empty lines skipped, any
 * number of fields. Errors are worded like Go's; columns count bytes from 1.
 */
import { decodeLatin1 } from './byte-string.ts';
import { encodeUtf8 } from './utf8.ts';

export type CsvRecord =
  | { readonly kind: 'record'; readonly fields: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

/** Reads the first record and ignores the rest. */
export const readCsvRecord = (text: string): CsvRecord => {
  const { value } = readCsv(encodeUtf8(text)).next();
  return value ?? { kind: 'error', message: 'EOF' };
};

/** Yields the records one by one. An error is the last result. */
export function* readCsv(bytes: Uint8Array): Generator<CsvRecord, undefined> {
  const lines = splitLines(toLatin1(bytes));
  let index = 0;
  while (index < lines.length) {
    if (lines[index] === '\n' || lines[index] === '') {
      index += 1;
      continue;
    }
    const { record, next } = readRecord(lines, index);
    yield record;
    if (record.kind === 'error') return;
    index = next;
  }
}

/**
 * Converts to one character for each byte, so that offsets count bytes; fields are decoded one by
 * one.
 */
const toLatin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunkLength) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunkLength));
  }
  return text;
};

const chunkLength = 8192;

/**
 * Splits into lines that end with LF: CR LF becomes LF, and a CR at the end of the input is
 * dropped.
 */
const splitLines = (text: string): readonly string[] =>
  text
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\r\n$/, '\n').replace(/\r$/, ''));

interface RecordResult {
  readonly record: CsvRecord;
  /** The line after the record. */
  readonly next: number;
}

const readRecord = (lines: readonly string[], start: number): RecordResult => {
  const fields: string[] = [];
  let index = start;
  let line = lines[start] ?? '';
  let at = 0;
  const parseError = (column: number, what: string): RecordResult => {
    const here = `parse error on line ${index + 1}, column ${column + 1}`;
    const where = index === start ? here : `record on line ${start + 1}; ${here}`;
    return { record: { kind: 'error', message: `${where}: ${what}` }, next: lines.length };
  };
  const finishRecord = (): RecordResult => ({
    record: { kind: 'record', fields: fields.map(decodeLatin1) },
    next: index + 1,
  });

  for (;;) {
    if (line[at] !== '"') {
      const end = fieldEnd(line, at);
      const field = line.slice(at, end);
      const quote = field.indexOf('"');
      if (quote !== -1) return parseError(at + quote, 'bare " in non-quoted-field');
      fields.push(field);
      if (line[end] !== ',') return finishRecord();
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
        if (next === undefined) return parseError(line.length, missingQuote);
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
    if (at === line.length || line[at] === '\n') return finishRecord();
    return parseError(at - 1, missingQuote);
  }
};

const missingQuote = 'extraneous or missing " in quoted-field';

const fieldEnd = (line: string, from: number): number => {
  const comma = line.indexOf(',', from);
  if (comma !== -1) return comma;
  return line.endsWith('\n') ? line.length - 1 : line.length;
};
