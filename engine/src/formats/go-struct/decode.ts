/**
 * Decodes JSON into values of a known shape by the rules of Go's JSON decoders. The first type
 * error is the result, unless a later error ends the decoding. A null leaves a field as it is, or
 * clears a list, a map, a time or a pointer. Repeated structs and maps are merged, and so are the
 * items of repeated lists at the same index; otherwise the last value wins.
 */
import { decodeGoBase64, encodeBase64 } from '../base64.ts';
import { foldName, goFieldTypeError, goTypeError } from '../go-json.ts';
import { goQuote } from '../go-quote.ts';
import { goRfc3339Error } from '../go-rfc3339.ts';
import type { PlainMember, PlainValue } from '../json-with-positions.ts';
import { DecodeError, type Shape, type StructShape } from './shape.ts';

/**
 * The decoders of Go. `kubernetes`: names match exactly, and unknown or repeated fields are
 * reported in addition to the value (strict errors). `encoding/json`: names match regardless of
 * case. `go-jose`: names match exactly, repeated members and numbers of the wrong type end the
 * decoding, and errors do not name the field.
 */
export type GoDecoder = 'kubernetes' | 'encoding/json' | 'go-jose';

/** A decoded value. Structs and maps are maps, in the order of their members. */
export type DecodedValue =
  | string
  | number
  | bigint
  | boolean
  | readonly DecodedValue[]
  | Fields
  | PlainValue;

/** The fields of a decoded struct or the members of a decoded map. */
export type Fields = ReadonlyMap<string, DecodedValue>;

export type ValueReading =
  | {
      readonly kind: 'value';
      /** The value; absent for null. */
      readonly value: DecodedValue | undefined;
      /** Strict errors as in `ObjectReading`. */
      readonly strictErrors: readonly string[];
    }
  | { readonly kind: 'error'; readonly message: string };

export type ObjectReading =
  | {
      readonly kind: 'object';
      readonly fields: Fields;
      /**
       * Errors such as `unknown field "x"` and `duplicate field "kind"`: in order, without
       * repetitions, at most 100.
       */
      readonly strictErrors: readonly string[];
    }
  | { readonly kind: 'error'; readonly message: string };

const strictErrorLimit = 100;

/** Decodes a whole object; errors of custom decoders may quote its source. */
export const decodeObject = (
  value: PlainValue,
  shape: Shape,
  decoder: GoDecoder = 'kubernetes',
  source?: Uint8Array,
): ObjectReading => {
  const decoded = decodeValue(value, shape, decoder, source);
  if (decoded.kind === 'error') return decoded;
  return {
    kind: 'object',
    fields: decoded.value instanceof Map ? decoded.value : new Map(),
    strictErrors: decoded.strictErrors,
  };
};

/** Decodes a value of any shape. */
export const decodeValue = (
  value: PlainValue,
  shape: Shape,
  decoder: GoDecoder = 'kubernetes',
  source: Uint8Array = noSource,
): ValueReading => {
  const state = new DecodeState(decoder, source);
  const decoded = decode(value, shape, state);
  return state.error === undefined
    ? { kind: 'value', value: decoded, strictErrors: [...state.strictErrors] }
    : { kind: 'error', message: state.error };
};

const noSource = new Uint8Array();

class DecodeState {
  readonly decoder: GoDecoder;
  readonly source: Uint8Array;
  /** The first error, unless a later one ends the decoding. */
  error: string | undefined;
  hasEnded = false;
  readonly strictErrors = new Set<string>();
  /** Field names from the root, for type errors: `metadata.name`. */
  readonly fieldPath: string[] = [];
  /** Field names with list indices, for strict errors: `metadata.ownerReferences[0].uid`. */
  strictPath = '';
  /** The innermost struct whose field is being decoded. */
  struct: string | undefined;

  constructor(decoder: GoDecoder, source: Uint8Array) {
    this.decoder = decoder;
    this.source = source;
  }

  typeError(jsonKind: string, goType: string): undefined {
    if (this.decoder === 'go-jose' && jsonKind === 'number') {
      return this.end(goTypeError(jsonKind, goType));
    }
    this.error ??= this.typeErrorText(jsonKind, goType);
    return undefined;
  }
  typeErrorText(jsonKind: string, goType: string): string {
    return this.struct === undefined || this.decoder === 'go-jose'
      ? goTypeError(jsonKind, goType)
      : goFieldTypeError(jsonKind, `${this.struct}.${this.fieldPath.join('.')}`, goType);
  }
  end(error: string): undefined {
    if (!this.hasEnded) this.error = error;
    this.hasEnded = true;
    return undefined;
  }
  addStrictError(what: 'unknown field' | 'duplicate field', field: string): void {
    if (this.decoder !== 'kubernetes' || this.strictErrors.size >= strictErrorLimit) return;
    const path = this.strictPath === '' ? field : `${this.strictPath}.${field}`;
    this.strictErrors.add(`${what} ${goQuote(path)}`);
  }
}

