/** A change of a configuration that a person may choose, and how it is tried. */
import { type Compilation, compile } from '../../compile/compile.ts';
import { sourceFile } from '../../source/source-file.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';

export interface ConfigurationFix {
  /** One line, which says whether other tokens are admitted. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Compiles the configuration with the edits; returns `undefined` if they add an error. */
export const tryEdits = (
  compilation: Compilation,
  edits: readonly TextEdit[],
): Compilation | undefined => {
  const { document, settings } = compilation;
  const { uri, text } = document.source;
  const source = sourceFile(uri, applyEdits(text, edits));
  const edited = compile({ source, settings, limits: 'warn', previous: compilation });
  return errorCount(edited) > errorCount(compilation) ? undefined : edited;
};

const errorCount = ({ diagnostics }: Compilation): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;
