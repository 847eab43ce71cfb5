/** The analyses of all entries, shifted to the positions of the entries in the file. */
import type { ExpressionCompilation } from '../cel/compile-expression.ts';
import type { DecodeOptions } from '../config/decode.ts';
import { shiftEntry } from '../config/shift-entry.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shiftDiagnostic } from '../diagnostics/shift-diagnostic.ts';
import { type SplitDocument, shiftOf } from '../documents/yaml/list-items.ts';
import { once } from '../source/once.ts';
import { shiftMap } from '../source/position-map.ts';
import type { EntryAnalysis, EntryContext } from './analyze-entry.ts';
import type { PlacedExpression } from './compile-expressions.ts';
import { analyzeEntries, type IncrementalState } from './incremental-state.ts';

export interface EntryReader {
  /** Called by the decoder with the version of the file, which determines how entries are read. */
  readonly analyzeEntriesOf: NonNullable<DecodeOptions['analyzeEntriesOf']>;
  /** The analyses of the entries; `undefined` until the decoder has requested them. */
  readonly state: () => IncrementalState | undefined;
}

export const entryReader = (
  split: SplitDocument | undefined,
  {
    previous,
    ...context
  }: Omit<EntryContext, 'version'> & { readonly previous: IncrementalState | undefined },
): EntryReader => {
  let state: IncrementalState | undefined;
  return {
    analyzeEntriesOf(version) {
      // The internal version of the file names the list differently.
      if (split === undefined || version === '__internal') return undefined;
      const analyses = analyzeEntries(split, { version, ...context }, previous);
      const { settings, cache } = context;
      state = { split, version, settings, analyses, results: cache.results };
      return (index) => placedDecoding(split, analyses, index);
    },
    state: () => state,
  };
};

const placedDecoding = (
  split: SplitDocument,
  analyses: readonly EntryAnalysis[],
  index: number,
) => {
  const { analysis, offset } = placedAnalysis(split, analyses, index);
  const { decoding, entry } = analysis;
  const moved = shiftEntry(entry, offset);
  return {
    ...decoding,
    decoded: { kind: 'entry', span: moved.span, entry: moved },
    diagnostics: decoding.diagnostics.map((diagnostic) => shiftDiagnostic(diagnostic, offset)),
  } as const;
};

/** Returns the findings of an entry, shifted to the entry's position in the file. */
export const placedFindings = (
  { split, analyses }: IncrementalState,
  index: number,
): readonly Diagnostic[] => {
  const { analysis, offset } = placedAnalysis(split, analyses, index);
  return analysis.findings.map((finding) => shiftDiagnostic(finding, offset));
};

/** Returns all expressions. The map by path is built on first access. */
export const placedExpressions = ({ split, analyses, results }: IncrementalState) => {
  const byPath = once((): ReadonlyMap<string, PlacedExpression> => {
    const placed = new Map<string, PlacedExpression>();
    analyses.forEach((_, index) => {
      const { analysis, offset } = placedAnalysis(split, analyses, index);
      for (const { path, compilation, map } of analysis.expressions)
        placed.set(`jwt[${index}]${path}`, {
          compilation,
          map: offset === 0 ? map : shiftMap(map, offset),
        });
    });
    return placed;
  });
  const cache: ReadonlyMap<string, ExpressionCompilation> = results;
  return {
    get byPath() {
      return byPath();
    },
    cache,
    count: analyses.reduce((sum, { expressions }) => sum + expressions.length, 0),
  };
};

const placedAnalysis = (
  split: SplitDocument,
  analyses: readonly EntryAnalysis[],
  index: number,
) => {
  const placed = split.items[index];
  const analysis = analyses[index];
  if (placed === undefined || analysis === undefined)
    throw new Error('unreachable: every entry is an item of the split list');
  return { analysis, offset: shiftOf(placed).offset };
};
