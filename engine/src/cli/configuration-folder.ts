/** A folder with configurations, on disk or in a Git revision, and the configurations in its files. */
import { hash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { hasConfiguration, readInFolder } from './check-files.ts';
import type { ConfigurationInFile } from './configurations-in-file.ts';
import type { FileFailure, FileText, Io, RevisionListing } from './io.ts';
import type { LoadedFile } from './load-file.ts';
import { walkFolder } from './walk-folder.ts';

export interface ConfigurationFolder {
  readonly kind: 'folder';
  /** The name for messages: a path, or `REVISION:FOLDER`. */
  readonly name: string;
  readonly isRevision: boolean;
  /** The YAML and JSON files below the folder: paths in the folder, with `/`. */
  readonly files: ReadonlySet<string>;
  /** Folders that cannot be read, and limits that are exceeded. */
  readonly failures: readonly FileFailure[];
  /** Returns the name of a file for messages. */
  pathOf(file: string): string;
  /** Reads a file; `undefined` if it is so large that it is data. */
  read(file: string): Promise<FileText | undefined>;
  /** Returns whether a file is known to have this content without reading it. */
  hasContent(file: string, content: FileText): Promise<boolean>;
}

/** Opens a folder; returns `undefined` if the name is not that of a folder. */
export const openFolder = async (
  name: string,
  io: Pick<Io, 'listFolder' | 'listRevision' | 'readText' | 'readRevision'>,
): Promise<ConfigurationFolder | FileFailure | undefined> => {
  const walked = walkFolder(name, io);
  if (walked !== undefined) {
    const pathByFile = new Map(
      walked.files.map((path) => [relative(name, path).split(sep).join('/'), path]),
    );
    const pathOf = (file: string): string => pathByFile.get(file) ?? join(name, file);
    return {
      kind: 'folder',
      name,
      isRevision: false,
      files: new Set(pathByFile.keys()),
      failures: walked.failures,
      pathOf,
      read: (file) => readInFolder(pathOf(file), io),
      hasContent: () => Promise.resolve(false),
    };
  }
  return openRevisionFolder(name, io);
};

/**
 * Opens a folder of a Git revision; returns `undefined` for the name of a file. One that the revision does not
 * have is a failure if the user named it, or else empty.
 */
export const openRevisionFolder = async (
  name: string,
  io: Pick<Io, 'listRevision' | 'readRevision'>,
  isNamed = true,
): Promise<ConfigurationFolder | FileFailure | undefined> => {
  const listed = await io.listRevision(name);
  if (listed === undefined) return undefined;
  if (listed.kind === 'failure' && (isNamed || listed.isAbsent !== true)) return listed;
  const blobByPath: RevisionListing['blobByPath'] =
    listed.kind === 'failure' ? new Map() : listed.blobByPath;
  const pathOf = (file: string): string => `${name.replace(/\/$/, '')}/${file}`;
  return {
    kind: 'folder',
    name,
    isRevision: true,
    files: new Set(blobByPath.keys()),
    failures: [],
    pathOf,
    read: (file) => io.readRevision(pathOf(file)),
    async hasContent(file, content) {
      const { isContentOf } = await import('./git-revision.ts');
      const blob = blobByPath.get(file);
      return blob !== undefined && content.kind === 'text' && isContentOf(blob, bytesOf(content));
    },
  };
};

/** A file that was read. */
export type ReadText = Extract<FileText, { kind: 'text' }>;

const bytesOf = ({ text, bytes }: ReadText): Uint8Array => bytes ?? Buffer.from(text);

/** Returns the configurations of a file in a folder; none if it has other content. */
export const configurationsOf = (loaded: LoadedFile): readonly ConfigurationInFile[] => {
  if (loaded.kind === 'found') return loaded.configurations;
  if (loaded.kind !== 'compiled' || !hasConfiguration(loaded)) return [];
  const { text } = loaded.source;
  const compile = () => loaded;
  return [{ name: '', start: 0, text, content: text, flags: undefined, compile }];
};

/** Returns the hash of a configuration as the metric of a server that loads it has it. */
export const configurationHash = (
  { content }: Pick<ConfigurationInFile, 'content'>,
  file: ReadText,
): string | undefined => {
  if (content === undefined) return undefined;
  return `sha256:${hash('sha256', content === file.text ? bytesOf(file) : content)}`;
};

/** A configuration before and after a change; one of them may be absent. */
export interface ConfigurationPair<T> {
  readonly before?: T;
  readonly after?: T;
}

/**
 * Pairs the configurations of two versions of a file: the only ones, or those with the same name, in the
 * order of the file.
 */
export const pairConfigurations = <T extends Pick<ConfigurationInFile, 'name'>>(
  before: readonly T[],
  after: readonly T[],
): readonly ConfigurationPair<T>[] => {
  const [oldOnly] = before;
  const [newOnly] = after;
  if (before.length === 1 && after.length === 1 && oldOnly && newOnly)
    return [{ before: oldOnly, after: newOnly }];
  const rest = new Map<string, T[]>();
  for (const one of before) {
    const known = rest.get(one.name);
    if (known === undefined) rest.set(one.name, [one]);
    else known.push(one);
  }
  const pairs = after.map((one): ConfigurationPair<T> => {
    const old = rest.get(one.name)?.shift();
    return old === undefined ? { after: one } : { before: old, after: one };
  });
  return [...pairs, ...[...rest.values()].flat().map((one) => ({ before: one }))];
};
