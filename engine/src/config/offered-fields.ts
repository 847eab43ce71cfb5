/** The fields that can be added to a struct, in the order in which completion offers them. */
import type { Release } from '../model/release.ts';
import { type FieldRow, fieldsOf, type StructName } from './schema.ts';

/** A field that can be added at a place. */
export interface OfferedField {
  readonly row: FieldRow;
  /** True if the target release does not support the field. */
  readonly isNewer: boolean;
}

/** Returns required fields first, and fields of newer releases last. */
export const offeredFields = (
  struct: StructName,
  present: ReadonlySet<string>,
  release: Release,
): readonly OfferedField[] =>
  fieldsOf(struct)
    .filter(({ name, goName }) => !present.has(name) && !present.has(goName))
    .filter(({ name }) => !(exclusive.get(name) ?? []).some((other) => present.has(other)))
    .map((row) => ({ row, isNewer: (row.since ?? 0) > release }))
    .sort((a, b) => rank(a) - rank(b));

const rank = ({ row, isNewer }: OfferedField): number => (isNewer ? 2 : row.required ? 0 : 1);

/** Fields that exclude each other wherever both are allowed. */
const exclusive: ReadonlyMap<string, readonly string[]> = new Map([
  ['claim', ['expression', 'message']],
  ['requiredValue', ['expression', 'message']],
  ['prefix', ['expression']],
  ['expression', ['claim', 'requiredValue', 'prefix']],
]);
