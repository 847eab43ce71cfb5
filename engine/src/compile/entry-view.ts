/**
 * One entry as a file of its own, for those who ask every entry the same questions: what they find is
 * kept with the work on the entry, and moved to where the entry stands now.
 */

import { shiftOf } from '../documents/yaml/list-items.ts';
import type { Compilation } from './compile.ts';
import type { EntryAnalysis } from './analyze-entry.ts';

export interface EntryView {
  /** The same while the lines of the entry are the same. */
  readonly analysis: EntryAnalysis;
  /** From the places of the entry's own text to those of the file. */
  readonly offset: number;
  /** Of the entry alone, with the places of its own text and no other section. */
  readonly standalone: () => Compilation;
}

/** `undefined` where the entries are not known one by one. */
export const entryViews = (compilation: Compilation): readonly EntryView[] | undefined => {
  const { incremental, document } = compilation;
  if (incremental === undefined || incremental.split.document !== document) return undefined;
  return incremental.split.items.flatMap((placed, index) => {
    const analysis = incremental.analyses[index];
    if (analysis === undefined) return [];
    return [
      {
        analysis,
        offset: shiftOf(placed).offset,
        standalone: () => standaloneCompilation(compilation, analysis),
      },
    ];
  });
};

const standaloneCompilation = (compilation: Compilation, analysis: EntryAnalysis): Compilation => {
  const { settings, document, configuration, expressionCache } = compilation;
  const { item, entry, expressions } = analysis;
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
    incremental: undefined,
    report: { ok: true, errors: [] },
  };
};
