/** The shapes that `typed-object.ts` decodes. */

/** The type of a value, and its Go type in messages. */
export type TypedShape =
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int32' }
  | { readonly kind: 'int64' }
  /** A base64 string. */
  | { readonly kind: 'bytes' }
  /** An RFC 3339 string. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: TypedShape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: TypedShape }
  | TypedStruct
  | { readonly kind: 'raw' };

/** Known fields by name. */
export interface TypedStruct {
  readonly kind: 'struct';
  /** The name in messages: `AuthInfo` in `Go struct field AuthInfo.users.user.token`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, TypedShape>;
}

/** The shape of a string. */
export const stringShape: TypedShape = { kind: 'string', goType: 'string' };

/** The shape of a list of strings. */
export const stringListShape: TypedShape = { kind: 'list', goType: '[]string', item: stringShape };

/** Returns the shape of a list. */
export const listShape = (goType: string, item: TypedShape): TypedShape => ({
  kind: 'list',
  goType,
  item,
});

/** Returns the shape of a struct with these fields. */
export const structShape = (
  name: string,
  goType: string,
  ...fields: readonly (readonly [name: string, shape: TypedShape])[]
): TypedStruct => ({ kind: 'struct', name, goType, fields: new Map(fields) });
