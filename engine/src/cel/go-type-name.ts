/** Names of the real server's own types, which a few of its messages show. */
import { isMap, VariableMap } from './map-value.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import {
  CelBytes,
  CelError,
  CelOptional,
  type CelResult,
  CelTypeValue,
  CelUint,
  isList,
} from './value.ts';

/** `types.Double`, `*types.Err`, … */
export const goTypeName = (value: CelResult): string => {
  if (typeof value === 'string') return 'types.String';
  if (typeof value === 'number') return 'types.Double';
  if (typeof value === 'bigint') return 'types.Int';
  if (typeof value === 'boolean') return 'types.Bool';
  if (value === null) return 'types.Null';
  if (value instanceof CelError) return '*types.Err';
  if (isList(value)) return '*types.baseList';
  if (isMap(value)) return '*types.baseMap';
  if (value instanceof CelUint) return 'types.Uint';
  if (value instanceof CelBytes) return 'types.Bytes';
  if (value instanceof CelTimestamp) return 'types.Timestamp';
  if (value instanceof CelDuration) return 'types.Duration';
  if (value instanceof CelTypeValue) return '*types.Type';
  if (value instanceof CelOptional) return '*types.Optional';
  if (value instanceof VariableMap) return '*lazy.MapValue';
  return `cel.${value.typeName.replace(/^.*\./, '')}`;
};
