/** Runs every lint over a compilation. Our advice, never a decision: a lint changes no graph. */
import type { Compilation } from '../compile/compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { lints } from './registry.ts';

/** In the order of the text. Says nothing about a file without a typed configuration. */
export const lint = (compilation: Compilation): readonly Diagnostic[] =>
  lints
    .flatMap(({ run }) => run(compilation))
    .toSorted((a, b) => a.span.start - b.span.start || a.code.localeCompare(b.code));
