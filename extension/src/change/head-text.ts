/**
 * Reads the last committed version of a file through VS Code's Git extension; starts no process.
 */
import { type Disposable, type Event, extensions, type Uri } from 'vscode';

export type HeadText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Reports the text of each later commit, or `undefined` if the commit lacks the file. */
      follow(onCommit: (text: string | undefined) => void): Disposable;
    }
  | { readonly kind: 'none'; readonly problem: string };

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
}

/** Returns the committed text. `isBrowser` is true on hosts that cannot run Git. */
export const textAtHead = async (uri: Uri, isBrowser: boolean): Promise<HeadText> => {
  const git = extensions.getExtension<GitExtension>('vscode.git');
  if (git === undefined) {
    return none(
      isBrowser ? "commits can't be read in a browser" : 'the Git extension is not installed',
    );
  }
  const { enabled, getAPI } = bindApi(await git.activate());
  if (!enabled) return none('Git is disabled in the settings');
  const repository = getAPI(1).getRepository(uri);
  if (repository === null) return none('the file is not in an open Git repository');
  let commit = repository.state.HEAD?.commit;
  const text = await committed(repository, uri);
  if (text === undefined) return none('the file is not in the last commit');
  return {
    kind: 'text',
    text,
    follow: (onCommit) =>
      repository.state.onDidChange(async () => {
        const last = repository.state.HEAD?.commit;
        if (last === commit) return;
        commit = last;
        const later = await committed(repository, uri);
        if (last === commit) onCommit(later);
      }),
  };
};

const committed = async (repository: Repository, uri: Uri): Promise<string | undefined> => {
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    return undefined;
  }
};

const bindApi = (git: GitExtension): GitExtension => ({
  enabled: git.enabled,
  getAPI: (version) => git.getAPI(version),
});

const none = (problem: string): HeadText => ({ kind: 'none', problem });
