/**
 * Decodes a body into an object of a known shape by the rules of kube-apiserver: names match
 * exactly, the last of repeated members wins, null leaves a field absent, the first type error is
 * the result, and unknown or repeated fields are reported in addition to the object (strict
 * errors).
 */
import { decodeGoBase64, encodeBase64 } from '../../formats/base64.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { Shape, StructShape } from '../../resources/shape.ts';
import type { JsonMember, JsonValue } from './json-value.ts';

/** A decoded value. Structs and maps are maps, in the order of their members. */
export type DecodedValue =
  | string
  | bigint
  | boolean
  | readonly DecodedValue[]
  | ReadonlyMap<string, DecodedValue>
  | JsonValue;

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
      readonly fields: ReadonlyMap<string, DecodedValue>;
      /**
       * Errors such as `unknown field "x"` and `duplicate field "kind"`: in order, without
       * repetitions, at most 100.
       */
      readonly strictErrors: readonly string[];
    }
  | { readonly kind: 'error'; readonly message: string };

const strictErrorLimit = 100;

/** Decodes a whole body. */
export const decodeObject = (value: JsonValue, shape: StructShape): ObjectReading => {
  const decoded = decodeValue(value, shape);
  if (decoded.kind === 'error') return decoded;
  return {
    kind: 'object',
    fields: decoded.value instanceof Map ? decoded.value : new Map(),
    strictErrors: decoded.strictErrors,
  };
};

/** Decodes a value of any shape. */
export const decodeValue = (value: JsonValue, shape: Shape): ValueReading => {
  const state = new DecodeState();
  const decoded = decode(value, shape, state);
  return state.error === undefined
    ? { kind: 'value', value: decoded, strictErrors: [...state.strictErrors] }
    : { kind: 'error', message: state.error };
};

class DecodeState {
  /** The first error, unless a later one ends the decoding. */
  error: string | undefined;
  hasEnded = false;
  readonly strictErrors = new Set<string>();
  /** Field names from the root, for type errors: `metadata.name`. */
  readonly fieldPath: string[] = [];
  /** Field names with list indices, for strict errors: `metadata.ownerReferences[0].uid`. */
  strictPath = '';
  /** The innermost struct whose field is being decoded. */
  struct = '';

  typeError(found: string, goType: string): undefined {
    const place =
      this.struct === ''
        ? 'Go value'
        : `Go struct field ${this.struct}.${this.fieldPath.join('.')}`;
    this.error ??= `json: cannot unmarshal ${found} into ${place} of type ${goType}`;
    return undefined;
  }
  addStrictError(what: 'unknown field' | 'duplicate field', field: string): void {
    if (this.strictErrors.size >= strictErrorLimit) return;
    const path = this.strictPath === '' ? field : `${this.strictPath}.${field}`;
    this.strictErrors.add(`${what} ${goQuote(path)}`);
  }
}

const decode = (value: JsonValue, shape: Shape, state: DecodeState): DecodedValue | undefined => {
  if (shape.kind === 'raw') {
    if (shape.isRead) checkRaw(value, state);
    return value;
  }
  if (value.kind === 'null') return undefined;
  switch (shape.kind) {
    case 'string':
      return value.kind === 'string'
        ? value.text
        : state.typeError(jsonKindOf(value), shape.goType);
    case 'bool':
      return value.kind === 'bool' ? value.value : state.typeError(jsonKindOf(value), 'bool');
    case 'int64':
      return decodeInteger(value, state);
    case 'bytes':
      return decodeBytes(value, state);
    case 'time':
      return decodeTime(value, state);
    case 'list':
      return decodeList(value, shape, state);
    case 'map':
      return decodeMap(value, shape, state);
    case 'struct':
      return decodeStruct(value, shape, state);
    default:
      throw new Error('unreachable: unknown shape');
  }
};

const jsonKindOf = (value: JsonValue): string => value.kind;

const int64Text = /^-?\d+$/;

const decodeInteger = (value: JsonValue, state: DecodeState): DecodedValue | undefined => {
  if (value.kind !== 'number') return state.typeError(jsonKindOf(value), 'int64');
  if (!int64Text.test(value.literal)) return state.typeError(`number ${value.literal}`, 'int64');
  const number = value.literal.length > 20 ? undefined : BigInt(value.literal);
  if (number === undefined || BigInt.asIntN(64, number) !== number) {
    return state.typeError(`number ${value.literal}`, 'int64');
  }
  return number;
};

