/**
 * Finds an issuer that only the machine itself can reach: a link-local address, where clouds serve
 * the credentials of the machine (the metadata service).
 */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';

interface Args {
  readonly host: string;
}

export const linkLocalIssuer = defineRule<Compilation, Args>({
  code: 'AG4021',
  name: 'link-local-issuer',
  severity: 'warning',
  source: 'lint',
  summary: 'An issuer URL or a discovery URL has a link-local address.',
  message: ({ host }) =>
    `${JSON.stringify(host)} is an address of the machine's own link: each API server would ask another machine, or the service that hands out its credentials`,
  help: () => 'Name the issuer by a host name that means the same everywhere.',
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
