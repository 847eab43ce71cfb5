/** Where people can look at what an issuer says about itself. */
import { wellKnownUrl } from '../authenticators/jwt/issuer-discovery.ts';
import type { IssuerConfig } from '../config/configuration.ts';

/**
 * Address of the issuer's discovery document; `undefined` where there is none, or where what the
 * configuration says is no address to open.
 */
export const discoveryDocument = ({
  url,
  discoveryUrl,
}: Pick<IssuerConfig, 'url' | 'discoveryUrl'>): string | undefined =>
  discoveryUrl === undefined ? wellKnownDocument(url?.value ?? '') : openable(discoveryUrl.value);

/** Nothing can stand behind a query: of such an issuer there is no document. */
const wellKnownDocument = (issuer: string): string | undefined =>
  openable(issuer) === undefined || /[?#]/.test(issuer)
    ? undefined
    : openable(wellKnownUrl(issuer));

/** As a browser would read it; only https, with nobody's name and password in it. */
const openable = (text: string): string | undefined => {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && url.hostname !== '' ? url.href : undefined;
};
