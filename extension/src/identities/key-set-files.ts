/** Finds key sets in the workspace for checking pasted tokens. */
import { workspace } from 'vscode';
import { findInFolders, readInFolders } from '../workspace-files.ts';
import type { KeySet } from './key-sets.ts';
import { withoutMarkup } from './signature-text.ts';

const maxKeySets = 8;
const maxBytes = 256 * 1024;

export const keySetFiles = async (): Promise<readonly KeySet[]> => {
  const found = await findInFolders(['**/*.jwks.json'], maxKeySets, '**/node_modules/**');
  const sets = await Promise.all(
    found.slice(0, maxKeySets).map(async (uri): Promise<readonly KeySet[]> => {
      const text = await readInFolders(uri, maxBytes);
      const name = withoutMarkup(workspace.asRelativePath(uri)).slice(-80);
      return text === undefined ? [] : [{ name, text }];
    }),
  );
  return sets.flat();
};
