/** A file as it was committed last, asked of VS Code's own Git extension: nothing is started by us. */
import { extensions, type Uri } from 'vscode';

export type HeadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly problem: string };

/** As much of that extension's interface as is used. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    getRepository(uri: Uri): { show(ref: string, path: string): Promise<string> } | null;
  };
}

/** `isBrowser`: nothing there can run Git. */
export const textAtHead = async (uri: Uri, isBrowser: boolean): Promise<HeadText> => {
  const git = extensions.getExtension<GitExtension>('vscode.git');
  if (git === undefined) {
    return none(isBrowser ? 'commits are not read in a browser' : 'the Git extension is not there');
  }
  const { enabled, getAPI } = bound(await git.activate());
  if (!enabled) return none('Git is switched off in the settings');
  const repository = getAPI(1).getRepository(uri);
  if (repository === null) return none('the file is in no Git repository that is open');
  try {
    return { kind: 'text', text: await repository.show('HEAD', uri.fsPath) };
  } catch {
    return none('the file is not in the last commit');
  }
};

const bound = (git: GitExtension): GitExtension => ({
  enabled: git.enabled,
  getAPI: (version) => git.getAPI(version),
});

const none = (problem: string): HeadText => ({ kind: 'none', problem });
