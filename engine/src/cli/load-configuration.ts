/** Loads a configuration or an artifact for all commands. The compiler is loaded on demand. */
import { type Artifact, isArtifactText, readArtifactByChecksum } from '../compile/artifact.ts';
import type { FileReport } from '../diagnostics/render.ts';
import type { CompiledConfiguration, LoadOptions } from './compile-text.ts';
import type { Io } from './io.ts';

export type LoadedConfiguration =
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  | CompiledConfiguration
  | { readonly kind: 'failure'; readonly reason: string };

export const loadConfiguration = async (
  path: string,
  io: Io,
  options: LoadOptions,
): Promise<LoadedConfiguration> => {
  const file = await io.readText(path);
  if (file.kind === 'failure') return { kind: 'failure', reason: file.reason };
  const name = path === '-' ? 'standard-input' : path;
  if (file.broken === undefined) return loadText(name, file.text, options);
  const { compileText } = await import('./compile-text.ts');
  const { source, compilation } = compileText(name, file.text, options);
  const diagnostics = [file.broken];
  return {
    kind: 'compiled',
    source,
    compilation: { ...compilation, graph: undefined, diagnostics },
    diagnostics,
  };
};

/** Loads a text; `name` appears in the locations of diagnostics. */
export const loadText = async (
  name: string,
  text: string,
  options: LoadOptions,
): Promise<LoadedConfiguration> => {
  if (isArtifactText(text)) {
    const reading = readArtifactByChecksum(text);
    return reading.kind === 'error'
      ? { kind: 'failure', reason: `${name}: ${reading.message}` }
      : reading;
  }
  const { compileText } = await import('./compile-text.ts');
  return compileText(name, text, options);
};

/** Returns the report for rendering. */
export const reportOf = ({ source, diagnostics }: CompiledConfiguration): FileReport => ({
  source,
  diagnostics,
});
