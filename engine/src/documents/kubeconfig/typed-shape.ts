/** The shapes that `typed-object.ts` decodes by, as data. */

/** What a value may be, and how messages name its type. */
export type TypedShape =
  | { readonly kind: 'string'; readonly goType: string }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int32' }
  | { readonly kind: 'int64' }
  /** Base64 text. */
  | { readonly kind: 'bytes' }
  /** RFC 3339 text. */
  | { readonly kind: 'time' }
  | { readonly kind: 'list'; readonly goType: string; readonly item: TypedShape }
  | { readonly kind: 'map'; readonly goType: string; readonly value: TypedShape }
  | TypedStruct
  | { readonly kind: 'raw' };

/** Known fields by name. */
export interface TypedStruct {
  readonly kind: 'struct';
  /** As messages name it: `AuthInfo` in `Go struct field AuthInfo.users.user.token`. */
  readonly name: string;
  readonly goType: string;
  readonly fields: ReadonlyMap<string, TypedShape>;
}

/** A text. */
export const stringShape: TypedShape = { kind: 'string', goType: 'string' };

/** A list of texts. */
export const stringListShape: TypedShape = { kind: 'list', goType: '[]string', item: stringShape };

/** A list of anything. */
export const listShape = (goType: string, item: TypedShape): TypedShape => ({
  kind: 'list',
  goType,
  item,
});

/** A struct from its fields. */
export const structShape = (
  name: string,
  goType: string,
  ...fields: readonly (readonly [name: string, shape: TypedShape])[]
): TypedStruct => ({ kind: 'struct', name, goType, fields: new Map(fields) });
