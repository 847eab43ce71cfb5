/** Finds the address at which users can open an issuer's discovery document. */
import { wellKnownUrl } from '../authenticators/jwt/issuer-discovery.ts';
import type { IssuerConfig } from '../config/configuration.ts';

/**
 * Returns the URL of the issuer's discovery document, or `undefined` if there is none or if the
 * configured address cannot be opened.
 */
export const discoveryDocument = ({
  url,
  discoveryUrl,
}: Pick<IssuerConfig, 'url' | 'discoveryUrl'>): string | undefined =>
  discoveryUrl === undefined ? wellKnownDocument(url?.value ?? '') : openable(discoveryUrl.value);

/** Returns `undefined` for an issuer with a query: the well-known path cannot follow a query. */
const wellKnownDocument = (issuer: string): string | undefined =>
  openable(issuer) === undefined || /[?#]/.test(issuer)
    ? undefined
    : openable(wellKnownUrl(issuer));

/**
 * Returns the URL in a browser's form; only https URLs without a user name and password are
 * accepted.
 */
const openable = (text: string): string | undefined => {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && url.hostname !== '' ? url.href : undefined;
};
