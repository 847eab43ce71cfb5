/** Compiles and lints a text; separate from `load-configuration.ts` because it loads slowly. */
import { type Compilation, compile } from '../compile/compile.ts';
import type { CompileSettings } from '../compile/settings.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { lint } from '../lints/lint.ts';
import { nodeClock } from '../node/clock.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';

export interface LoadOptions {
  readonly settings: CompileSettings;
  /** How our own limits are reported: as errors by a server, as warnings by tools. */
  readonly limits: 'refuse' | 'warn';
}

export interface CompiledConfiguration {
  readonly kind: 'compiled';
  readonly source: SourceFile;
  readonly compilation: Compilation;
  /** Diagnostics of the compiler and the lints, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

export const compileText = (
  name: string,
  text: string,
  { settings, limits }: LoadOptions,
): CompiledConfiguration => {
  const source = sourceFile(name, text);
  const compilation = compile({ source, settings, limits });
  const diagnostics = [
    ...compilation.diagnostics,
    ...lint(compilation, nodeClock().now()),
  ].toSorted((a, b) => a.span.start - b.span.start);
  return { kind: 'compiled', source, compilation, diagnostics };
};
