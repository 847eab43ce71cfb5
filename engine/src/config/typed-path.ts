/** Steps down the types of the file: by the name of a field, by the index of an entry. */
import type { TypedPath } from './place.ts';
import { type FieldRow, fieldsOf, type StructName } from './schema.ts';

/** Where everything begins. */
export const rootPath: TypedPath = {
  path: '',
  type: { kind: 'struct', struct: 'AuthenticationConfiguration' },
  owner: undefined,
};

/** `undefined` where there is no such field. */
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

/** `undefined` where the place is no list. */
export const itemBelow = (at: TypedPath, index: number): TypedPath | undefined =>
  at.type.kind === 'list'
    ? { path: `${at.path}[${index}]`, type: at.type.item, owner: at.owner }
    : undefined;

/** The row of a field, also by the name that the internal form of the file gives it. */
export const rowOf = (struct: StructName, name: string): FieldRow | undefined =>
  fieldsOf(struct).find((row) => row.name === name || row.goName === name);
