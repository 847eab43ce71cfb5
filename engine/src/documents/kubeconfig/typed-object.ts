/**
 * Decodes plain data into fields of a known shape by the rules of kube-apiserver's decoder: names
 * match exactly, unknown names are ignored, and null changes nothing. Of duplicate members, structs
 * and maps are merged; otherwise the last one wins. The first type error rejects the object.
 */
import { decodeGoBase64 } from '../../formats/base64.ts';
import { foldName, goFieldTypeError, goTypeError } from '../../formats/go-json.ts';
import type { PlainValue } from '../yaml/plain-value.ts';
import type { TypedShape, TypedStruct } from './typed-shape.ts';

/** A decoded value: structs and maps are Maps, numbers are bigints, raw values are unchanged. */
export type TypedValue =
  | string
  | boolean
  | bigint
  | Uint8Array
  | readonly TypedValue[]
  | TypedFields
  | PlainValue;

export type TypedFields = ReadonlyMap<string, TypedValue>;

export type TypedReading =
  | { readonly kind: 'fields'; readonly fields: TypedFields }
  | { readonly kind: 'error'; readonly message: string };

/** Decodes an object. */
export const decodeTypedObject = (value: PlainValue, shape: TypedStruct): TypedReading => {
  const decoder = new TypedDecoder();
  const fields = decoder.struct(value, shape, new Map());
  return decoder.error === undefined
    ? { kind: 'fields', fields: fields ?? new Map() }
    : { kind: 'error', message: decoder.error };
};

/** The apiVersion and kind of an object; empty if they are absent. */
export type TypeMetaReading =
  | { readonly kind: 'stated'; readonly apiVersion: string; readonly objectKind: string }
  | { readonly kind: 'error'; readonly message: string };

/** Reads apiVersion and kind, whose names match case-insensitively here, unlike in the decoder. */
export const decodeTypeMeta = (value: PlainValue): TypeMetaReading => {
  const typeMeta = { apiversion: '', kind: '' };
  if (value.kind !== 'object') {
    return value.kind === 'null'
      ? { kind: 'stated', apiVersion: '', objectKind: '' }
      : typeMetaError(goTypeError(value.kind, typeMetaType));
  }
  for (const { name, value: member } of value.members) {
    const folded = foldName(name);
    if ((folded !== 'apiversion' && folded !== 'kind') || member.kind === 'null') continue;
    if (member.kind !== 'string') {
      const field = folded === 'kind' ? '.kind' : '.apiVersion';
      return typeMetaError(goFieldTypeError(member.kind, field, 'string'));
    }
    typeMeta[folded] = member.text;
  }
  if (typeMeta.apiversion.split('/').length > 2) {
    return { kind: 'error', message: `unexpected GroupVersion string: ${typeMeta.apiversion}` };
  }
  return { kind: 'stated', apiVersion: typeMeta.apiversion, objectKind: typeMeta.kind };
};

const typeMetaType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const typeMetaError = (error: string): TypeMetaReading => ({
  kind: 'error',
  message: `couldn't get version/kind; json parse error: ${error}`,
});

class TypedDecoder {
  /** The first error. */
  error: string | undefined;
  readonly #path: string[] = [];
  #struct = '';

