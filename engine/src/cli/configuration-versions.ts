/** The configurations of a file, compiled for each target release, and those of the same file in the base. */
import type { CompileSettings } from '../compile/settings.ts';
import { defaultGates } from '../model/feature-gates.ts';
import type { Release } from '../model/release.ts';
import { once } from '../source/once.ts';
import type { CompiledConfiguration } from './compile-text.ts';
import {
  type ConfigurationFolder,
  configurationHash,
  configurationsOf,
  type ReadText,
} from './configuration-folder.ts';
import type { FileFailure, FileText } from './io.ts';
import { loadFile } from './load-file.ts';
import { selectorsOf } from './select-configuration.ts';

/** One configuration of a file. */
export interface VersionedConfiguration {
  /** The name in the file. */
  readonly name: string;
  /** The file, followed by the selector. */
  readonly fullName: string;
  /** `#NAME`; empty if it is the only configuration of its file. */
  readonly selector: string;
  readonly start: number;
  readonly hash: string | undefined;
  readonly byRelease: readonly CompiledForRelease[];
}

/** A configuration with the settings of a target release. */
export interface CompiledForRelease {
  readonly settings: CompileSettings;
  /** The text; `undefined` for flags. */
  readonly text: string | undefined;
  compile(): CompiledConfiguration;
}

/** A file of a folder, and the same one of the base. */
export interface FileVersions {
  readonly path: string;
  readonly after: readonly VersionedConfiguration[];
  /** `undefined` if there is no base. */
  readonly before: readonly VersionedConfiguration[] | undefined;
}

export interface VersionOptions {
  readonly releases: readonly Release[];
  /** Returns the settings of a file with its own target release. */
  readonly compileSettings: (path: string) => Promise<CompileSettings>;
  readonly onFailure: (failure: FileFailure) => void;
}

/** Loads both versions. A file with the same content is loaded once. */
export const loadVersions = async (
  { file, folder, base }: FileTask,
  options: VersionOptions,
): Promise<FileVersions> => {
  const path = folder.pathOf(file);
  const load = (name: string, content: ReadText) => loadConfigurations(name, content, options);
  const content = folder.files.has(file) ? usable(await folder.read(file), options) : undefined;
  const after = content === undefined ? [] : await load(path, content);
  if (base === undefined) return { path, after, before: undefined };
  if (!base.files.has(file)) return { path, after, before: [] };
  const basePath = base.pathOf(file);
  if (content !== undefined && (await base.hasContent(file, content))) {
    const [own, old] = [
      await options.compileSettings(path),
      await options.compileSettings(basePath),
    ];
    if (isSameSettings(own, old)) return { path, after, before: after };
  }
  const old = usable(await base.read(file), options);
  if (old === undefined) return { path, after, before: [] };
  return { path, after, before: await load(basePath, old) };
};

export interface FileTask {
  /** The path in both folders. */
  readonly file: string;
  readonly folder: ConfigurationFolder;
  readonly base: ConfigurationFolder | undefined;
}

/** Returns a file that could be read, and reports a failure. */
const usable = (
  file: FileText | undefined,
  { onFailure }: VersionOptions,
): ReadText | undefined => {
  if (file?.kind !== 'failure') return file;
  onFailure(file);
  return undefined;
};

const loadConfigurations = async (
  path: string,
  content: ReadText,
  { releases, compileSettings, onFailure }: VersionOptions,
): Promise<readonly VersionedConfiguration[]> => {
  const own = await compileSettings(path);
  const [first = own, ...others] = releases.map(
    (release): CompileSettings => ({
      ...own,
      targetRelease: release,
      featureGates: defaultGates(release),
    }),
  );
  const load = (settings: CompileSettings) => loadFile(path, content, { settings, limits: 'warn' });
  const loaded = await load(first);
  if (loaded.kind === 'failure') onFailure(loaded);
  const configurations = configurationsOf(loaded);
  if (configurations.length === 0) return [];
  const byRelease = [{ settings: first, configurations }];
  for (const settings of others)
    byRelease.push({ settings, configurations: configurationsOf(await load(settings)) });
  const selectors =
    configurations.length === 1 ? [''] : selectorsOf(configurations).map((name) => `#${name}`);
  return configurations.map((configuration, index) => ({
    name: configuration.name,
    fullName: path + (selectors[index] ?? ''),
    selector: selectors[index] ?? '',
    start: configuration.start,
    hash: configurationHash(configuration, content),
    byRelease: byRelease.flatMap(({ settings, configurations: compiled }) => {
      const one = compiled[index];
      return one === undefined ? [] : [{ settings, text: one.text, compile: once(one.compile) }];
    }),
  }));
};

/** Returns whether two configurations have the same text and settings. */
export const isSameConfiguration = (
  before: VersionedConfiguration,
  after: VersionedConfiguration,
): boolean =>
  after.byRelease.every((own, index) => {
    const old = before.byRelease[index];
    return old !== undefined && isSame(old, own);
  });

/** Returns whether two texts are equal and compiled with the same settings. */
export const isSame = (before: CompiledForRelease, after: CompiledForRelease): boolean =>
  before === after ||
  (before.text !== undefined &&
    before.text === after.text &&
    isSameSettings(before.settings, after.settings));

const isSameSettings = (before: CompileSettings, after: CompileSettings): boolean =>
  before.targetRelease === after.targetRelease && before.fileDomain === after.fileDomain;
