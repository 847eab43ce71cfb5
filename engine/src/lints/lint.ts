/** Runs every lint over a compilation. Our advice, never a decision: a lint changes no graph. */
import type { Compilation } from '../compile/compile.ts';
import { type EntryView, entryViews } from '../compile/entry-view.ts';
import { sureFixes } from '../config/rules/local-fixes.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shiftDiagnostic } from '../diagnostics/shift-diagnostic.ts';
import { entryLints, fileLints, lints } from './registry.ts';

/**
 * In the order of the text. Says nothing about a file without a typed configuration. Entries that are
 * the same as in an earlier compilation are not asked again.
 */
export const lint = (compilation: Compilation): readonly Diagnostic[] => {
  const views = entryViews(compilation);
  const found =
    views === undefined
      ? lints.flatMap(({ run }) => run(compilation))
      : [...fileLints.flatMap(({ run }) => run(compilation)), ...views.flatMap(entryAdvice)];
  return sureFixes(found, compilation.document).toSorted(
    (a, b) => a.span.start - b.span.start || byCode(a.code, b.code),
  );
};

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** No advice names the number of an entry. */
const adviceByWork = new WeakMap<object, readonly Diagnostic[]>();

const entryAdvice = ({ work, by, alone }: EntryView): readonly Diagnostic[] => {
  let advice = adviceByWork.get(work.identity);
  if (advice === undefined) {
    const entry = alone();
    advice = entryLints.flatMap(({ run }) => run(entry));
    adviceByWork.set(work.identity, advice);
  }
  return advice.map((found) => shiftDiagnostic(found, by));
};
