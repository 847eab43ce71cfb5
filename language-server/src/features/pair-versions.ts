/** Matches the configurations of a changed document with those of the previous version. */
import type { ConfigurationPart } from '../workspace.ts';

export interface Versions<Part> {
  /** `undefined` if this version has no such configuration, so it accepts no one. */
  readonly before: Part | undefined;
  readonly after: Part | undefined;
}

type Named = Pick<ConfigurationPart, 'name'> & {
  readonly compilation: { readonly document: { readonly source: { readonly text: string } } };
};

/**
 * Returns the pairs in the order of the changed document, then removed configurations. Matches by
 * name and text, then by name, then by text; unnamed configurations that differ in both match in
 * document order.
 */
export const pairVersions = <Part extends Named>(
  before: readonly Part[],
  after: readonly Part[],
): readonly Versions<Part>[] => {
  const left = new Set(before);
  const beforeByAfter = new Map<Part, Part>();
  for (const isSame of [sameInAll, sameName, sameText, bothUnnamed]) {
    for (const part of after) {
      if (beforeByAfter.has(part)) continue;
      const older = [...left].find((one) => isSame(one, part));
      if (older === undefined) continue;
      left.delete(older);
      beforeByAfter.set(part, older);
    }
  }
  return [
    ...after.map((part) => ({ before: beforeByAfter.get(part), after: part })),
    ...[...left].map((part) => ({ before: part, after: undefined })),
  ];
};

const textOf = ({ compilation }: Named): string => compilation.document.source.text;

const sameText = (a: Named, b: Named): boolean => textOf(a) === textOf(b);
const sameName = (a: Named, b: Named): boolean => a.name !== undefined && a.name === b.name;
const sameInAll = (a: Named, b: Named): boolean => a.name === b.name && sameText(a, b);
const bothUnnamed = (a: Named, b: Named): boolean => a.name === undefined && b.name === undefined;
