/**
 * Up to 1.36, an attribute converts the value of an optional to a Go value and back. Nested
 * optionals lose their layers, types become their names, and objects of Kubernetes' libraries fail
 * to convert back.
 */
import type { Release } from '../../../model/release.ts';
import { CelFormat } from '../../values/api-formats.ts';
import { VariableMap } from '../../values/map-value.ts';
import {
  CelError,
  CelObject,
  CelOptional,
  type CelResult,
  CelTypeValue,
  noSuchOverload,
} from '../../values/value.ts';

/** The first release in which an attribute does not change the value of an optional. */
export const keepsOptionalsSince: Release = 37;

/** Returns the optional that an attribute returns for this value. */
export const convertThroughGo = (value: CelResult): CelResult => {
  if (!(value instanceof CelOptional) || value.value === undefined) return value;
  if (!(value.value instanceof CelObject)) return value;
  const held = innermost(value.value);
  return held instanceof CelError ? held : new CelOptional(held);
};

const innermost = (value: CelObject): CelResult => {
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelOptional) {
    if (value.value === undefined) return null;
    return value.value instanceof CelObject ? innermost(value.value) : value.value;
  }
  if (value instanceof VariableMap) return noSuchOverload;
  const goType = value instanceof CelFormat ? undefined : goTypes.get(value.typeName);
  return goType === undefined
    ? value
    : new CelError(`unsupported conversion to ref.Val: (${goType})${value}`);
};

const goTypes: ReadonlyMap<string, string> = new Map([
  ['kubernetes.Quantity', '*resource.Quantity'],
  ['kubernetes.URL', '*url.URL'],
  ['net.IP', 'netip.Addr'],
  ['net.CIDR', 'netip.Prefix'],
  ['kubernetes.Semver', 'semver.Version'],
]);
