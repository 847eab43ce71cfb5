/** Names of types that kube-apiserver's type provider declares in addition to the names of CEL. */
import type { Release } from '../../model/release.ts';
import { type CelType, durationType, timestampType } from './types.ts';

/** The names compile, but no runtime type has them. */
export const scalarAliases: ReadonlyMap<string, CelType> = new Map([
  ['duration', durationType],
  ['timestamp', timestampType],
]);

/**
 * First release whose type provider declares a type's name as a type. In earlier releases the name is a
 * variable of that type, which has no value.
 */
export const declaresTypesSince: Release = 32;
