/** Flags as tables declare them: what most flags have in common may be absent. */
import type { FlagRow, FlagType } from './flag.ts';

/** A flag that is a string unless it says otherwise; its default is its first choice, or empty. */
export type FlagForm = Omit<FlagRow, 'type' | 'default'> &
  Partial<Pick<FlagRow, 'type' | 'default'>>;

export const flagRow = (form: FlagForm): FlagRow => {
  const { type = 'string', choices } = form;
  return { type, default: choices?.[0] ?? emptyValues.get(type) ?? '', ...form };
};

/** Returns the flags that `--help` lists under one heading. */
export const flagGroup = (
  group: string,
  forms: readonly Omit<FlagForm, 'group'>[],
): readonly FlagRow[] => forms.map((form) => flagRow({ group, ...form }));

const emptyValues: ReadonlyMap<FlagType, string> = new Map([
  ['bool', 'false'],
  ['stringArray', '[]'],
  ['stringSlice', '[]'],
]);
