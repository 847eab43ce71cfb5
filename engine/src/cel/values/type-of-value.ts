/** Derives a static type from a value that was observed. */
import { isMap } from './map-value.ts';
import { typeNameOf } from './runtime-type.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  objectType,
  optionalOf,
  stringType,
  timestampType,
  typeOf,
  uintType,
} from './types.ts';
import { CelOptional, type CelValue, isList } from './value.ts';

/**
 * Returns the type of a value. Lists and maps have dynamic elements, because the next value may
 * hold other ones.
 */
export const typeOfValue = (value: CelValue): CelType => {
  if (isList(value)) return listOf(dynType);
  if (value instanceof CelOptional)
    return optionalOf(value.value === undefined ? dynType : typeOfValue(value.value));
  if (value !== null && isMap(value)) return mapOf(stringType, dynType);
  const name = typeNameOf(value);
  return simpleTypes.get(name) ?? objectType(name);
};

const simpleTypes: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', doubleType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
  ['int', intType],
  ['null_type', nullType],
  ['string', stringType],
  ['type', typeOf(undefined)],
  ['uint', uintType],
]);
