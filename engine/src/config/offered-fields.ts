/** Which fields a struct may still get, and in which order they are worth offering. */
import type { Release } from '../model/release.ts';
import { type FieldRow, fieldsOf, type StructName } from './schema.ts';

/** A field that may still be written at a place. */
export interface OfferedField {
  readonly row: FieldRow;
  /** The target release does not know it. */
  readonly isNewer: boolean;
}

/** Required ones first, what only a newer release reads last. */
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

/** Fields that refuse each other wherever both may stand. */
const exclusive: ReadonlyMap<string, readonly string[]> = new Map([
  ['claim', ['expression', 'message']],
  ['requiredValue', ['expression', 'message']],
  ['prefix', ['expression']],
  ['expression', ['claim', 'requiredValue', 'prefix']],
]);
