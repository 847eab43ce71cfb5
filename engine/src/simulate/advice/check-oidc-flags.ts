/**
 * Validates the `--oidc-*` flags of kube-apiserver in a file: as kube-apiserver does at its start,
 * and with the lints for configuration files.
 */
import { type CompiledFlags, compileFlags } from '../../compile/compile-flags.ts';
import type { CompileSettings } from '../../compile/settings.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { once } from '../../source/once.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type AdviceLimits, advise } from './advise.ts';

/** The flags of one document, with all diagnostics at the positions of the flags. */
export interface CheckedFlags extends CompiledFlags {
  /** Sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CheckOptions {
  readonly settings: CompileSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Limits of the search for evidence; those of an editor if absent. */
  readonly limits?: AdviceLimits;
}

/** Returns one result for each document with flags. */
export const checkOidcFlags = (
  file: SourceFile,
  { settings, now, limits }: CheckOptions,
): readonly CheckedFlags[] =>
  compileFlags(file, settings).map((compiled) => {
    const { compilation, rejections, diagnosticOfFlag } = compiled;
    // Advice is looked for on demand: most commands report errors only.
    const diagnostics = once(() => {
      const advice = advise(compilation, now, limits);
      const own = [...compilation.diagnostics, ...advice].flatMap(diagnosticOfFlag);
      return [...rejections, ...own].toSorted((a, b) => a.span.start - b.span.start);
    });
    return {
      ...compiled,
      get diagnostics() {
        return diagnostics();
      },
    };
  });
