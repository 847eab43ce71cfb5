/** CEL types as data. `any` differs from `dyn`: `claims.x` is no comprehension range. */

export type SimpleKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'any'
  | 'error';

export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'optional'; readonly value: CelType }
  /** The type of a type: `type(1)` is `type(int)`. */
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  /** An opaque type of a library (`net.IP`) or of an environment, with its parameters. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly CelType[] }
  /** A type with declared fields (`kubernetes.UserInfo`). */
  | { readonly kind: 'object'; readonly name: string }
  /** A type parameter of a declaration, or a free variable while checking. */
  | { readonly kind: 'param'; readonly name: string };

export const boolType: CelType = { kind: 'bool' };
export const intType: CelType = { kind: 'int' };
export const uintType: CelType = { kind: 'uint' };
export const doubleType: CelType = { kind: 'double' };
export const stringType: CelType = { kind: 'string' };
export const bytesType: CelType = { kind: 'bytes' };
export const nullType: CelType = { kind: 'null' };
export const timestampType: CelType = { kind: 'timestamp' };
export const durationType: CelType = { kind: 'duration' };
export const dynType: CelType = { kind: 'dyn' };
export const anyType: CelType = { kind: 'any' };
export const errorType: CelType = { kind: 'error' };

export const listOf = (element: CelType): CelType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (value: CelType): CelType => ({ kind: 'optional', value });
export const typeOf = (of: CelType | undefined): CelType => ({ kind: 'type', of });
export const opaqueType = (name: string, params: readonly CelType[] = []): CelType => ({
  kind: 'opaque',
  name,
  params,
});
export const objectType = (name: string): CelType => ({ kind: 'object', name });
export const typeParam = (name: string): CelType => ({ kind: 'param', name });
