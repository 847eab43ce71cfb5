/** The type of a value that was seen, as far as a checker could have known it. */
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

/** Lists and maps are of anything: the next value may hold something else. */
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
