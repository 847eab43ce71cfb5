/**
 * Applies the certain fixes to the configurations in a file, also inside of other objects. A
 * configuration whose text would not be the fixed one afterwards is not changed: not every style of
 * a YAML string can hold every text.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { counted } from '../formats/counted.ts';
import { findAllFixes } from '../lints/parts/fix-all.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { applyEdits, type TextEdit } from '../source/text-edit.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { CompiledConfiguration, LoadOptions } from './compile-text.ts';
import { type ConfigurationInFile, configurationsInFile } from './configurations-in-file.ts';
import type { FileFailure } from './io.ts';

export interface FixedFile {
  /** The edits of the file, which do not overlap. */
  readonly edits: readonly TextEdit[];
  /** Returns whether the edits contain the automatic fix of a diagnostic of the configuration. */
  readonly isApplied: (found: Diagnostic, configuration: number) => boolean;
  /** Why there are fixes that cannot be written into the file. */
  readonly unfixed?: FileFailure;
}

export interface FixOptions extends LoadOptions {
  /** Excludes diagnostics that are not reported. */
  readonly isWanted: (found: Diagnostic) => boolean;
}

/** Fixes a file that is a configuration as a whole. */
export const fixWhole = (
  { compilation }: CompiledConfiguration,
  { isWanted }: FixOptions,
): FixedFile => findAllFixes(compilation, isWanted);

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
  if (written.length === fixes.length) return { edits: all, isApplied: isAppliedBy(fixes) };
  // Without the fixes that cannot be written, the others have to be right once more.
  const edits = editsOf(written);
  const applicableFixes = written.every(isWrittenBy(edits)) ? written : [];
  return {
    edits: applicableFixes.length === 0 ? [] : edits,
    isApplied: isAppliedBy(applicableFixes),
    unfixed: unfixedFailure(
      file,
      fixes.filter((fix) => !applicableFixes.includes(fix)),
    ),
  };
};

const isAppliedBy = (fixes: readonly ConfigurationFix[]): FixedFile['isApplied'] => {
  const byIndex = new Map(fixes.map((fix) => [fix.index, fix]));
  return (found, configuration) => byIndex.get(configuration)?.isApplied(found) === true;
};

const unfixedFailure = (
  { uri }: SourceFile,
  unfixed: readonly ConfigurationFix[],
): FileFailure => ({
  kind: 'failure',
  reason: `${escapeUnprintable(uri)}: the style of a string cannot hold the fixes of ${counted(unfixed.length, 'configuration')} (${unfixed.map(({ name }) => name).join(', ')})`,
  help: 'Write the configuration as a literal block, which starts with |.',
});

interface ConfigurationFix {
  readonly index: number;
  readonly name: string;
  /** The fixed text of the configuration. */
  readonly ownText: string;
  /** The edits of the file. */
  readonly edits: readonly TextEdit[];
  readonly isApplied: (found: Diagnostic) => boolean;
}

const fixOf = (
  configuration: ConfigurationInFile,
  index: number,
  { isWanted }: FixOptions,
): readonly ConfigurationFix[] => {
  const { compilation, editOfFile } = configuration.compile();
  if (editOfFile === undefined) return [];
  const { edits: own, isApplied } = findAllFixes(compilation, isWanted);
  if (own.length === 0) return [];
  const { name } = configuration;
  const ownText = applyEdits(compilation.document.source.text, own);
  return [{ index, name, ownText, edits: own.map((edit) => editOfFile(edit)), isApplied }];
};

/** Returns the edits that do not overlap with an earlier one. */
const editsOf = (fixes: readonly ConfigurationFix[]): readonly TextEdit[] =>
  fixes
    .flatMap((fix) => fix.edits)
    .toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    .filter(({ span }, index, sorted) => span.start >= (sorted[index - 1]?.span.end ?? 0));
