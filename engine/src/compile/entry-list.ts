/** The work on every entry, seen at the entries' places in the file. */
import type { ExpressionCompilation } from '../cel/compile-expression.ts';
import type { DecodeOptions } from '../config/decode.ts';
import { shiftEntry } from '../config/shift-entry.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shiftDiagnostic } from '../diagnostics/shift-diagnostic.ts';
import { type CutDocument, shiftOf } from '../documents/yaml/list-items.ts';
import { once } from '../source/once.ts';
import { shiftMap } from '../source/position-map.ts';
import type { PlacedExpression } from './compile-expressions.ts';
import type { EntryContext, EntryWork } from './entry-work.ts';
import { entryWorks, type KeptWork } from './incremental-state.ts';

export interface EntryReader {
  /** For the decoder; it tells the version, which decides how entries are read. */
  readonly entriesOf: NonNullable<DecodeOptions['entriesOf']>;
  /** When the decoder has asked for the entries: the work on them. */
  readonly work: () => KeptWork | undefined;
}

export const entryReader = (
  cut: CutDocument | undefined,
  { kept, ...context }: Omit<EntryContext, 'version'> & { readonly kept: KeptWork | undefined },
): EntryReader => {
  let work: KeptWork | undefined;
  return {
    entriesOf(version) {
      // The server's own form names the list otherwise.
      if (cut === undefined || version === '__internal') return undefined;
      const works = entryWorks(cut, { version, ...context }, kept);
      const { settings, cache } = context;
      work = { cut, version, settings, works, results: cache.results };
      return (index) => placedDecoding(cut, works, index);
    },
    work: () => work,
  };
};

const placedDecoding = (cut: CutDocument, works: readonly EntryWork[], index: number) => {
  const { work, by } = at(cut, works, index);
  const { decoding, entry } = work;
  const moved = shiftEntry(entry, by);
  return {
    ...decoding,
    decoded: { kind: 'entry', span: moved.span, entry: moved },
    diagnostics: decoding.diagnostics.map((found) => shiftDiagnostic(found, by)),
  } as const;
};

/** What the rules say of an entry by itself. */
export const placedFindings = ({ cut, works }: KeptWork, index: number): readonly Diagnostic[] => {
  const { work, by } = at(cut, works, index);
  return work.findings.map((found) => shiftDiagnostic(found, by));
};

/** All expressions; laid out by path when somebody asks. */
export const placedExpressions = ({ cut, works, results }: KeptWork) => {
  const byPath = once((): ReadonlyMap<string, PlacedExpression> => {
    const placed = new Map<string, PlacedExpression>();
    works.forEach((_, index) => {
      const { work, by } = at(cut, works, index);
      for (const { path, compilation, map } of work.expressions)
        placed.set(`jwt[${index}]${path}`, {
          compilation,
          map: by === 0 ? map : shiftMap(map, by),
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
    wanted: works.reduce((sum, { expressions }) => sum + expressions.length, 0),
  };
};

const at = (cut: CutDocument, works: readonly EntryWork[], index: number) => {
  const placed = cut.items[index];
  const work = works[index];
  if (placed === undefined || work === undefined)
    throw new Error('unreachable: every entry is an item of the cut');
  return { work, by: shiftOf(placed).offset };
};
