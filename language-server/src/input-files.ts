/**
 * The files that the server reads in addition to configurations: samples and roles, from open
 * documents or from disk.
 */
import { URI } from 'vscode-uri';
import type { EditorOptions } from './editor-options.ts';
import type { FileCache } from './file-cache.ts';
import { barePath, type Folders } from './folders.ts';
import { matcher, type PathTest } from './glob.ts';
import { limits } from './limits.ts';
import type { SampleFile } from './samples.ts';

/** A manifest that may contain roles. */
export interface RoleFile {
  /** The path relative to its folder, used in messages. */
  readonly name: string;
  readonly uri: string;
  readonly text: string;
}

export interface InputFiles {
  samples(): readonly SampleFile[];
  roles(): readonly RoleFile[];
  isSample(uri: string): boolean;
  isRole(uri: string): boolean;
  /** Returns whether the settings declare the file to be a configuration. */
  isConfiguration(uri: string): boolean;
}

export interface InputFileSources {
  readonly folders: () => Folders;
  readonly options: () => EditorOptions;
  readonly cached: () => FileCache['all'];
  readonly open: () => readonly { readonly uri: string; getText(): string }[];
}

export const createInputFiles = (sources: InputFileSources): InputFiles => {
  const samples = memoizedMatcher(({ sampleFiles }) => sampleFiles);
  const roles = memoizedMatcher(({ roleFiles }) => roleFiles);
  const configurations = memoizedMatcher(({ configurationFiles }) => configurationFiles);
  const pathOf = (uri: string): string => sources.folders().pathOf(uri) ?? barePath(uri);
  const isSample = (uri: string): boolean => samples(sources.options())(pathOf(uri));
  const isRole = (uri: string): boolean => roles(sources.options())(pathOf(uri));

  /** Returns the files sorted by URI; open documents take precedence over files on disk. */
  const filesWhere = (test: (uri: string) => boolean): readonly SampleFile[] => {
    const byUri = new Map<string, SampleFile>();
    for (const { uri, text } of sources.cached().values()) {
      if (test(uri)) byUri.set(canonicalUri(uri), { uri, path: pathOf(uri), text });
    }
    for (const document of sources.open()) {
      const { uri } = document;
      if (test(uri)) {
        byUri.set(canonicalUri(uri), { uri, path: pathOf(uri), text: document.getText() });
      }
    }
    return Array.from(byUri, ([uri, file]) => ({ ...file, uri })).sort((a, b) =>
      a.uri < b.uri ? -1 : 1,
    );
  };

  return {
    isSample,
    isRole,
    isConfiguration: (uri) => configurations(sources.options())(pathOf(uri)),
    samples: () => filesWhere(isSample),
    roles: () =>
      filesWhere(isRole)
        .flatMap(({ uri, path, text }) =>
          text === undefined || text.length > limits.roleLength ? [] : [{ uri, name: path, text }],
        )
        .slice(0, limits.roleFiles),
  };
};

/** Returns one spelling for a URI; clients escape differently. */
export const canonicalUri = (uri: string): string => {
  try {
    return URI.parse(uri, true).toString();
  } catch {
    return uri;
  }
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