/** Decodes a value on top of an earlier one of the same field, which may be changed. */
const decode = (
  value: PlainValue,
  shape: Shape,
  state: DecodeState,
  earlier?: DecodedValue,
): DecodedValue | undefined => {
  if (shape.kind === 'raw') {
    if (shape.isRead) checkRaw(value, state);
    return value;
  }
  if (shape.kind === 'custom') {
    if (value.kind === 'null' && shape.isPointer) return undefined;
    const decoded = shape.decode(value, state.source);
    return decoded instanceof DecodeError ? state.end(decoded.message) : decoded;
  }
  if (value.kind === 'null') return undefined;
  switch (shape.kind) {
    case 'string':
      return value.kind === 'string' ? value.text : state.typeError(value.kind, shape.goType);
    case 'bool':
      return value.kind === 'bool' ? value.value : state.typeError(value.kind, 'bool');
    case 'int32':
      return decodeInteger(value, 32, state);
    case 'int64':
      return decodeInteger(value, 64, state);
    case 'bytes':
      return decodeBytes(value, state);
    case 'time':
      return decodeTime(value, state);
    case 'list':
      return decodeList(value, shape, state, earlier);
    case 'map':
      return decodeMap(value, shape, state, earlier);
    case 'struct':
      return decodeStruct(value, shape, state, earlier);
  }
};

const decodeInteger = (
  value: PlainValue,
  bits: 32 | 64,
  state: DecodeState,
): DecodedValue | undefined => {
  if (value.kind !== 'number') return state.typeError(value.kind, `int${bits}`);
  const number = /^-?\d{1,19}$/.test(value.literal) ? BigInt(value.literal) : undefined;
  return number === undefined || BigInt.asIntN(bits, number) !== number
    ? state.typeError(`number ${value.literal}`, `int${bits}`)
    : number;
};

/** Returns canonical base64; a list of numbers is also accepted. */
const decodeBytes = (value: PlainValue, state: DecodeState): DecodedValue | undefined => {
  if (value.kind === 'array') {
    return encodeBase64(Uint8Array.from(value.items, (item) => decodeByte(item, state)));
  }
  if (value.kind !== 'string') return state.typeError(value.kind, '[]uint8');
  const decoded = decodeGoBase64(value.text, { alphabet: 'standard', padding: 'required' });
  if (decoded.kind === 'error') {
    state.error ??= decoded.error;
    return undefined;
  }
  return encodeBase64(decoded.bytes);
};

const decodeByte = (value: PlainValue, state: DecodeState): number => {
  if (value.kind === 'null') return 0;
  if (value.kind === 'number' && /^\d{1,3}$/.test(value.literal) && Number(value.literal) < 256) {
    return Number(value.literal);
  }
  state.typeError(value.kind === 'number' ? `number ${value.literal}` : value.kind, 'uint8');
  return 0;
};

/** Errors of times end the decoding, because the type has a decoder of its own. */
const decodeTime = (value: PlainValue, state: DecodeState): DecodedValue | undefined => {
  if (value.kind !== 'string') return state.end(state.typeErrorText(value.kind, 'string'));
  const error = goRfc3339Error(value.text);
  return error === undefined ? value.text : state.end(error);
};

/** The items that Go's slice stores for a repeated list, some of them after its end. */
const storedItems = new WeakMap<readonly DecodedValue[], DecodedValue[]>();

/**
 * Decodes items on top of earlier ones at the same index. Go reuses the slice, which a shorter list
 * does not clear beyond its end; an empty list replaces it.
 */
const decodeList = (
  value: PlainValue,
  shape: Extract<Shape, { kind: 'list' }>,
  state: DecodeState,
  earlier: DecodedValue | undefined,
): DecodedValue | undefined => {
  if (value.kind !== 'array') return state.typeError(value.kind, shape.goType);
  const stored = isList(earlier) ? (storedItems.get(earlier) ?? [...earlier]) : undefined;
  const outer = state.strictPath;
  const items = value.items.map((item, index) => {
    state.strictPath = `${outer}[${index}]`;
    const isCleared = item.kind === 'null' && isClearedByNull(shape.item);
    const before = isCleared ? undefined : stored?.[index];
    const decoded = decode(item, shape.item, state, before) ?? before ?? zeroOf(shape.item);
    if (stored !== undefined) stored[index] = decoded;
    return decoded;
  });
  state.strictPath = outer;
  if (stored !== undefined && items.length > 0) storedItems.set(items, stored);
  return items;
};

