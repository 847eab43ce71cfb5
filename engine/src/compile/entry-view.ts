/**
 * One entry as a file of its own, for those who ask every entry the same questions: what they find is
 * kept with the work on the entry, and moved to where the entry stands now.
 */

import { shiftOf } from '../documents/yaml/list-items.ts';
import type { Compilation } from './compile.ts';
import type { EntryWork } from './entry-work.ts';

export interface EntryView {
  /** The same while the lines of the entry are the same. */
  readonly work: EntryWork;
  /** From the places of the entry's own text to those of the file. */
  readonly by: number;
  /** Of the entry alone, with the places of its own text and no other section. */
  readonly alone: () => Compilation;
}

/** `undefined` where the entries are not known one by one. */
export const entryViews = (compilation: Compilation): readonly EntryView[] | undefined => {
  const { kept, document } = compilation;
  if (kept === undefined || kept.cut.document !== document) return undefined;
  return kept.cut.items.flatMap((placed, index) => {
    const work = kept.works[index];
    if (work === undefined) return [];
    return [{ work, by: shiftOf(placed).offset, alone: () => aloneOf(compilation, work) }];
  });
};

const aloneOf = (compilation: Compilation, work: EntryWork): Compilation => {
  const { settings, document, configuration, expressionCache } = compilation;
  const { item, entry, expressions } = work;
  return {
    settings,
    document: { ...document, source: item.source, root: item.node, data: item.data, comments: [] },
    configuration:
      configuration === undefined
        ? undefined
        : { ...configuration, jwt: [entry], anonymous: undefined },
    graph: undefined,
    origins: new Map(),
    diagnostics: [],
    expressions: new Map(
      expressions.map(({ path, compilation: compiled, map }) => [
        `jwt[0]${path}`,
        { compilation: compiled, map },
      ]),
    ),
    expressionCache,
    kept: undefined,
    report: { ok: true, errors: [] },
  };
};
