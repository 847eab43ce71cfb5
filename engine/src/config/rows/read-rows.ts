/**
 * Reads a YAML file by a table of its fields. Never throws: mistakes are diagnostics, and every field
 * without a mistake is returned.
 */
import type { Diagnostic, Fix } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf, type Finding } from '../../diagnostics/rule.ts';
import type { DataEntry, DataNode, ListData, MapData } from '../../documents/yaml/data.ts';
import { documentSlices } from '../../documents/yaml/document-slices.ts';
import { parseDocument } from '../../documents/yaml/parse.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import { renameFixes } from '../key-fixes.ts';
import { nearName } from '../near-name.ts';
import { maxRowItems, type Row, type RowType } from './row.ts';

/** A value without a mistake. */
export type RowValue<Custom = never> =
  | { readonly kind: 'string'; readonly text: string; readonly span: Span }
  | { readonly kind: 'int'; readonly value: number; readonly span: Span }
  | { readonly kind: 'bool'; readonly value: boolean; readonly span: Span }
  | { readonly kind: 'data'; readonly data: MapData; readonly span: Span }
  | { readonly kind: 'list'; readonly items: readonly RowValue<Custom>[]; readonly span: Span }
  | RowMap<Custom>
  | { readonly kind: 'custom'; readonly value: Custom; readonly span: Span };

export interface RowMap<Custom = never> {
  readonly kind: 'map';
  readonly fields: ReadonlyMap<string, RowValue<Custom>>;
  readonly path: string;
  /** The first line of the map. */
  readonly span: Span;
}

export interface UnknownFieldArgs {
  readonly path: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}

export interface InvalidFieldArgs {
  readonly path: string;
  readonly problem: string;
  readonly help?: string | undefined;
}

export interface RowReaderOptions<Custom> {
  /** What the file is, for messages: `a settings file`. */
  readonly what: string;
  /** What it contains: `settings`. */
  readonly content: string;
  readonly unknown: Finding<UnknownFieldArgs>;
  readonly invalid: Finding<InvalidFieldArgs>;
  /** Reads a value of a `custom` type; returns `undefined` after it has reported a mistake. */
  readonly readCustom?: (
    data: DataNode,
    place: { readonly id: string; readonly path: string },
    reader: RowReader<Custom>,
  ) => Custom | undefined;
}

/** The fields of a table by name, and the names of those that are required. */
interface RowTable {
  readonly byName: ReadonlyMap<string, Row>;
  readonly required: readonly string[];
}

/** Further mistakes are not reported. */
const maxDiagnostics = 100;

export class RowReader<Custom = never> {
  readonly source: SourceFile;
  readonly #options: RowReaderOptions<Custom>;
  readonly #diagnostics: Diagnostic[] = [];
  /** Caches each table by field name; many maps of a file use the same table. */
  readonly #tables = new Map<readonly Row[], RowTable>();

  constructor(source: SourceFile, options: RowReaderOptions<Custom>) {
    this.source = source;
    this.#options = options;
  }