/** Returns canonical base64; a list of numbers is also accepted. */
const decodeBytes = (value: JsonValue, state: DecodeState): DecodedValue | undefined => {
  if (value.kind === 'array') {
    return encodeBase64(Uint8Array.from(value.items, (item) => decodeByte(item, state)));
  }
  if (value.kind !== 'string') return state.typeError(jsonKindOf(value), '[]uint8');
  const decoded = decodeGoBase64(value.text, { alphabet: 'standard', padding: 'required' });
  if (decoded.kind === 'error') {
    state.error ??= decoded.error;
    return undefined;
  }
  return encodeBase64(decoded.bytes);
};

const decodeByte = (value: JsonValue, state: DecodeState): number => {
  if (value.kind === 'null') return 0;
  if (value.kind === 'number' && /^\d{1,3}$/.test(value.literal) && Number(value.literal) < 256) {
    return Number(value.literal);
  }
  state.typeError(value.kind === 'number' ? `number ${value.literal}` : jsonKindOf(value), 'uint8');
  return 0;
};

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const decodeTime = (value: JsonValue, state: DecodeState): DecodedValue | undefined => {
  if (value.kind !== 'string') return state.typeError(jsonKindOf(value), 'string');
  if (rfc3339.test(value.text) && !Number.isNaN(Date.parse(value.text))) return value.text;
  const quoted = goQuote(value.text);
  if (state.hasEnded) return undefined;
  state.hasEnded = true;
  state.error = `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`;
  return undefined;
};

const decodeList = (
  value: JsonValue,
  shape: Extract<Shape, { kind: 'list' }>,
  state: DecodeState,
): DecodedValue | undefined => {
  if (value.kind !== 'array') return state.typeError(jsonKindOf(value), shape.goType);
  const outer = state.strictPath;
  const items = value.items.map((item, index) => {
    state.strictPath = `${outer}[${index}]`;
    return decode(item, shape.item, state) ?? zeroOf(shape.item);
  });
  state.strictPath = outer;
  return items;
};

const decodeMap = (
  value: JsonValue,
  shape: Extract<Shape, { kind: 'map' }>,
  state: DecodeState,
): DecodedValue | undefined => {
  if (value.kind !== 'object') return state.typeError(jsonKindOf(value), shape.goType);
  const map = new Map<string, DecodedValue>();
  const outer = state.strictPath;
  for (const { name: key, value: member } of value.members) {
    if (map.has(key)) state.addStrictError('duplicate field', key);
    state.strictPath = outer === '' ? key : `${outer}.${key}`;
    map.set(key, decode(member, shape.value, state) ?? zeroOf(shape.value));
    state.strictPath = outer;
  }
  return map;
};

const decodeStruct = (
  value: JsonValue,
  shape: StructShape,
  state: DecodeState,
): DecodedValue | undefined => {
  if (value.kind !== 'object') return state.typeError(jsonKindOf(value), shape.goType);
  const fields = new Map<string, DecodedValue>();
  const seen = new Set<string>();
  for (const member of value.members) decodeMember(member, { shape, fields, seen }, state);
  return fields;
};

const decodeMember = (
  { name: key, value }: JsonMember,
  into: {
    readonly shape: StructShape;
    readonly fields: Map<string, DecodedValue>;
    readonly seen: Set<string>;
  },
  state: DecodeState,
): void => {
  const fieldShape = into.shape.fields.get(key);
  if (fieldShape === undefined) {
    state.addStrictError('unknown field', key);
    return;
  }
  if (into.seen.has(key)) state.addStrictError('duplicate field', key);
  into.seen.add(key);
  const outer = { struct: state.struct, strictPath: state.strictPath };
  state.struct = into.shape.name;
  state.strictPath = outer.strictPath === '' ? key : `${outer.strictPath}.${key}`;
  state.fieldPath.push(key);
  const decoded = decode(value, fieldShape, state);
  if (decoded !== undefined) into.fields.set(key, decoded);
  state.fieldPath.pop();
  state.struct = outer.struct;
  state.strictPath = outer.strictPath;
};

/** Validates that numbers are doubles, and reports repeated members. */
const checkRaw = (value: JsonValue, state: DecodeState): void => {
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
      return '';
    case 'bool':
      return false;
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
