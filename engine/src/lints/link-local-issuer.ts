/**
 * Finds an issuer that only the machine itself can reach: a link-local address, where clouds serve
 * the credentials of the machine (the metadata service).
 */
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly host: string;
}

export const linkLocalIssuer = defineLint<Args>({
  code: 'AG4021',
  name: 'link-local-issuer',
  summary: 'An issuer URL or a discovery URL has a link-local address.',
  message: ({ host }) =>
    `${JSON.stringify(host)} is a link-local address: each API server would contact a different machine, or the cloud's metadata service`,
  help: () => 'Use a host name that resolves to the same server on every API server.',
  check(compilation, report) {
    for (const { issuer } of compilation.configuration?.jwt ?? []) {
      for (const place of [issuer.url, issuer.discoveryUrl]) {
        if (place === undefined) continue;
        const host = hostOf(place.value);
        if (host !== undefined && isLinkLocal(host)) report(place.span, { host });
      }
    }
  },
});

const hostOf = (url: string): string | undefined =>
  /^https:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url)?.[1]?.toLowerCase();

/**
 * Link-local addresses (RFC 3927, RFC 4291 2.5.6) and the two host names of the metadata service.
 */
const isLinkLocal = (host: string): boolean =>
  /^169\.254\.\d{1,3}\.\d{1,3}$/.test(host) ||
  /^\[fe[89ab][0-9a-f]:/.test(host) ||
  host === '[fd00:ec2::254]' ||
  host === 'metadata.google.internal';