  /** Reads the file; an empty one has no fields. Call it once. */
  read(rows: readonly Row[]): RowMap<Custom> {
    const document = parseDocument(this.source, { limits: 'refuse', as: 'yaml' });
    this.#diagnostics.push(...document.diagnostics);
    const { data } = document;
    const [, second] = documentSlices(this.source.text);
    if (second !== undefined)
      this.report(this.#options.invalid, span(second.start, second.start + 3), {
        path: '',
        problem: `only the first YAML document of ${this.#options.what} is read`,
        help: `Move the ${this.#options.content} into the first document.`,
      });
    const value =
      data === undefined || data.kind === 'null'
        ? undefined
        : this.value(data, { kind: 'map', rows }, '');
    return value?.kind === 'map'
      ? value
      : { kind: 'map', fields: new Map(), path: '', span: span(0, 0) };
  }

  /** The mistakes so far, by position. */
  diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics
      .slice(0, maxDiagnostics)
      .toSorted((a, b) => a.span.start - b.span.start);
  }

  /** Returns the value, or `undefined` after a mistake has been reported. */
  value(data: DataNode, type: RowType, path: string): RowValue<Custom> | undefined {
    switch (type.kind) {
      case 'map':
        if (data.kind === 'object') return this.#map(data, type.rows, path);
        return this.reportType(
          data,
          path,
          path === '' ? `a map of ${this.#options.content}` : 'a map',
        );
      case 'names':
        if (data.kind === 'object') return this.#names(data, type.value, path);
        return this.reportType(data, path, 'a map');
      case 'list':
        if (data.kind === 'array') return this.#list(data, type, path);
        return this.reportType(data, path, 'a list');
      case 'data':
        if (data.kind === 'object') return { kind: 'data', data, span: this.#line(data.span) };
        return this.reportType(data, path, 'a map');
      case 'choice':
        return this.choice(data, type.values, path);
      case 'string':
        return this.#string(data, type, path);
      case 'int':
        return this.#int(data, type, path);
      case 'bool':
        if (data.kind === 'bool') return data;
        return this.reportType(data, path, 'true or false');
      case 'either': {
        const fitting = type.types.find((one) => fitsKind(data, one));
        if (fitting !== undefined) return this.value(data, fitting, path);
        return this.reportType(data, path, type.forms ?? formsOf(type.types));
      }
      case 'custom': {
        const value = this.#options.readCustom?.(data, { id: type.id, path }, this);
        return value && { kind: 'custom', value, span: data.span };
      }
    }
  }

  #map(data: MapData, rows: readonly Row[], path: string): RowMap<Custom> | undefined {
    const fields = new Map<string, RowValue<Custom>>();
    let isComplete = true;
    const table = this.#tableOf(rows);
    data.byKey.forEach((entry, name) => {
      const row = table.byName.get(name);
      if (row === undefined) {
        this.#reportUnknown(entry, { data, rows, path });
        return;
      }
      const value = this.value(entry.value, row.type, childPath(path, row.name));
      if (value !== undefined) fields.set(row.name, value);
      else isComplete = false;
    });
    for (const name of table.required) {
      if (data.byKey.has(name)) continue;
      isComplete = false;
      const problem = `${name} is required`;
      this.report(this.#options.invalid, firstKey(data), { path, problem });
    }
    // An entry with a mistake has no effect; the fields of the file are independent.
    return isComplete || path === ''
      ? { kind: 'map', fields, path, span: this.#line(data.span) }
      : undefined;
  }

  #tableOf(rows: readonly Row[]): RowTable {
    let table = this.#tables.get(rows);
    if (table === undefined) {
      const required = rows.filter((row) => row.required === true).map(({ name }) => name);
      table = { byName: new Map(rows.map((row) => [row.name, row])), required };
      this.#tables.set(rows, table);
    }
    return table;
  }

  #names(data: MapData, type: RowType, path: string): RowMap<Custom> | undefined {
    if (this.#hasTooMany({ count: data.byKey.size }, data.span, path)) return undefined;
    const fields = new Map<string, RowValue<Custom>>();
    for (const { key, value } of data.byKey.values()) {
      const read = this.value(value, type, childPath(path, shortened(key)));
      if (read === undefined) return undefined;
      fields.set(key, read);
    }
    return { kind: 'map', fields, path, span: this.#line(data.span) };
  }

  #list(
    { items, span: at }: ListData,
    { item: type, most }: Extract<RowType, { kind: 'list' }>,
    path: string,
  ): RowValue<Custom> | undefined {
    if (this.#hasTooMany({ count: items.length, most }, at, path)) return undefined;
    const read: RowValue<Custom>[] = [];
    let index = 0;
    for (const item of items) {
      const value = this.value(item, type, `${path}[${index}]`);
      if (value !== undefined) read.push(value);
      index += 1;
    }
    return { kind: 'list', items: read, span: at };
  }

  #hasTooMany(
    { count, most = maxRowItems }: { readonly count: number; readonly most?: number | undefined },
    at: Span,
    path: string,
  ): boolean {
    if (count <= most) return false;
    const problem = `must have at most ${most} items`;
    this.report(this.#options.invalid, span(at.start, at.start + 1), { path, problem });
    return true;
  }

  /** Reads one of several words. */
  choice(
    data: DataNode,
    values: readonly string[],
    path: string,
  ): Extract<RowValue<Custom>, { kind: 'string' }> | undefined {
    const written = this.source.text.slice(data.span.start, data.span.end);
    // YAML 1.1 reads `off` as false.
    const text =
      data.kind === 'bool' && /^off$/i.test(written)
        ? 'off'
        : data.kind === 'string'
          ? data.text
          : undefined;
    if (text !== undefined && values.includes(text))
      return { kind: 'string', text, span: data.span };
    if (this.isFull()) return undefined;
    const help = `Write ${values
      .map((value) => (isNumeric(value) ? `"${value}"` : value))
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')}.`;
    if (data.kind === 'number' && values.some(isNumeric)) {
      const fixes = values.includes(written)
        ? [{ title: `Write "${written}"`, edits: [{ span: data.span, newText: `"${written}"` }] }]
        : [];
      const example = values.find(isNumeric) ?? '';
      const problem = `must be a string; without quotes, YAML parses ${example} as a number`;
      this.report(this.#options.invalid, data.span, { path, problem, help }, fixes);
      return undefined;
    }
    const near = text === undefined ? undefined : nearName(text, values);
    const problem = `${text === undefined ? 'this value' : JSON.stringify(shortened(text))} is not supported`;
    const fixes =
      near === undefined || data.kind !== 'string' ? [] : respell(data, this.source)(near);
    this.report(
      this.#options.invalid,
      this.#line(data.span),
      { path, problem, help: near === undefined ? help : `Did you mean \`${near}\`?` },
      fixes,
    );
    return undefined;
  }

  #string(
    data: DataNode,
    type: Extract<RowType, { kind: 'string' }>,
    path: string,
  ): RowValue<Custom> | undefined {
    if (data.kind !== 'string') return this.reportType(data, path, 'a string');
    const { text } = data;
    const isEmpty = text.trim() === '';
    const problem = isEmpty
      ? type.mayBeEmpty === true
        ? undefined
        : 'must not be empty'
      : type.problem?.(text);
    if (problem === undefined) return data;
    this.report(this.#options.invalid, this.#line(data.span), { path, problem });
    return undefined;
  }

  #int(
    data: DataNode,
    { least, most }: Extract<RowType, { kind: 'int' }>,
    path: string,
  ): RowValue<Custom> | undefined {
    const value = data.kind === 'number' ? Number(data.text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= least && value <= most)
      return { kind: 'int', value, span: data.span };
    return this.reportType(data, path, `an integer from ${least} to ${most}`);
  }

  /** Reports a value of another type than the wanted one. */
  reportType(data: DataNode, path: string, wanted: string): undefined {
    const problem = `must be ${wanted}`;
    this.report(this.#options.invalid, this.#line(data.span), { path, problem });
    return undefined;
  }

  #reportUnknown(
    entry: DataEntry,
    place: { readonly data: MapData; readonly rows: readonly Row[]; readonly path: string },
  ): void {
    if (this.isFull()) return;
    const { data, rows, path } = place;
    const names = rows.map(({ name }) => name);
    const near = nearName(entry.key, names);
    const fixes =
      near === undefined || data.byKey.has(near) ? [] : renameFixes(entry, near, this.source.text);
    const args = { path: childPath(path, shortened(entry.key)), near, known: names };
    this.report(this.#options.unknown, entry.keySpan, args, fixes);
  }

  /** Reports an invalid value at a place that was read before. */
  invalid(at: Span, args: InvalidFieldArgs): undefined {
    this.report(this.#options.invalid, at, args);
    return undefined;
  }

  /** Returns whether further mistakes are not reported, so that no suggestion is searched. */
  isFull(): boolean {
    return this.#diagnostics.length >= maxDiagnostics;
  }

  report<Args>(finding: Finding<Args>, at: Span, args: Args, fixes: readonly Fix[] = []): void {
    if (!this.isFull()) this.#diagnostics.push(diagnosticOf(finding, at, args, { fixes }));
  }

  #line({ start, end }: Span): Span {
    const lineEnd = this.source.text.indexOf('\n', start);
    return span(start, lineEnd === -1 ? end : Math.min(end, lineEnd));
  }
}

/** Returns the YAML kinds of types: `a string or a list`. */
const formsOf = (types: readonly RowType[]): string =>
  [...new Set(types.flatMap((type) => kindNames.get(type.kind) ?? []))]
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

const kindNames: ReadonlyMap<RowType['kind'], readonly string[]> = new Map([
  ['map', ['a map']],
  ['names', ['a map']],
  ['data', ['a map']],
  ['list', ['a list']],
  ['bool', ['true', 'false']],
  ['int', ['an integer']],
  ['choice', ['a string']],
  ['string', ['a string']],
]);

/** Returns whether a value has the YAML kind of a type. */
const fitsKind = ({ kind }: DataNode, type: RowType): boolean => {
  switch (type.kind) {
    case 'map':
    case 'names':
    case 'data':
      return kind === 'object';
    case 'list':
      return kind === 'array';
    case 'bool':
      return kind === 'bool';
    case 'int':
      return kind === 'number';
    case 'choice':
    case 'string':
      return kind === 'string';
    case 'either':
    case 'custom':
      return false;
  }
};

/** Returns fixes that replace a plain or quoted string. */
export const respell =
  (data: { readonly text: string; readonly span: Span }, source: SourceFile) =>
  (name: string): readonly Fix[] => {
    const start = source.text.indexOf(data.text, data.span.start);
    if (start === -1 || start + data.text.length > data.span.end) return [];
    const edits = [{ span: span(start, start + data.text.length), newText: name }];
    return [{ title: `Write ${name}`, edits }];
  };

/** Names in messages have a bounded length. */
export const shortened = (text: string): string =>
  text.length <= 64 ? text : `${text.slice(0, 63)}…`;

/** Returns the path of a member. */
export const childPath = (path: string, key: string): string =>
  path === '' ? key : `${path}.${key}`;

const isNumeric = (text: string): boolean => /^\d/.test(text);

const firstKey = (data: MapData): Span => data.entries[0]?.keySpan ?? data.span;
