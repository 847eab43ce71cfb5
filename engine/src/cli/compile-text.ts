/** Compiles and lints a text; separate from `load-configuration.ts` because it loads slowly. */
import { type Compilation, compile } from '../compile/compile.ts';
import type { CompileSettings } from '../compile/settings.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { mapDiagnostic } from '../diagnostics/map-diagnostic.ts';
import { type NestedText, wholeText } from '../documents/embedded/nested-text.ts';
import { nodeClock } from '../node/clock.ts';
import { advise } from '../simulate/advice/advise.ts';
import { once } from '../source/once.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { TextEdit } from '../source/text-edit.ts';

/** A command runs once, so that it can search longer than an editor. */
export const limitsOfAdvice = { maxEvaluations: 20_000 };

export interface LoadOptions {
  readonly settings: CompileSettings;
  /** How our own limits are reported: as errors by a server, as warnings by tools. */
  readonly limits: 'refuse' | 'warn';
}

export interface CompiledConfiguration {
  readonly kind: 'compiled';
  /** The file, of which the configuration may be a part. */
  readonly source: SourceFile;
  /** The compilation; its positions are those of the configuration's own text. */
  readonly compilation: Compilation;
  /** Diagnostics of the compiler and the lints, sorted by their position in the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Converts a position in the configuration's own text to the file. */
  toFile(own: Span): Span;
  /** Converts a diagnostic of the compilation to the file. */
  diagnosticInFile(own: Diagnostic): Diagnostic;
  /**
   * Converts an edit of the configuration's own text to the file; `undefined` if the text was
   * written from flags.
   */
  readonly editOfFile: ((edit: TextEdit) => TextEdit) | undefined;
}

/** Compiles a text that is a configuration as a whole. */
export const compileText = (
  name: string,
  text: string,
  options: LoadOptions,
): CompiledConfiguration => {
  const file = sourceFile(name, text);
  return compileNested(file, wholeText(file), options);
};

/** Compiles a configuration that is a part of a file. */
export const compileNested = (
  file: SourceFile,
  nested: NestedText,
  { settings, limits }: LoadOptions,
): CompiledConfiguration => {
  const compilation = compile({ source: nested.source, settings, limits });
  const diagnosticInFile = (own: Diagnostic): Diagnostic => mapDiagnostic(own, nested);
  // Advice is looked for on demand: most commands report errors only.
  const diagnostics = once(() =>
    [...compilation.diagnostics, ...advise(compilation, nodeClock().now(), limitsOfAdvice)]
      .map(diagnosticInFile)
      .toSorted((a, b) => a.span.start - b.span.start),
  );
  const { toFile, editOfFile } = nested;
  return {
    kind: 'compiled',
    source: file,
    compilation,
    get diagnostics() {
      return diagnostics();
    },
    toFile,
    diagnosticInFile,
    editOfFile,
  };
};
