/** Names of claims and members that samples have, and how to write them in an expression. */
import { type CelValue, escapeInvisible, membersOf } from '@authgraph/engine/language';
import type { SampleValue } from './sample-values.ts';

export interface SampleField {
  readonly name: string;
  /** The values in the samples that have the member; the current sample comes first. */
  readonly seen: readonly { readonly sample: string; readonly value: CelValue }[];
  readonly inCurrent: boolean;
}

/**
 * Returns the members of the current sample first, then those of the others; each name appears
 * once.
 */
export const fieldsOfValues = (values: readonly SampleValue[]): readonly SampleField[] => {
  const byName = new Map<string, { seen: SampleField['seen'][number][]; inCurrent: boolean }>();
  for (const { sample, isCurrent, values: sampleValues } of values) {
    for (const value of sampleValues) {
      for (const [name, member] of membersOf(value)) {
        const field = byName.get(name) ?? { seen: [], inCurrent: false };
        byName.set(name, field);
        if (field.seen.at(-1)?.sample !== sample.name)
          field.seen.push({ sample: sample.name, value: member });
        field.inCurrent ||= isCurrent;
        if (byName.size >= maxFields) break;
      }
    }
  }
  return [...byName].map(([name, field]) => ({ name, ...field }));
};

const maxFields = 500;

/** Escapes a string for use between the quotes of a CEL literal. */
export const celStringContent = (text: string, quote: string): string =>
  escapeInvisible(
    text.replace(/[\\"']/g, (mark) => (mark === '\\' || mark === quote ? `\\${mark}` : mark)),
  );

/** Returns whether a member can be selected by this name; CEL reserves some words. */
export const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !['true', 'false', 'null', 'in'].includes(name);
