/** Loads a configuration or an artifact for all commands. The compiler is loaded on demand. */
import type { Artifact } from '../compile/artifact.ts';
import type { FileReport } from '../diagnostics/render.ts';
import type { CompiledConfiguration, LoadOptions } from './compile-text.ts';
import type { ConfigurationInFile } from './configurations-in-file.ts';
import type { FileFailure, FileText, Io } from './io.ts';
import { loadFile, locationName } from './load-file.ts';

export type LoadedConfiguration =
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  | CompiledConfiguration
  | FileFailure;

/** What a configuration is read with. */
export type ConfigurationReader = Pick<Io, 'readText' | 'readRevision'>;

/** Loads the only configuration of a file, or the one that `FILE#NAME` chooses. */
export const loadConfiguration = async (
  path: string,
  io: ConfigurationReader,
  options: LoadOptions,
): Promise<LoadedConfiguration> => {
  const loaded = await loadSelected(path, io, options);
  return loaded.kind === 'selected' ? loaded.configuration.compile() : loaded;
};

/** Loads like `loadConfiguration` without compiling a configuration that was found in a file. */
export const loadSelected = async (
  path: string,
  io: ConfigurationReader,
  options: LoadOptions,
): Promise<
  { readonly kind: 'selected'; readonly configuration: ConfigurationInFile } | LoadedConfiguration
> => {
  const { file, name, wanted } = await readSelected(path, io);
  const loaded = await loadFile(name, file, options);
  if (loaded.kind === 'other') return loaded.failure;
  if (loaded.kind !== 'found') return loaded;
  const { selectConfiguration } = await import('./select-configuration.ts');
  const selected = selectConfiguration(loaded.source, loaded.configurations, wanted);
  return 'kind' in selected ? selected : { kind: 'selected', configuration: selected };
};

interface SelectedFile {
  readonly file: FileText;
  readonly name: string;
  readonly wanted: string | undefined;
}

/** Reads `FILE`, or the file of `FILE#NAME` if there is no file with the whole name. */
const readSelected = async (path: string, io: ConfigurationReader): Promise<SelectedFile> => {
  const file = await readFileOrRevision(path, io);
  const at = path.lastIndexOf('#');
  if (file.kind === 'text' || at <= 0) return { file, name: locationName(path), wanted: undefined };
  const base = path.slice(0, at);
  return {
    file: await readFileOrRevision(base, io),
    name: locationName(base),
    wanted: path.slice(at + 1),
  };
};

/** Reads a file, or a file of a Git revision if there is no file with this name. */
const readFileOrRevision = async (path: string, io: ConfigurationReader): Promise<FileText> => {
  const file = await io.readText(path);
  if (file.kind === 'text' || file.isTooLarge === true) return file;
  return (await io.readRevision(path)) ?? file;
};

/** Returns the report for rendering. */
export const reportOf = ({ source, diagnostics }: CompiledConfiguration): FileReport => ({
  source,
  diagnostics,
});
