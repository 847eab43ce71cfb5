/** Key sets that stand in the workspace, for the check of a pasted token. */
import { workspace } from 'vscode';
import { findInFolders, readInFolders } from '../workspace-files.ts';
import type { KeySet } from './key-sets.ts';
import { shownPlainly } from './signature-text.ts';

const mostKeySets = 8;
const mostBytes = 256 * 1024;

export const keySetFiles = async (): Promise<readonly KeySet[]> => {
  const found = await findInFolders(['**/*.jwks.json'], mostKeySets, '**/node_modules/**');
  const sets = await Promise.all(
    found.slice(0, mostKeySets).map(async (uri): Promise<readonly KeySet[]> => {
      const text = await readInFolders(uri, mostBytes);
      const name = shownPlainly(workspace.asRelativePath(uri)).slice(-80);
      return text === undefined ? [] : [{ name, text }];
    }),
  );
  return sets.flat();
};
