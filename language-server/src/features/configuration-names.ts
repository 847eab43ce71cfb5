/** Names the configurations of a document that holds several. */
import { oneLine } from '@authgraph/engine/language';
import type { ConfigurationName } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';

/** Returns one name per configuration; repeated names are numbered. */
export const configurationNames = (
  parts: readonly Pick<ConfigurationPart, 'name'>[],
): readonly ConfigurationName[] => {
  if (parts.length < 2) return parts.map((_, index) => ({ index }));
  const seen = new Map<string, number>();
  return parts.map(({ name }, index) => {
    const title = name === undefined ? `configuration ${index + 1}` : oneLine(name);
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return { index, title: count === 1 ? title : `${title} (${count})` };
  });
};
