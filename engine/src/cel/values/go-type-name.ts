/** Names of Go types that a few of kube-apiserver's messages contain. */

import { CelFormat } from './api-formats.ts';
import { isConcatList } from './concat-lists.ts';
import { CelMap, isMap, VariableMap } from './map-value.ts';
import { EmptyMessage } from './message-value.ts';
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

/**
 * Returns `types.Double`, `*types.Err`, … Lists and maps that are data of a variable are wrapped in
 * kube-apiserver. Maps show it by their class; for lists the caller passes it.
 */
export const goTypeName = (value: CelResult, isWrapped = false): string => {
  if (typeof value === 'string') return 'types.String';
  if (typeof value === 'number') return 'types.Double';
  if (typeof value === 'bigint') return 'types.Int';
  if (typeof value === 'boolean') return 'types.Bool';
  if (value === null) return 'types.Null';
  if (value instanceof CelError) return '*types.Err';
  if (isList(value)) {
    if (isConcatList(value)) return '*types.concatList';
    return isWrapped ? '*oidc.unescapeLister' : '*types.baseList';
  }
  if (value instanceof CelMap) return '*types.baseMap';
  if (isMap(value)) return '*oidc.unescapeMapper';
  if (value instanceof CelUint) return 'types.Uint';
  if (value instanceof CelBytes) return 'types.Bytes';
  if (value instanceof CelTimestamp) return 'types.Timestamp';
  if (value instanceof CelDuration) return 'types.Duration';
  if (value instanceof CelTypeValue) return '*types.Type';
  if (value instanceof CelOptional) return '*types.Optional';
  if (value instanceof VariableMap) return '*lazy.MapValue';
  if (value instanceof CelFormat) return 'cel.Format';
  if (value instanceof EmptyMessage) return '*types.protoObj';
  return `cel.${value.typeName.replace(/^.*\./, '')}`;
};
