/** Compiles and lints a text; separate from `load-configuration.ts` because it loads slowly. */
import { compile } from '../compile/compile.ts';
import { lint } from '../lints/lint.ts';
import { nodeClock } from '../node/clock.ts';
import { sourceFile } from '../source/source-file.ts';
import type { LoadedConfiguration, LoadOptions } from './load-configuration.ts';

export const compileText = (
  name: string,
  text: string,
  { settings, limits }: LoadOptions,
): Extract<LoadedConfiguration, { kind: 'compiled' }> => {
  const source = sourceFile(name, text);
  const compilation = compile({ source, settings, limits });
  const diagnostics = [
    ...compilation.diagnostics,
    ...lint(compilation, nodeClock().now()),
  ].toSorted((a, b) => a.span.start - b.span.start);
  return { kind: 'compiled', source, compilation, diagnostics };
};
