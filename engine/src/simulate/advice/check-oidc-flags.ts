/**
 * Validates the `--oidc-*` flags of kube-apiserver in a file: as kube-apiserver does at its start,
 * and with the lints for configuration files.
 */
import { type CompiledFlags, compileFlags } from '../../compile/compile-flags.ts';
import type { CompileSettings } from '../../compile/settings.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { advise } from './advise.ts';

/** The flags of one document, with all diagnostics at the positions of the flags. */
export interface CheckedFlags extends CompiledFlags {
  /** Sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns one result for each document with flags. `now` is in milliseconds since 1970. */
export const checkOidcFlags = (
  file: SourceFile,
  { settings, now }: { readonly settings: CompileSettings; readonly now: number },
): readonly CheckedFlags[] =>
  compileFlags(file, settings).map((compiled) => {
    const { compilation, rejections, diagnosticOfFlag } = compiled;
    const own = [...compilation.diagnostics, ...advise(compilation, now)].flatMap(diagnosticOfFlag);
    return {
      ...compiled,
      diagnostics: [...rejections, ...own].toSorted((a, b) => a.span.start - b.span.start),
    };
  });
