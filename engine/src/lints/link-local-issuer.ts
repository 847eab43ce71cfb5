/**
 * An issuer that only the machine itself has: addresses of one link, under which clouds keep the service
 * that hands out a machine's own credentials.
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
  summary: 'The keys of an issuer would be asked of an address that only the machine itself has.',
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

/** RFC 3927, RFC 4291 2.5.6, and the two names that clouds give the same service. */
const isLinkLocal = (host: string): boolean =>
  /^169\.254\.\d{1,3}\.\d{1,3}$/.test(host) ||
  /^\[fe[89ab][0-9a-f]:/.test(host) ||
  host === '[fd00:ec2::254]' ||
  host === 'metadata.google.internal';