  #typeError(found: string, goType: string): undefined {
    this.error ??=
      this.#struct === ''
        ? goTypeError(found, goType)
        : goFieldTypeError(found, `${this.#struct}.${this.#path.join('.')}`, goType);
    return undefined;
  }

  /** Decodes members on top of the fields that an earlier member of the same name set. */
  struct(
    value: PlainValue,
    shape: TypedStruct,
    fields: Map<string, TypedValue>,
  ): TypedFields | undefined {
    if (value.kind === 'null') return fields;
    if (value.kind !== 'object') return this.#typeError(value.kind, shape.goType);
    const outer = this.#struct;
    for (const { name, value: member } of value.members) {
      const inner = shape.fields.get(name);
      if (inner === undefined) continue;
      this.#struct = shape.name;
      this.#path.push(name);
      this.#member(member, inner, { fields, name });
      this.#path.pop();
    }
    this.#struct = outer;
    return fields;
  }

  #member(
    value: PlainValue,
    shape: TypedShape,
    { fields, name }: { readonly fields: Map<string, TypedValue>; readonly name: string },
  ): void {
    if (value.kind === 'null') {
      if (shape.kind === 'list' || shape.kind === 'map' || shape.kind === 'bytes') {
        fields.delete(name);
      }
      return;
    }
    const decoded = this.#value(value, shape, fields.get(name));
    if (decoded !== undefined) fields.set(name, decoded);
  }

  /** Returns `undefined` after a type error. The value is never null. */
  #value(
    value: PlainValue,
    shape: TypedShape,
    previous: TypedValue | undefined,
  ): TypedValue | undefined {
    switch (shape.kind) {
      case 'raw':
        return value;
      case 'string':
        return value.kind === 'string' ? value.text : this.#typeError(value.kind, shape.goType);
      case 'bool':
        return value.kind === 'bool' ? value.value : this.#typeError(value.kind, 'bool');
      case 'int32':
        return this.#integer(value, 32);
      case 'int64':
        return this.#integer(value, 64);
      case 'bytes':
        return this.#bytes(value);
      case 'time':
        return this.#time(value);
      case 'list':
        return this.#list(value, shape);
      case 'map':
        return this.#map(value, shape, previous instanceof Map ? previous : new Map());
      case 'struct':
        return this.struct(value, shape, previous instanceof Map ? previous : new Map());
    }
  }

  #integer(value: PlainValue, bits: 32 | 64): bigint | undefined {
    if (value.kind !== 'number') return this.#typeError(value.kind, `int${bits}`);
    const number = /^-?\d{1,19}$/.test(value.literal) ? BigInt(value.literal) : undefined;
    return number === undefined || BigInt.asIntN(bits, number) !== number
      ? this.#typeError(`number ${value.literal}`, `int${bits}`)
      : number;
  }

  #bytes(value: PlainValue): Uint8Array | undefined {
    if (value.kind !== 'string') return this.#typeError(value.kind, '[]uint8');
    const decoded = decodeGoBase64(value.text, { alphabet: 'standard', padding: 'required' });
    if (decoded.kind === 'bytes') return decoded.bytes;
    this.error ??= decoded.error;
    return undefined;
  }

  #time(value: PlainValue): string | undefined {
    if (value.kind !== 'string') return this.#typeError(value.kind, 'string');
    if (rfc3339.test(value.text) && !Number.isNaN(Date.parse(value.text))) return value.text;
    this.error ??= `parsing time ${JSON.stringify(value.text)} as "2006-01-02T15:04:05Z07:00"`;
    return undefined;
  }

  #list(
    value: PlainValue,
    shape: Extract<TypedShape, { kind: 'list' }>,
  ): readonly TypedValue[] | undefined {
    if (value.kind !== 'array') return this.#typeError(value.kind, shape.goType);
    return value.items.map((item) => this.#item(item, shape.item));
  }

  #map(
    value: PlainValue,
    shape: Extract<TypedShape, { kind: 'map' }>,
    entries: Map<string, TypedValue>,
  ): TypedFields | undefined {
    if (value.kind !== 'object') return this.#typeError(value.kind, shape.goType);
    for (const { name, value: member } of value.members) {
      entries.set(name, this.#item(member, shape.value));
    }
    return entries;
  }

  /** Decodes an item of a list or map; null and mistyped items become zero values. */
  #item(value: PlainValue, shape: TypedShape): TypedValue {
    const decoded = value.kind === 'null' ? undefined : this.#value(value, shape, undefined);
    return decoded ?? zeroOf(shape);
  }
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const zeroOf = (shape: TypedShape): TypedValue => {
  switch (shape.kind) {
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0n;
    case 'bytes':
      return new Uint8Array();
    case 'list':
      return [];
    case 'map':
    case 'struct':
      return new Map();
    case 'raw':
      return { kind: 'null' };
    case 'string':
    case 'time':
      return '';
  }
};

/** Returns a string field; empty if it is absent. */
export const stringField = (fields: TypedFields, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

/** Returns the strings of a list; empty if it is absent. */
export const stringItems = (value: TypedValue | undefined): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((item: TypedValue) => (typeof item === 'string' ? [item] : []))
    : [];

/** Returns a struct or map; empty if it is absent. */
export const structField = (fields: TypedFields, name: string): TypedFields => {
  const value = fields.get(name);
  return value instanceof Map ? value : new Map();
};
