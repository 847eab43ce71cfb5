/** Matches the configurations of two versions of a document. */
import type { ConfigurationPart } from '../workspace.ts';

/** One configuration in two versions of a document. */
export interface Versions {
  /** `undefined` if this version has no such configuration, so it accepts no one. */
  readonly before: ConfigurationPart | undefined;
  readonly after: ConfigurationPart | undefined;
}

/**
 * Matches the configurations of a changed document with those of the previous version. Returns the
 * pairs in the order of the changed document, then removed configurations. Matches by
 * name and text, then by name, then by text; unnamed configurations that differ in both match in
 * document order.
 */
export const pairVersions = (
  before: readonly ConfigurationPart[],
  after: readonly ConfigurationPart[],
): readonly Versions[] => {
  const left = new Set(before);
  const beforeByAfter = new Map<ConfigurationPart, ConfigurationPart>();
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

const textOf = ({ compilation }: ConfigurationPart): string => compilation.document.source.text;

const sameText = (a: ConfigurationPart, b: ConfigurationPart): boolean => textOf(a) === textOf(b);
const sameName = (a: ConfigurationPart, b: ConfigurationPart): boolean =>
  a.name !== undefined && a.name === b.name;
const sameInAll = (a: ConfigurationPart, b: ConfigurationPart): boolean =>
  a.name === b.name && sameText(a, b);
const bothUnnamed = (a: ConfigurationPart, b: ConfigurationPart): boolean =>
  a.name === undefined && b.name === undefined;
