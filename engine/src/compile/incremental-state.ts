/**
 * What one compilation leaves to the next of the same file: the list as it was cut, and the work on
 * each entry. The entries whose lines are the same are not looked at again.
 */
import type { ConfigDocument } from '../documents/yaml/document.ts';
import { type CutDocument, cutDocument, withKnownItems } from '../documents/yaml/list-items.ts';
import { type ParseOptions, parseDocument } from '../documents/yaml/parse.ts';
import { reparse } from '../documents/yaml/reparse.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { ExpressionCache, GrowingCache } from './compile-expressions.ts';
import { type EntryContext, type EntryWork, workOnEntry } from './entry-work.ts';
import type { CompileSettings } from './settings.ts';

/** Opaque to everyone but the compiler and the lints. */
export interface KeptWork {
  readonly cut: CutDocument;
  readonly version: EntryContext['version'];
  readonly settings: CompileSettings;
  /** One an item of the cut. */
  readonly works: readonly EntryWork[];
  readonly results: GrowingCache['results'];
}

export interface ReadDocument {
  readonly document: ConfigDocument;
  readonly cut: CutDocument | undefined;
}

/** Reads what changed since the kept version, or all of the text. */
export const readDocument = (
  source: SourceFile,
  options: ParseOptions,
  kept: KeptWork | undefined,
): ReadDocument => {
  const again = kept === undefined ? undefined : reparse(kept.cut, source);
  if (again !== undefined) return { document: again.document, cut: again };
  const document = parseDocument(source, options);
  const cut = cutDocument(document);
  return { document, cut: cut === undefined ? undefined : withKnownItems(cut, kept?.cut) };
};

/** The work on every entry: what is kept of it, where nothing but the place is new. */
export const entryWorks = (
  cut: CutDocument,
  context: EntryContext,
  kept: KeptWork | undefined,
): readonly EntryWork[] => {
  const isSame =
    kept !== undefined &&
    kept.version === context.version &&
    sameSettings(kept.settings, context.settings);
  const known = new Map(isSame ? kept.works.map((work) => [work.item, work]) : []);
  return cut.items.map(({ item }, index) => {
    const work = known.get(item);
    return work?.index === index ? work : workOnEntry({ item, index, moved: work }, context);
  });
};

/** Results to add to: those of the kept version, without the old ones where they become many. */
export const growingCache = (
  kept: KeptWork | undefined,
  others: ExpressionCache | undefined,
): GrowingCache => {
  if (kept === undefined) return { results: new Map(), others };
  const wanted = kept.works.reduce((sum, { expressions }) => sum + expressions.length, 0);
  if (kept.results.size <= 2 * wanted + mostSpare) return { results: kept.results, others };
  const used = kept.works.flatMap(({ expressions }) => expressions);
  return { results: new Map(used.map(({ key, compilation }) => [key, compilation])), others };
};

/** Expressions as they were some keystrokes ago: somebody may take the last ones back. */
const mostSpare = 64;

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
