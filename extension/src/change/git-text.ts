/**
 * Reads other versions of a file through VS Code's Git extension; starts no process.
 */
import { type Disposable, type Event, extensions, type Uri } from 'vscode';

/** A file of an open repository. */
export interface GitFile {
  /** Returns the branches and tags, most recent first. */
  refs(): Promise<readonly NamedRef[]>;
  /** Returns the text at a commit; `undefined` if the file is not in it. */
  textAt(commit: string): Promise<string | undefined>;
  /** Reports the text of each later commit, or `undefined` if the commit lacks the file. */
  followHead(onCommit: (text: string | undefined) => void): Disposable;
}

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
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    /** Fires for any change of the repository, commits included. */
    readonly onDidChange: Event<void>;
  };
  show(ref: string, path: string): Promise<string>;
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
  const textAt = async (commit: string): Promise<string | undefined> => {
    try {
      return await repository.show(commit, uri.fsPath);
    } catch {
      return undefined;
    }
  };
  return {
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
        if (last === commit) onCommit(later);
      });
    },
  };
};

/** More branches and tags are not listed. */
const maxRefs = 500;

/** The kinds by the Git extension's numbers. */
const refKinds: readonly NamedRef['kind'][] = ['branch', 'remote branch', 'tag'];
