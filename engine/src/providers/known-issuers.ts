/**
 * Issuers that are recognized by their URL, derived from the URL of each provider: constant, or with
 * parts that differ between installations.
 */
import type { Provider } from './provider.ts';
import { providers } from './registry.ts';
import { type ProviderSetting, valuesOf } from './settings.ts';

export interface KnownIssuer {
  readonly title: string;
  /** The URL, as an example if it differs between installations. */
  readonly url: string;
  /** The parts of the URL that differ between installations, in order. */
  readonly variables: readonly string[];
  /** The claims of a token, with example values; the times are zero. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Returns the issuer with a URL; `undefined` if its provider is not known. */
export const knownIssuer = (url: string): KnownIssuer | undefined =>
  url.length > maxUrlLength ? undefined : recognized().find(({ test }) => test.test(url))?.issuer;

const maxUrlLength = 2048;

/** Returns all of them in the order in which providers are listed. */
export const knownIssuers = (): readonly KnownIssuer[] => recognized().map(({ issuer }) => issuer);

interface Recognized {
  readonly test: RegExp;
  readonly issuer: KnownIssuer;
}

let cached: readonly Recognized[] | undefined;

const recognized = (): readonly Recognized[] => {
  cached ??= providers.flatMap((provider) => {
    const test = patternOf(provider);
    return test === undefined ? [] : [{ test, issuer: issuerOf(provider) }];
  });
  return cached;
};

const issuerOf = ({ title, settings, ...provider }: Provider): KnownIssuer => {
  const claims = { ...provider.claims(times, valuesOf(settings, new Map())) };
  return {
    title,
    url: issuerClaim(claims),
    variables: urlParts({ settings, ...provider }).flatMap((part) =>
      typeof part === 'string' ? [] : [part.example],
    ),
    claims,
  };
};

const times = { issued: 0, expires: 0 };

const issuerClaim = (claims: object): string =>
  'iss' in claims && typeof claims.iss === 'string' ? claims.iss : '';

/** Returns the constant parts of the URL, and the settings between them. */
const urlParts = ({
  settings,
  claims,
}: Pick<Provider, 'settings' | 'claims'>): readonly (string | ProviderSetting)[] => {
  const marked = new Map(settings.map(({ key }) => [key, `\0${key}\0`]));
  return issuerClaim(claims(times, valuesOf(settings, marked)))
    .split('\0')
    .flatMap((part, at): readonly (string | ProviderSetting)[] =>
      at % 2 === 0 ? [part] : settings.filter(({ key }) => key === part),
    )
    .filter((part) => part !== '');
};

/**
 * Returns `undefined` if every issuer could be the provider's, because its whole URL is chosen by
 * the installation.
 */
const patternOf = (provider: Provider): RegExp | undefined => {
  const parts = urlParts(provider);
  const isAnyHost = parts.some(
    (part) => typeof part !== 'string' && part.form === 'url' && hasExampleDomain(part.example),
  );
  if (isAnyHost && parts.length === 1) return undefined;
  return new RegExp(`^${parts.map(partPattern).join('')}$`);
};

const partPattern = (part: string | ProviderSetting): string => {
  if (typeof part === 'string') return escaped(part);
  const { form, example } = part;
  if (form !== 'url' && form !== 'host') return '[^/]+';
  const start = form === 'url' ? 'https://' : '';
  const path = form === 'url' ? '(?:/[^?#]*)?' : '';
  return hasExampleDomain(example)
    ? `${start}[^/]+${path}`
    : `${start}(?:[^/]+\\.)?${escaped(domainOf(example))}${path}`;
};

/** Returns the last two labels of the host: `okta.com`. */
const domainOf = (example: string): string =>
  example
    .replace(/^https:\/\//, '')
    .replace(/\/.*/, '')
    .split('.')
    .slice(-2)
    .join('.');

const hasExampleDomain = (example: string): boolean =>
  /^example\.(?:com|net|org)$/.test(domainOf(example));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
