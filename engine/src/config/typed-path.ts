/** Walks down the types of the file, by field name or by index. */
import type { TypedPath } from './place.ts';
import { type FieldRow, fieldsOf, type StructName } from './schema.ts';

/** The path of the file itself. */
export const rootPath: TypedPath = {
  path: '',
  type: { kind: 'struct', struct: 'AuthenticationConfiguration' },
  owner: undefined,
};

/** Returns the path of a field; `undefined` if there is no such field. */
export const fieldBelow = (at: TypedPath, name: string): TypedPath | undefined => {
  if (at.type.kind !== 'struct') return undefined;
  const row = rowOf(at.type.struct, name);
  if (row === undefined) return undefined;
  return {
    path: at.path === '' ? row.name : `${at.path}.${row.name}`,
    type: row.type,
    owner: { struct: at.type.struct, row },
  };
};

/** Returns the path of an item; `undefined` if the value is not a list. */
export const itemBelow = (at: TypedPath, index: number): TypedPath | undefined =>
  at.type.kind === 'list'
    ? { path: `${at.path}[${index}]`, type: at.type.item, owner: at.owner }
    : undefined;

/** Returns the row of a field, also by the name that the internal version uses. */
export const rowOf = (struct: StructName, name: string): FieldRow | undefined =>
  fieldsOf(struct).find((row) => row.name === name || row.goName === name);
