/** Compiles configurations for tests. */
import { type Compilation, compile } from '../../engine/src/compile/compile.ts';
import { type CompileSettings, defaultSettings } from '../../engine/src/compile/settings.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';

export interface CompileTextOptions extends Partial<CompileSettings> {
  readonly limits?: 'refuse' | 'warn';
}

/** Compiles a file named `config.yaml` with this content; by default as the product does. */
export const compileText = (text: string, options: CompileTextOptions = {}): Compilation => {
  const { limits = 'refuse', ...settings } = options;
  return compile({
    source: sourceFile('config.yaml', text),
    settings: { ...defaultSettings, ...settings },
    limits,
  });
};
