/** Authorities that certificates of clients are judged against; it may change while it is used. */
import { sameBytes } from '../formats/bytes.ts';
import { goQuote } from '../formats/go-quote.ts';
import { readCertificateBundle } from '../formats/x509/certificate.ts';
import { toLatin1 } from '../formats/x509/der.ts';
import type { Certificate } from './certificate.ts';

/** Authorities at one moment. */
export interface CertificatePool {
  /** Shown in messages: `client-ca-bundle::/etc/ca.crt`. */
  readonly name: string;
  /** Grows with every change; a verdict is good for one generation. */
  generation(): number;
  authorities(): readonly Certificate[];
}

export interface ReloadablePool extends CertificatePool {
  /** The hash of what is in force is the caller's affair: the same bytes change nothing. */
  reload(bundle: Uint8Array): PoolReload;
}

export type PoolReload =
  | { readonly kind: 'unchanged' | 'changed' }
  /** The last good authorities stay. */
  | { readonly kind: 'invalid'; readonly problem: string };

/** A pool of the certificates of a bundle; a text is the problem, in the real server's words. */
export const loadCertificatePool = (name: string, bundle: Uint8Array): ReloadablePool | string => {
  const first = readAuthorities(name, bundle);
  if (typeof first === 'string') return first;
  let authorities = first;
  let content = bundle;
  let generation = 1;
  return {
    name,
    generation: () => generation,
    authorities: () => authorities,
    reload(next) {
      if (sameBytes(content, next)) return { kind: 'unchanged' };
      const parsed = readAuthorities(name, next);
      if (typeof parsed === 'string') return { kind: 'invalid', problem: parsed };
      authorities = parsed;
      content = next;
      generation += 1;
      return { kind: 'changed' };
    },
  };
};

const readAuthorities = (name: string, bundle: Uint8Array): readonly Certificate[] | string => {
  if (bundle.length === 0) return `missing content for CA bundle ${goQuote(name)}`;
  const certificates = readCertificateBundle(toLatin1(bundle));
  return typeof certificates === 'string'
    ? `error loading CA bundle for ${goQuote(name)}: ${certificates}`
    : certificates;
};

/** Is a certificate of one in the other? Whoever is trusted by both is trusted for too much. */
export const poolsOverlap = (
  left: readonly Certificate[],
  right: readonly Certificate[],
): boolean => left.some(({ der }) => right.some((other) => sameBytes(der, other.der)));
