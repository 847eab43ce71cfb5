/**
 * CEL types as data. `any` differs from `dyn`: `claims.x` cannot be the range of a comprehension.
 */

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
  | 'error'
  /** The absence of a type, which only `dyn` and type parameters accept. */
  | 'unset';

/** A type without type parameters. `nullable` marks a protobuf wrapper, which may also be null. */
export interface SimpleCelType {
  readonly kind: SimpleKind;
  readonly nullable?: true;
}

/** A type in the checker. */
export type CelType =
  | SimpleCelType
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

export const boolType: SimpleCelType = { kind: 'bool' };
export const intType: SimpleCelType = { kind: 'int' };
export const uintType: SimpleCelType = { kind: 'uint' };
export const doubleType: SimpleCelType = { kind: 'double' };
export const stringType: SimpleCelType = { kind: 'string' };
export const bytesType: SimpleCelType = { kind: 'bytes' };
export const nullType: SimpleCelType = { kind: 'null' };
export const timestampType: SimpleCelType = { kind: 'timestamp' };
export const durationType: SimpleCelType = { kind: 'duration' };
export const dynType: SimpleCelType = { kind: 'dyn' };
export const anyType: SimpleCelType = { kind: 'any' };
export const errorType: SimpleCelType = { kind: 'error' };
export const unsetType: SimpleCelType = { kind: 'unset' };

/** The types whose values have an order. */
export const orderedTypes: readonly CelType[] = [
  intType,
  uintType,
  doubleType,
  boolType,
  durationType,
  timestampType,
  stringType,
  bytesType,
];

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

/** Checks for `dyn`, or for `any`, which behaves alike wherever a value is only passed on. */
export const isDynamic = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';

/** Returns the name without parameters, as cel-go uses it at run time. */
export const runtimeTypeName = (type: CelType): string => {
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'any':
      return 'google.protobuf.Any';
    case 'optional':
      return 'optional_type';
    case 'unset':
      return '';
    case 'opaque':
    case 'object':
    case 'param':
      return type.name;
    default:
      return type.kind;
  }
};

const noParameters: readonly CelType[] = [];

/** Returns the parameters of a type: the element of a list, the key and value of a map. */
export const typeParameters = (type: CelType): readonly CelType[] => {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'optional':
      return [type.value];
    case 'type':
      return type.of === undefined ? noParameters : [type.of];
    case 'opaque':
      return type.params;
    default:
      return noParameters;
  }
};

/** Returns the type with each of its parameters replaced. */
export const mapTypeParameters = (
  type: CelType,
  replace: (parameter: CelType) => CelType,
): CelType => {
  switch (type.kind) {
    case 'list':
      return listOf(replace(type.element));
    case 'map':
      return mapOf(replace(type.key), replace(type.value));
    case 'optional':
      return optionalOf(replace(type.value));
    case 'type':
      return typeOf(type.of && replace(type.of));
    case 'opaque':
      return opaqueType(type.name, type.params.map(replace));
    default:
      return type;
  }
};

const sameTypeBy = (
  a: CelType,
  b: CelType,
  sameParam: (a: string, b: string) => boolean,
): boolean => {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'param') return b.kind === 'param' && sameParam(a.name, b.name);
  if (runtimeTypeName(a) !== runtimeTypeName(b)) return false;
  return everyPair(typeParameters(a), typeParameters(b), (left, right) =>
    sameTypeBy(left, right, sameParam),
  );
};

/** Reports whether two lists have the same length and a test holds for each pair of types. */
export const everyPair = (
  a: readonly CelType[],
  b: readonly CelType[],
  test: (left: CelType, right: CelType) => boolean,
): boolean =>
  a.length === b.length &&
  a.every((type, index) => {
    const other = b[index];
    return other !== undefined && test(type, other);
  });

/** Checks whether two types are equal in every part. */
export const isSameType = (a: CelType, b: CelType): boolean =>
  sameTypeBy(a, b, (left, right) => left === right);

/** Checks whether two types are equal except for the names of type parameters. */
export const isEquivalentType = (a: CelType, b: CelType): boolean => sameTypeBy(a, b, () => true);

/** Checks whether the type or a part of it is unset. */
export const hasUnset = (type: CelType): boolean =>
  type.kind === 'unset' || typeParameters(type).some(hasUnset);
