/**
 * The files that the server reads in addition to configurations: samples and roles, from open
 * documents or from disk.
 */
import { matcher, type PathTest } from '@authgraph/engine/language';
import type { EditorOptions } from './editor-options.ts';
import type { EditorState } from './editor-state.ts';
import type { FileCache } from './file-cache.ts';
import { barePath, canonicalUri, type Folder } from './folders.ts';
import { limits } from './limits.ts';

/** A file that should contain a sample. */
export interface SampleFile {
  readonly uri: string;
  /** The path relative to its folder. */
  readonly path: string;
  /** The workspace folder; absent outside of all folders. */
  readonly folder: Folder | undefined;
  readonly text: string | undefined;
}

/** A manifest that may contain roles. */
export interface RoleFile {
  /** The path relative to its folder, used in messages. */
  readonly name: string;
  readonly uri: string;
  readonly text: string;
}

export interface RoleFiles {
  readonly files: readonly RoleFile[];
  /** False if a manifest was left out or is not found yet. */
  readonly isComplete: boolean;
}

/** What the settings declare files to be. */
export type FileKinds = ReturnType<typeof createFileKinds>;

export const createFileKinds = (
  state: Pick<EditorState, 'folders' | 'options'>,
  /** Returns whether a settings file names the folder of a file as a sample folder. */
  isInSampleFolder: (uri: string) => boolean = () => false,
) => {
  const samples = memoizedMatcher(({ sampleFiles }) => sampleFiles);
  const roles = memoizedMatcher(({ roleFiles }) => roleFiles);
  const configurations = memoizedMatcher(({ configurationFiles }) => configurationFiles);
  /** Returns the path relative to the file's folder. */
  const pathOf = (uri: string): string => state.folders.pathOf(uri) ?? barePath(uri);
  return {
    /** Returns what the other functions depend on: equal objects mean equal results. */
    basis: (): readonly object[] => [state.options, state.folders],
    pathOf,
    folderOf: (uri: string): Folder | undefined => state.folders.folderOf(uri),
    isSample: (uri: string): boolean =>
      samples(state.options)(pathOf(uri)) || isInSampleFolder(uri),
    isRole: (uri: string): boolean => roles(state.options)(pathOf(uri)),
    isConfiguration: (uri: string): boolean => configurations(state.options)(pathOf(uri)),
  };
};

export type InputFiles = ReturnType<typeof createInputFiles>;

export const createInputFiles = (sources: {
  readonly kinds: FileKinds;
  readonly cache: Pick<FileCache, 'all' | 'isTruncated' | 'isSearchPending'>;
  readonly documents: { all(): readonly { readonly uri: string; getText(): string }[] };
}) => {
  const { pathOf, folderOf, isSample, isRole, basis } = sources.kinds;
  /** Returns the files sorted by URI; open documents take precedence over files on disk. */
  const filesWhere = (test: (uri: string) => boolean): readonly SampleFile[] => {
    const byUri = new Map<string, SampleFile>();
    const add = (uri: string, text: string | undefined): void => {
      if (!test(uri)) return;
      byUri.set(canonicalUri(uri), { uri, path: pathOf(uri), folder: folderOf(uri), text });
    };
    for (const { uri, text } of sources.cache.all.values()) add(uri, text);
    for (const document of sources.documents.all()) add(document.uri, document.getText());
    return Array.from(byUri, ([uri, file]) => ({ ...file, uri })).sort((a, b) =>
      a.uri < b.uri ? -1 : 1,
    );
  };

  const readRoles = (): RoleFiles => {
    const roleFiles = filesWhere(isRole);
    const files = roleFiles
      .flatMap(({ uri, path, text }) =>
        text === undefined || text.length > limits.roleLength ? [] : [{ uri, name: path, text }],
      )
      .slice(0, limits.roleFiles);
    const { isTruncated, isSearchPending } = sources.cache;
    return {
      files,
      isComplete: files.length === roleFiles.length && !isTruncated && !isSearchPending,
    };
  };
  /** What the last roles depend on. */
  let lastState: readonly unknown[] = [];
  let lastRoles: RoleFiles = { files: [], isComplete: false };

  return {
    samples: (): readonly SampleFile[] => filesWhere(isSample),
    /** Returns the same object while nothing has changed. */
    roles(): RoleFiles {
      const { all, isTruncated, isSearchPending } = sources.cache;
      const open = sources.documents.all().filter(({ uri }) => isRole(uri));
      const texts = open.flatMap((document) => [document.uri, document.getText()]);
      const state = [all, isTruncated, isSearchPending, ...basis(), ...texts];
      if (state.length !== lastState.length || state.some((each, at) => each !== lastState[at])) {
        lastState = state;
        lastRoles = readRoles();
      }
      return lastRoles;
    },
  };
};

const memoizedMatcher = (
  globsOf: (options: EditorOptions) => readonly string[],
): ((options: EditorOptions) => PathTest) => {
  let last: { readonly globs: readonly string[]; readonly test: PathTest } | undefined;
  return (options) => {
    const globs = globsOf(options);
    if (last?.globs !== globs) last = { globs, test: matcher(globs) };
    return last.test;
  };
};
