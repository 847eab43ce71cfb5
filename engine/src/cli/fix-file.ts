/**
 * Applies the certain fixes to the configurations in a file, also inside of other objects. A
 * configuration whose text would not be the fixed one afterwards is not changed: not every style of
 * a YAML string can hold every text.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { fixAll } from '../lints/parts/fix-all.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { applyEdits, type TextEdit } from '../source/text-edit.ts';
import type { CompiledConfiguration, LoadOptions } from './compile-text.ts';
import { type ConfigurationInFile, configurationsInFile } from './configurations-in-file.ts';

export interface FixedFile {
  /** The edits of the file, which do not overlap. */
  readonly edits: readonly TextEdit[];
  /** Names of the configurations whose fixes cannot be written into the file. */
  readonly unfixed: readonly string[];
}

export interface FixOptions extends LoadOptions {
  /** Excludes diagnostics that are not reported. */
  readonly isWanted: (found: Diagnostic) => boolean;
}

/** Fixes a file that is a configuration as a whole. */
export const fixWhole = (
  { compilation }: CompiledConfiguration,
  { isWanted }: FixOptions,
): FixedFile => ({ edits: fixAll(compilation, isWanted), unfixed: [] });

/** Fixes the configurations that were found in a file. */
export const fixFound = (
  file: SourceFile,
  configurations: readonly ConfigurationInFile[],
  options: FixOptions,
): FixedFile => {
  const fixes = configurations.flatMap((one, index) => fixOf(one, index, options));
  /** Returns a predicate for the fixes that are in the file after all edits. */
  const isWrittenBy = (edits: readonly TextEdit[]): ((fix: ConfigurationFix) => boolean) => {
    const text = applyEdits(file.text, edits);
    const after = configurationsInFile(sourceFile(file.uri, text), options);
    const isComplete = after.length === configurations.length;
    return ({ index, ownText }) =>
      isComplete && after[index]?.text?.trimEnd() === ownText.trimEnd();
  };
  const all = editsOf(fixes);
  const written = fixes.filter(isWrittenBy(all));
  if (written.length === fixes.length) return { edits: all, unfixed: [] };
  // Without the fixes that cannot be written, the others have to be right once more.
  const edits = editsOf(written);
  const applicableFixes = written.every(isWrittenBy(edits)) ? written : [];
  return {
    edits: applicableFixes.length === 0 ? [] : edits,
    unfixed: fixes.filter((fix) => !applicableFixes.includes(fix)).map(({ name }) => name),
  };
};

interface ConfigurationFix {
  readonly index: number;
  readonly name: string;
  /** The fixed text of the configuration. */
  readonly ownText: string;
  /** The edits of the file. */
  readonly edits: readonly TextEdit[];
}

const fixOf = (
  configuration: ConfigurationInFile,
  index: number,
  { isWanted }: FixOptions,
): readonly ConfigurationFix[] => {
  const { compilation, editOfFile } = configuration.compile();
  if (editOfFile === undefined) return [];
  const own = fixAll(compilation, isWanted);
  if (own.length === 0) return [];
  const ownText = applyEdits(compilation.document.source.text, own);
  return [{ index, name: configuration.name, ownText, edits: own.map((edit) => editOfFile(edit)) }];
};

/** Returns the edits that do not overlap with an earlier one. */
const editsOf = (fixes: readonly ConfigurationFix[]): readonly TextEdit[] =>
  fixes
    .flatMap((fix) => fix.edits)
    .toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    .filter(({ span }, index, sorted) => span.start >= (sorted[index - 1]?.span.end ?? 0));
