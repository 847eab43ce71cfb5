/** Checks a token's signature, with key sets of the workspace or with the keys of its issuer. */
import { workspace } from 'vscode';
import { findInFolders, readInFolders } from '../workspace-files.ts';
import { fetchIssuerKeys, type IssuerKeysParts } from './issuer-keys.ts';
import type { KeySet } from './key-sets.ts';
import { withoutMarkup } from './signature-text.ts';

/** Holds a token only as long as a check may be requested. It is stored nowhere else. */
export interface HeldToken {
  readonly token: string | undefined;
  drop(): void;
}

const heldTokenMs = 300_000;

export const holdToken = (pasted: string): HeldToken => {
  let token: string | undefined = pasted;
  const drop = (): void => {
    token = undefined;
    clearTimeout(timer);
  };
  const timer = setTimeout(drop, heldTokenMs);
  return {
    get token() {
      return token;
    },
    drop,
  };
};

/** Returns the finding in words. */
export const checkWithFiles = async (held: HeldToken): Promise<string> => {
  try {
    const sets = await keySetFiles();
    return sets.length === 0 ? notChecked : await check(held, sets);
  } catch {
    return notChecked;
  }
};

/** Returns `undefined` if the issuer was not contacted; the reason was shown then. */
export const checkWithIssuer = async (
  held: HeldToken,
  issuer: string | undefined,
  parts: IssuerKeysParts,
): Promise<string | undefined> => {
  const keys = await fetchIssuerKeys(issuer, parts);
  return keys && check(held, [keys]);
};

const notChecked = 'signature not checked';

const check = async ({ token }: HeldToken, sets: readonly KeySet[]): Promise<string> => {
  if (token === undefined)
    return `${notChecked}: the token was discarded in the meantime, paste it again`;
  // Rarely needed, so loaded on demand.
  const { describeSignature } = await import('./key-sets.ts');
  return describeSignature(token, sets);
};

const maxKeySets = 8;
const maxBytes = 256 * 1024;

/** Finds key sets in the workspace. */
const keySetFiles = async (): Promise<readonly KeySet[]> => {
  const files = await findInFolders(['**/*.jwks.json'], maxKeySets, '**/node_modules/**');
  const sets = await Promise.all(
    files.slice(0, maxKeySets).map(async (uri): Promise<readonly KeySet[]> => {
      const text = await readInFolders(uri, maxBytes);
      const name = withoutMarkup(workspace.asRelativePath(uri)).slice(-80);
      return text === undefined ? [] : [{ name, text }];
    }),
  );
  return sets.flat();
};
