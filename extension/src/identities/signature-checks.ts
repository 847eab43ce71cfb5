/** Whether the signature of a token in hand is good: by key sets of the workspace, or by its issuer. */
import { fetchIssuerKeys, type IssuerKeysParts } from './issuer-keys.ts';
import { keySetFiles } from './key-set-files.ts';
import type { KeySet } from './key-sets.ts';

/** A token for as long as a check of it may be asked for. It stands nowhere else. */
export interface HeldToken {
  readonly token: string | undefined;
  drop(): void;
}

const heldTokenMs = 300_000;

export const holdToken = (given: string): HeldToken => {
  let token: string | undefined = given;
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

/** What was found out, in words. */
export const checkWithFiles = async (held: HeldToken): Promise<string> => {
  try {
    const sets = await keySetFiles();
    return sets.length === 0 ? notChecked : await check(held, sets);
  } catch {
    return notChecked;
  }
};

/** `undefined` where nobody was asked, which was said then. */
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
  if (token === undefined) return `${notChecked}: the token is forgotten by now, paste it again`;
  // Seldom needed, so it is loaded then.
  const { describeSignature: signatureText } = await import('./key-sets.ts');
  return signatureText(token, sets);
};
