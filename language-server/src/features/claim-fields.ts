/** Members that values of samples have: names to go on with, and how each is written behind its value. */
import { type CelValue, escapeInvisible, membersOf } from '@authgraph/engine/language';
import type { SampleValue } from './sample-values.ts';

export interface SampleField {
  readonly name: string;
  /** Of the samples that have it, the chosen one first. */
  readonly seen: readonly { readonly sample: string; readonly value: CelValue }[];
  readonly inChosen: boolean;
}

/** Of the chosen sample first, then of the others, each name once. */
export const fieldsOfValues = (values: readonly SampleValue[]): readonly SampleField[] => {
  const byName = new Map<string, { seen: SampleField['seen'][number][]; inChosen: boolean }>();
  for (const { sample, isChosen, values: found } of values) {
    for (const value of found) {
      for (const [name, member] of membersOf(value)) {
        const field = byName.get(name) ?? { seen: [], inChosen: false };
        byName.set(name, field);
        if (field.seen.at(-1)?.sample !== sample.name)
          field.seen.push({ sample: sample.name, value: member });
        field.inChosen ||= isChosen;
        if (byName.size >= maxFields) break;
      }
    }
  }
  return [...byName].map(([name, field]) => ({ name, ...field }));
};

const maxFields = 500;

/** What stands between the quotes of a literal. */
export const celStringContent = (text: string, quote: string): string =>
  escapeInvisible(
    text.replace(/[\\"']/g, (mark) => (mark === '\\' || mark === quote ? `\\${mark}` : mark)),
  );

/** Words that are values or operators cannot be selected. */
export const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !['true', 'false', 'null', 'in'].includes(name);
