/**
 * Single entries as files of their own, for checks that look at every entry by itself: their
 * results are cached with the analysis of the entry and shifted to the entry's current position.
 */

import { shiftOf } from '../documents/yaml/list-items.ts';
import type { EntryAnalysis } from './analyze-entry.ts';
import type { Compilation } from './compile.ts';

export interface EntryView {
  /** The analysis of the entry; the same object as long as the lines of the entry are the same. */
  readonly analysis: EntryAnalysis;
  /** Distance from offsets in the entry's own text to offsets in the file. */
  readonly offset: number;
  /** Returns a compilation that holds only this entry, with offsets of the entry's own text. */
  readonly standalone: () => Compilation;
}

/** Returns one view per entry; `undefined` if the entries were not analyzed one by one. */
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
