/**
 * Converts a merged object to a known shape, as kube-apiserver converts maps to structs after a
 * strategic merge: field by field in the order of the struct, stopping at the first error.
 */

import { encodeBase64 } from '../../formats/base64.ts';
import {
  type DecodedValue,
  decodeValue,
  type ObjectReading,
  zeroOf,
} from '../../formats/go-struct/decode.ts';
import type { Shape, StructShape } from '../../formats/go-struct/shape.ts';
import type { PlainValue } from '../../formats/json-with-positions.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import {
  goType,
  isItems,
  isMembers,
  type PatchMembers,
  type PatchValue,
} from '../../resources/patch-values.ts';

/** Converts a whole object; unknown fields are reported in alphabetical order. */
export const convertObject = (members: PatchMembers, shape: StructShape): ObjectReading => {
  const unknown: string[] = [];
  try {
    const fields = convertStruct(members, shape, { path: '', unknown });
    return { kind: 'object', fields, strictErrors: unknown.sort(byCodePoint) };
  } catch (error) {
    if (error instanceof ConversionError) return { kind: 'error', message: error.message };
    throw error;
  }
};

/** An error of the conversion; it is caught within this file. */
class ConversionError extends Error {}

interface ConversionContext {
  readonly path: string;
  /** Collects errors such as `unknown field "metadata.nope"`. */
  readonly unknown: string[];
}

const convert = (value: PatchValue, shape: Shape, context: ConversionContext): DecodedValue => {
  if (value === null) return zeroOf(shape);
  switch (shape.kind) {
    case 'string':
      if (typeof value === 'string') return value;
      throw conversionError(value, 'string', shape.goType);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw conversionError(value, 'bool');
    case 'int64':
      return convertInteger(value);
    case 'bytes':
      return convertBytes(value);
    case 'list':
      if (!isItems(value)) throw new ConversionError(`cannot restore slice from ${kindOf(value)}`);
      return value.map((item, index) =>
        convert(item, shape.item, { ...context, path: `${context.path}[${index}]` }),
      );
    case 'map':
      if (!isMembers(value)) throw new ConversionError(`cannot restore map from ${kindOf(value)}`);
      return new Map(
        Array.from(value, ([name, member]) => [name, convert(member, shape.value, context)]),
      );
    case 'struct':
      if (!isMembers(value))
        throw new ConversionError(`cannot restore struct from: ${kindOf(value)}`);
      return convertStruct(value, shape, context);
    default:
      return decoded(value, shape);
  }
};

const convertStruct = (
  members: PatchMembers,
  shape: StructShape,
  { path, unknown }: ConversionContext,
): ReadonlyMap<string, DecodedValue> => {
  const fields = new Map<string, DecodedValue>();
  const pathOf = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const { name, shape: fieldShape } of shape.rows) {
    const value = members.get(name) ?? null;
    if (value !== null)
      fields.set(name, convert(value, fieldShape, { path: pathOf(name), unknown }));
  }
  for (const name of members.keys()) {
    if (!shape.fields.has(name)) unknown.push(`unknown field "${pathOf(name)}"`);
  }
  return fields;
};

/** Returns Go's name for the kind of a type. */
const kindOf = (value: PatchValue): string => {
  if (isItems(value)) return 'slice';
  return isMembers(value) ? 'map' : goType(value);
};

/**
 * Returns the error for a value of another type. Go can convert an integer to a string, so that
 * case has an error of its own.
 */
const conversionError = (value: PatchValue, wanted: string, type = wanted): ConversionError =>
  new ConversionError(
    wanted === 'string' && typeof value === 'bigint'
      ? `cannot convert int64 to ${type}`
      : `unrecognized type: ${wanted}`,
  );

const minInt64 = -(2n ** 63n);

const convertInteger = (value: PatchValue, type = 'int64'): bigint => {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') throw conversionError(value, type);
  if (!Number.isInteger(value)) throw new ConversionError(`cannot convert float64 to ${type}`);
  const whole = BigInt(value);
  // The result of an overflowing conversion on the processor of kube-apiserver.
  return BigInt.asIntN(64, whole) === whole ? whole : minInt64;
};

const convertBytes = (value: PatchValue): DecodedValue => {
  if (isItems(value)) {
    const numbers = value.map((item) => (item === null ? 0n : convertInteger(item, 'uint8')));
    return encodeBase64(Uint8Array.from(numbers, (number) => Number(BigInt.asUintN(8, number))));
  }
  if (typeof value !== 'string')
    throw new ConversionError(`cannot restore slice from ${kindOf(value)}`);
  return decoded(value, { kind: 'bytes' }, 'error decoding from json: ');
};

/** Decodes values whose Go type has a JSON decoder of its own. */
const decoded = (value: PatchValue, shape: Shape, lead = ''): DecodedValue => {
  const reading = decodeValue(jsonOf(value), shape);
  if (reading.kind === 'error') throw new ConversionError(`${lead}${reading.message}`);
  return reading.value ?? zeroOf(shape);
};

const jsonOf = (value: PatchValue): PlainValue => {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'string') return { kind: 'string', text: value };
  if (typeof value === 'boolean') return { kind: 'bool', value };
  if (isItems(value)) return { kind: 'array', items: value.map(jsonOf) };
  if (isMembers(value)) {
    const members = Array.from(value, ([name, member]) => ({ name, value: jsonOf(member) }));
    return { kind: 'object', members };
  }
  return { kind: 'number', literal: String(value) };
};
