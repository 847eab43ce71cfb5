/**
 * Decodes data into typed fields by the schema, strictly: unknown, duplicate and wrongly typed
 * fields are reported in kube-apiserver's order and with its messages, and everything else is still
 * decoded.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../diagnostics/rule.ts';
import type { DataEntry, DataNode, MapData, StringData } from '../documents/yaml/data.ts';
import { goFieldTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { Release } from '../model/release.ts';
import type { Span } from '../source/span.ts';
import type { ConfigVersion, JwtAuthenticatorConfig } from './configuration.ts';
import { duplicateMember, unknownField, wrongType } from './decode-findings.ts';
import { removeCopyFixes, renameFixes } from './key-fixes.ts';
import { type Misplacement, misplacedFields, type SectionPlace } from './misplaced-fields.ts';
import { nearName } from './near-name.ts';
import { retypeFixes } from './retype.ts';
import { type FieldRow, type FieldType, fieldsOf, type StructName } from './schema.ts';

export interface DecodedString {
  readonly kind: 'string';
  readonly data: StringData;
}
export interface DecodedBool {
  readonly kind: 'bool';
  readonly value: boolean;
  readonly span: Span;
}
export interface DecodedList {
  readonly kind: 'list';
  readonly span: Span;
  readonly items: readonly DecodedValue[];
}
export interface DecodedStruct {
  readonly kind: 'struct';
  readonly span: Span;
  /** Fields by the name of their schema row, whichever version the file has. */
  readonly fields: ReadonlyMap<string, DecodedValue>;
}
/** An entry of `jwt` that was decoded before. */
export interface DecodedEntry {
  readonly kind: 'entry';
  readonly span: Span;
  readonly entry: JwtAuthenticatorConfig;
}
/** A decoded value. `absent` represents a null in a list, which still counts as an item. */
export type DecodedValue =
  | DecodedString
  | DecodedBool
  | DecodedList
  | DecodedStruct
  | DecodedEntry
  | { readonly kind: 'absent'; readonly span: Span };

export interface StructDecoding extends DecodingFindings {
  readonly struct: DecodedStruct;
}

export interface DecodingFindings {
  /** The first type error, at which kube-apiserver stops; its message. */
  readonly failure: string | undefined;
  /** Messages such as `unknown field "jwt[0].bogus"`: at most 100, each once. */
  readonly strictErrors: readonly string[];
  /** Paths whose value exists but could not be read; no rule may report them as missing. */
  readonly unread: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DecodeForm {
  readonly version: ConfigVersion;
  /** The release that reads the file; fields that it lacks are unknown. */
  readonly release: Release;
  /** JSON is decoded member by member; YAML in the order of its sorted keys. */
  readonly order: 'written' | 'sorted';
  /** The text of the file, for fixes. */
  readonly text: string;
  /**
   * Returns the decoding of an entry of `jwt` that is already known; the entry's data is then
   * ignored.
   */
  readonly entryAt?: ((index: number) => ItemDecoding) | undefined;
}

/** The decoding of a single entry of `jwt`. */
export interface ItemDecoding extends DecodingFindings {
  readonly decoded: DecodedValue;
}

/** kube-apiserver lists this many errors and drops the rest. */
const maxStrictErrors = 100;
const maxDiagnostics = 200;
const maxUnread = 2000;

const noMisplacements: ReadonlyMap<DataEntry, Misplacement> = new Map();

/** Shared by all structs without fields. */
export const noFields: ReadonlyMap<string, DecodedValue> = new Map();

export const decodeStruct = (name: StructName, data: MapData, form: DecodeForm): StructDecoding =>
  new StructDecoder(form).decode(name, data);

/** Decodes a single entry of `jwt`, with the same result as `decodeStruct` at that index. */
export const decodeItem = (data: DataNode, index: number, form: DecodeForm): ItemDecoding =>
  new StructDecoder(form).item(data, index);

const entryList = 'jwt';

interface FieldPlace {
  /** Path in names of the schema: `jwt[0].issuer`. */
  readonly path: string;
  /** Path in names of the file: `jwt[0].issuer`. */
  readonly written: string;
  /** Path as type errors print it: `jwt.issuer`. */
  readonly stack: readonly string[];
  readonly struct: StructName;
  /** The section that contains the field. */
  readonly section?: SectionPlace | undefined;
}

class StructDecoder {
  readonly #form: DecodeForm;
  readonly #package: string;
  readonly #strict = new Set<string>();
  readonly #unread = new Set<string>();
  readonly #diagnostics: Diagnostic[] = [];
  #failure: string | undefined;

  constructor(form: DecodeForm) {
    this.#form = form;
    this.#package = form.version === '__internal' ? 'apiserver' : form.version;
  }

