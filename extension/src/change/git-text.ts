/**
 * Reads other versions of a file through VS Code's Git extension; starts no process.
 */
import { type Disposable, type Event, extensions, type Uri } from 'vscode';

/** A file of an open repository. */
export interface GitFile {
  /** Returns the branches and tags, most recent first. */
  refs(): Promise<readonly NamedRef[]>;
  /** The path in the repository. */
  readonly path: string;
  /** Returns the text at a commit. */
  textAt(commit: string): Promise<GitText>;
  /** Reports the text of each later commit, or `undefined` if there is none. */
  followHead(onCommit: (text: string | undefined) => void): Disposable;
}

/** The text, or why there is none; without a problem, the commit lacks the file. */
export type GitText = { readonly text: string } | { readonly problem?: string };

export interface NamedRef {
  readonly name: string;
  readonly commit: string;
  readonly kind: 'branch' | 'remote branch' | 'tag';
}

/** The part of the Git extension's API that is used. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { getRepository(uri: Uri): Repository | null };
}

interface Repository {
  readonly rootUri: Uri;
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    /** Fires for any change of the repository, commits included. */
    readonly onDidChange: Event<void>;
  };
  show(ref: string, path: string): Promise<string>;
  /** Fails with the code `UnknownPath` if the commit lacks the file. */
  getObjectDetails(ref: string, path: string): Promise<unknown>;
  getRefs(query: {
    readonly count: number;
    readonly sort: 'committerdate';
  }): Promise<
    readonly { readonly type: number; readonly name?: string; readonly commit?: string }[]
  >;
}

/** Returns the file, or why it has no other versions. `isBrowser` is true on hosts that cannot run Git. */
export const gitFile = async (uri: Uri, isBrowser: boolean): Promise<GitFile | string> => {
  const git = extensions.getExtension<GitExtension>('vscode.git');
  if (git === undefined) {
    return isBrowser ? "commits can't be read in a browser" : 'the Git extension is not installed';
  }
  const api = await git.activate();
  if (!api.enabled) return 'Git is disabled in the settings';
  const repository = api.getAPI(1).getRepository(uri);
  if (repository === null) return 'the file is not in an open Git repository';
  const head = repository.state.HEAD?.commit;
  const textAt = async (commit: string): Promise<GitText> => {
    // A repository without commits has no files.
    if (commit === 'HEAD' && repository.state.HEAD?.commit === undefined) return {};
    try {
      return { text: await repository.show(commit, uri.fsPath) };
    } catch (error) {
      // The error of `show` is the same for a missing file and for other failures.
      const isAbsent = await repository.getObjectDetails(commit, uri.fsPath).then(
        () => false,
        (reason: unknown) => Object(reason).gitErrorCode === 'UnknownPath',
      );
      return isAbsent ? {} : { problem: `Git can't read the file: ${messageOf(error)}` };
    }
  };
  return {
    path: pathIn(repository.rootUri, uri),
    textAt,
    async refs() {
      const refs = await repository.getRefs({ count: maxRefs, sort: 'committerdate' });
      return refs.flatMap(({ type, name, commit }) =>
        name === undefined || commit === undefined
          ? []
          : [{ name, commit, kind: refKinds[type] ?? 'tag' }],
      );
    },
    followHead(onCommit) {
      let commit = head;
      return repository.state.onDidChange(async () => {
        const last = repository.state.HEAD?.commit;
        if (last === commit) return;
        commit = last;
        const later = await textAt('HEAD');
        if (last === commit) onCommit('text' in later ? later.text : undefined);
      });
    },
  };
};

/** Returns the path below a folder; the name of the file if it has another spelling of the folder. */
const pathIn = (folder: Uri, { path }: Uri): string => {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return path.startsWith(start) ? path.slice(start.length) : path.slice(path.lastIndexOf('/') + 1);
};

const messageOf = (error: unknown): string => {
  const { stderr, message } = Object(error);
  const text = typeof stderr === 'string' && stderr.trim() !== '' ? stderr : message;
  return String(text ?? error).trim();
};

/** More branches and tags are not listed. */
const maxRefs = 500;

/** The kinds by the Git extension's numbers. */
const refKinds: readonly NamedRef['kind'][] = ['branch', 'remote branch', 'tag'];