const isList = (value: DecodedValue | undefined): value is readonly DecodedValue[] =>
  Array.isArray(value);

const decodeMap = (
  value: PlainValue,
  shape: Extract<Shape, { kind: 'map' }>,
  state: DecodeState,
  earlier: DecodedValue | undefined,
): DecodedValue | undefined => {
  if (value.kind !== 'object') return state.typeError(value.kind, shape.goType);
  const map: Map<string, DecodedValue> = earlier instanceof Map ? earlier : new Map();
  const seen = new Set<string>();
  const outer = state.strictPath;
  for (const { name: key, value: member } of value.members) {
    if (seen.has(key)) state.addStrictError('duplicate field', key);
    seen.add(key);
    state.strictPath = outer === '' ? key : `${outer}.${key}`;
    map.set(key, decode(member, shape.value, state) ?? zeroOf(shape.value));
    state.strictPath = outer;
  }
  return map;
};

const decodeStruct = (
  value: PlainValue,
  shape: StructShape,
  state: DecodeState,
  earlier: DecodedValue | undefined,
): DecodedValue | undefined => {
  if (value.kind !== 'object') return state.typeError(value.kind, shape.goType);
  const fields = new Map<string, DecodedValue>(earlier instanceof Map ? earlier : []);
  const seen = new Set<string>();
  for (const member of value.members) decodeMember(member, { shape, fields, seen }, state);
  return fields;
};

const decodeMember = (
  { name: written, value }: PlainMember,
  into: {
    readonly shape: StructShape;
    readonly fields: Map<string, DecodedValue>;
    readonly seen: Set<string>;
  },
  state: DecodeState,
): void => {
  const key = state.decoder === 'encoding/json' ? fieldNamed(written, into.shape) : written;
  if (state.decoder === 'go-jose' && into.seen.has(key)) {
    state.end(`json: duplicate key '${key}' in object`);
  }
  const fieldShape = into.shape.fields.get(key);
  if (fieldShape === undefined) {
    if (state.decoder === 'go-jose') into.seen.add(key);
    state.addStrictError('unknown field', key);
    return;
  }
  if (into.seen.has(key)) state.addStrictError('duplicate field', key);
  into.seen.add(key);
  const outer = { struct: state.struct, strictPath: state.strictPath };
  state.struct = into.shape.name;
  state.strictPath = outer.strictPath === '' ? key : `${outer.strictPath}.${key}`;
  state.fieldPath.push(key);
  const decoded = decode(value, fieldShape, state, into.fields.get(key));
  if (decoded !== undefined) into.fields.set(key, decoded);
  else if (value.kind === 'null') {
    if (into.shape.pointers.has(key) || isClearedByNull(fieldShape)) into.fields.delete(key);
  }
  state.fieldPath.pop();
  state.struct = outer.struct;
  state.strictPath = outer.strictPath;
};

/** Returns the name of the field that the written name matches regardless of case. */
const fieldNamed = (written: string, { fields, foldedNames }: StructShape): string =>
  fields.has(written) ? written : (foldedNames.get(foldName(written)) ?? written);

const isClearedByNull = (shape: Shape): boolean =>
  shape.kind === 'custom' ||
  shape.kind === 'list' ||
  shape.kind === 'map' ||
  shape.kind === 'bytes' ||
  shape.kind === 'time';

/** Validates that numbers are doubles, and reports repeated members. */
const checkRaw = (value: PlainValue, state: DecodeState): void => {
  if (value.kind === 'number' && !Number.isFinite(Number(value.literal))) {
    state.typeError(`number ${value.literal}`, 'float64');
  }
  const outer = state.strictPath;
  if (value.kind === 'array') {
    for (const [index, item] of value.items.entries()) {
      state.strictPath = `${outer}[${index}]`;
      checkRaw(item, state);
    }
  }
  if (value.kind === 'object') {
    const seen = new Set<string>();
    for (const { name, value: member } of value.members) {
      state.strictPath = outer;
      if (seen.has(name)) state.addStrictError('duplicate field', name);
      seen.add(name);
      state.strictPath = outer === '' ? name : `${outer}.${name}`;
      checkRaw(member, state);
    }
  }
  state.strictPath = outer;
};

/** Returns the value of null inside a list or map. */
export const zeroOf = (shape: Shape): DecodedValue => {
  switch (shape.kind) {
    case 'string':
    case 'bytes':
    case 'time':
    case 'custom':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0n;
    case 'list':
      return [];
    case 'raw':
      return { kind: 'null' };
    default:
      return new Map();
  }
};