  decode(name: StructName, data: MapData): StructDecoding {
    const struct = this.#decodeStruct(data, { path: '', written: '', stack: [], struct: name });
    return { struct, ...this.#findings() };
  }

  item(data: DataNode, index: number): ItemDecoding {
    const struct = 'AuthenticationConfiguration';
    const row = fieldsOf(struct).find(({ name }) => name === entryList);
    if (row?.type.kind !== 'list') throw new Error('unreachable: authenticators are a list');
    const name = this.#nameOf(row);
    const path = `${entryList}[${index}]`;
    const place = { path, written: `${name}[${index}]`, stack: [name], struct } as const;
    const decoded = this.#decodeValue(data, row.type.item, place);
    return { decoded: decoded ?? { kind: 'absent', span: data.span }, ...this.#findings() };
  }

  #findings(): DecodingFindings {
    return {
      failure: this.#failure,
      strictErrors: [...this.#strict].slice(0, maxStrictErrors),
      unread: this.#unread,
      diagnostics: this.#diagnostics.slice(0, maxDiagnostics),
    };
  }

  #decodeStruct(data: MapData, place: FieldPlace): DecodedStruct {
    if (data.entries.length === 0) return { kind: 'struct', span: data.span, fields: noFields };
    const fields = new Map<string, DecodedValue>();
    const rows = new Map(fieldsOf(place.struct).map((row) => [this.#nameOf(row), row]));
    const { struct, path } = place;
    const section: SectionPlace = { struct, path, data, outer: place.section };
    const entries = this.#orderedEntries(data);
    const misplaced = this.#misplacedFields(
      entries.filter(({ key }) => !rows.has(key)),
      section,
    );
    const inner = { ...place, section };
    for (const entry of entries) {
      const row = rows.get(entry.key);
      if (row === undefined) this.#reportUnknown(entry, data, place, misplaced);
      else if (this.#isTooNew(row)) this.#decodeTooNew(fields, { entry, row, place: inner });
      else this.#decodeField(fields, { entry, row, place: inner });
    }
    return { kind: 'struct', span: data.span, fields };
  }

  #misplacedFields(
    unknown: readonly DataEntry[],
    section: SectionPlace,
  ): ReadonlyMap<DataEntry, Misplacement> {
    if (unknown.length === 0) return noMisplacements;
    return misplacedFields(unknown, section, {
      nameOf: (row) => this.#nameOf(row),
      text: this.#form.order === 'sorted' ? this.#form.text : undefined,
    });
  }

  #orderedEntries(data: MapData): readonly DataEntry[] {
    if (this.#form.order === 'written') return data.entries;
    return [...data.byKey.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  #nameOf(row: FieldRow): string {
    return this.#form.version === '__internal' ? row.goName : row.name;
  }

  #isTooNew({ since }: FieldRow): boolean {
    return since !== undefined && since > this.#form.release;
  }

  /**
   * Reports a field that the release lacks. Its value is decoded for lints and the editor, but has
   * no findings.
   */
  #decodeTooNew(
    fields: Map<string, DecodedValue>,
    field: { entry: DataEntry; row: FieldRow; place: FieldPlace },
  ): void {
    const { entry, row, place } = field;
    const text = `unknown field ${goQuote(childPath(place.written, entry.key))}`;
    this.#strict.add(text);
    this.#unread.add(childPath(place.path, row.name));
    if (this.#diagnostics.length < maxDiagnostics)
      this.#diagnostics.push(
        diagnosticOf(unknownField, entry.keySpan, { text, near: '', since: row.since }),
      );
    new StructDecoder(this.#form).#decodeField(fields, field);
  }

  #reportUnknown(
    entry: DataEntry,
    data: MapData,
    place: FieldPlace,
    misplaced: ReadonlyMap<DataEntry, Misplacement>,
  ): void {
    const rows = fieldsOf(place.struct).filter((row) => !this.#isTooNew(row));
    const text = `unknown field ${goQuote(childPath(place.written, entry.key))}`;
    this.#strict.add(text);
    if (this.#diagnostics.length >= maxDiagnostics) return;
    const misplacement = misplaced.get(entry);
    if (misplacement !== undefined) {
      const { help, fixes, movedWith, unread } = misplacement;
      this.#unread.add(unread);
      const consequenceOf = movedWith && {
        code: unknownField.code,
        path: childPath(place.written, movedWith.key),
      };
      const details = { help, fixes, ...(consequenceOf === undefined ? {} : { consequenceOf }) };
      this.#diagnostics.push(
        diagnosticOf(unknownField, entry.keySpan, { text, near: '' }, details),
      );
      return;
    }
    const near = nearName(
      entry.key,
      rows.map((row) => this.#nameOf(row)),
    );
    const meant = rows.find((row) => this.#nameOf(row) === near);
    if (meant !== undefined) this.#unread.add(childPath(place.path, meant.name));
    const fixes =
      near === undefined || data.byKey.has(near) ? [] : renameFixes(entry, near, this.#form.text);
    this.#diagnostics.push(
      diagnosticOf(unknownField, entry.keySpan, { text, near: near ?? '' }, { fixes }),
    );
  }

  #decodeField(
    fields: Map<string, DecodedValue>,
    { entry, row, place }: { entry: DataEntry; row: FieldRow; place: FieldPlace },
  ): void {
    const name = this.#nameOf(row);
    const written = childPath(place.written, name);
    if (this.#form.order === 'written' && entry.replaces !== undefined)
      this.#reportDuplicate(entry, written);
    const inner: FieldPlace = {
      path: childPath(place.path, row.name),
      written,
      stack: [...place.stack, name],
      struct: place.struct,
      section: place.section,
    };
    const value = this.#decodeValue(entry.value, row.type, inner);
    if (value === undefined) fields.delete(row.name);
    else if (value.kind !== 'absent') fields.set(row.name, value);
  }

  #reportDuplicate(entry: DataEntry, written: string): void {
    const text = `duplicate field ${goQuote(written)}`;
    this.#strict.add(text);
    const first = entry.replaces?.keySpan ?? entry.keySpan;
    this.#diagnostics.push(
      diagnosticOf(
        duplicateMember,
        entry.keySpan,
        { text },
        {
          related: [{ span: first, message: 'first set here' }],
          fixes: removeCopyFixes(entry, this.#form.text),
        },
      ),
    );
  }

  /** Returns `undefined` if the value does not have this type. */
  #decodeValue(data: DataNode, type: FieldType, place: FieldPlace): DecodedValue | undefined {
    if (data.kind === 'null') return { kind: 'absent', span: data.span };
    switch (type.kind) {
      case 'string':
        if (data.kind === 'string') return { kind: 'string', data };
        break;
      case 'bool':
        if (data.kind === 'bool') return { kind: 'bool', value: data.value, span: data.span };
        break;
      case 'list':
        if (data.kind === 'array') return this.#decodeList(data.items, data.span, { type, place });
        break;
      case 'struct':
        if (data.kind === 'object')
          return this.#decodeStruct(data, { ...place, struct: type.struct });
        break;
    }
    this.#reportWrongType(data, type, place);
    return undefined;
  }

  #decodeList(
    items: readonly DataNode[],
    span: Span,
    { type, place }: { type: FieldType & { kind: 'list' }; place: FieldPlace },
  ): DecodedList {
    const { entryAt } = this.#form;
    if (entryAt !== undefined && place.path === entryList)
      return { kind: 'list', span, items: items.map((_, index) => this.#addKnown(entryAt(index))) };
    const decoded = items.map((item, index): DecodedValue => {
      // A valid string needs no path.
      if (type.item.kind === 'string' && item.kind === 'string')
        return { kind: 'string', data: item };
      const at = {
        ...place,
        path: `${place.path}[${index}]`,
        written: `${place.written}[${index}]`,
      };
      return this.#decodeValue(item, type.item, at) ?? { kind: 'absent', span: item.span };
    });
    return { kind: 'list', span, items: decoded };
  }

  #addKnown({ decoded, failure, strictErrors, unread, diagnostics }: ItemDecoding): DecodedValue {
    this.#failure ??= failure;
    for (const error of strictErrors) this.#strict.add(error);
    for (const path of unread) this.#unread.add(path);
    this.#diagnostics.push(...diagnostics);
    return decoded;
  }

  #reportWrongType(data: DataNode, type: FieldType, place: FieldPlace): void {
    const text = goFieldTypeError(
      data.kind,
      `${place.struct}.${place.stack.join('.')}`,
      this.#goType(type),
    );
    this.#failure ??= text;
    if (this.#unread.size >= maxUnread) return;
    this.#unread.add(place.path);
    const wanted = jsonKinds.get(type.kind) ?? type.kind;
    this.#diagnostics.push(
      diagnosticOf(
        wrongType,
        data.span,
        { text, found: data.kind, wanted },
        { fixes: retypeFixes(data, type, this.#form.text) },
      ),
    );
  }

  #goType(type: FieldType): string {
    switch (type.kind) {
      case 'bool':
        return 'bool';
      case 'string':
        return type.goType === undefined ? 'string' : `${this.#package}.${type.goType}`;
      case 'struct':
        return `${this.#package}.${type.struct}`;
      case 'list':
        return `[]${this.#goType(type.item)}`;
    }
  }
}

const jsonKinds: ReadonlyMap<FieldType['kind'], string> = new Map([
  ['list', 'array'],
  ['struct', 'object'],
]);

const childPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
