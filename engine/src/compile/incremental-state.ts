/**
 * State that one compilation of a file passes on to the next: the list of entries split into items,
 * and the analysis of each entry. Entries whose lines did not change are not analyzed again.
 */
import type { ConfigDocument } from '../documents/yaml/document.ts';
import { reuseItems, type SplitDocument, splitDocument } from '../documents/yaml/list-items.ts';
import { type ParseOptions, parseDocument } from '../documents/yaml/parse.ts';
import { reparse } from '../documents/yaml/reparse.ts';
import type { SourceFile } from '../source/source-file.ts';
import { analyzeEntry, type EntryAnalysis, type EntryContext } from './analyze-entry.ts';
import type { ExpressionCache, WritableExpressionCache } from './compile-expressions.ts';
import type { CompileSettings } from './settings.ts';

/** Only the compiler and the lints look inside. */
export interface IncrementalState {
  readonly split: SplitDocument;
  readonly version: EntryContext['version'];
  readonly settings: CompileSettings;
  /** One analysis per item of the split list. */
  readonly analyses: readonly EntryAnalysis[];
  readonly results: WritableExpressionCache['results'];
}

export interface DocumentReading {
  readonly document: ConfigDocument;
  readonly split: SplitDocument | undefined;
}

/**
 * Reads the changed part of a document if the previous state allows that, otherwise the whole text.
 */
export const readDocument = (
  source: SourceFile,
  options: ParseOptions,
  previous: IncrementalState | undefined,
): DocumentReading => {
  const reparsed = previous === undefined ? undefined : reparse(previous.split, source);
  if (reparsed !== undefined) return { document: reparsed.document, split: reparsed };
  const document = parseDocument(source, options);
  const split = splitDocument(document);
  return { document, split: split === undefined ? undefined : reuseItems(split, previous?.split) };
};

/** Analyzes every entry. Previous analyses are reused for entries that only moved. */
export const analyzeEntries = (
  split: SplitDocument,
  context: EntryContext,
  previous: IncrementalState | undefined,
): readonly EntryAnalysis[] => {
  const canReuse =
    previous !== undefined &&
    previous.version === context.version &&
    sameSettings(previous.settings, context.settings);
  const analysesByItem = new Map(
    canReuse ? previous.analyses.map((analysis) => [analysis.item, analysis]) : [],
  );
  return split.items.map(({ item }, index) => {
    const analysis = analysesByItem.get(item);
    return analysis?.index === index
      ? analysis
      : analyzeEntry({ item, index, previous: analysis }, context);
  });
};

/**
 * Returns a cache that new results can be added to. It starts with the previous results, without
 * unused ones if there are too many.
 */
export const writableCache = (
  previous: IncrementalState | undefined,
  fallback: ExpressionCache | undefined,
): WritableExpressionCache => {
  if (previous === undefined) return { results: new Map(), fallback };
  const wanted = previous.analyses.reduce((sum, { expressions }) => sum + expressions.length, 0);
  if (previous.results.size <= 2 * wanted + maxSpareResults)
    return { results: previous.results, fallback };
  const used = previous.analyses.flatMap(({ expressions }) => expressions);
  return { results: new Map(used.map(({ key, compilation }) => [key, compilation])), fallback };
};

/** Results that are cached for expressions of the last few keystrokes, in case these are undone. */
const maxSpareResults = 64;

const sameSettings = (one: CompileSettings, other: CompileSettings): boolean =>
  one === other ||
  (one.targetRelease === other.targetRelease &&
    one.exact === other.exact &&
    one.apiDomain === other.apiDomain &&
    one.anonymousAuth === other.anonymousAuth &&
    sameList(one.signingAlgorithms ?? [], other.signingAlgorithms ?? []) &&
    (one.signingAlgorithms === undefined) === (other.signingAlgorithms === undefined) &&
    sameList(one.disallowedIssuers, other.disallowedIssuers) &&
    sameGates(one.featureGates, other.featureGates));

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const sameGates = (
  one: CompileSettings['featureGates'],
  other: CompileSettings['featureGates'],
): boolean =>
  one === other ||
  (one.size === other.size && [...one].every(([gate, on]) => other.get(gate) === on));
