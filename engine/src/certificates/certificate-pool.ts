/** The authorities that client certificates are verified against. They can be reloaded. */
import { sameBytes } from '../formats/bytes.ts';
import { goQuote } from '../formats/go-quote.ts';
import { readCertificateBundle } from '../formats/x509/certificate.ts';
import { toLatin1 } from '../formats/x509/der.ts';
import type { Certificate } from './certificate.ts';

/** The current authorities. */
export interface CertificatePool {
  /** The name in messages: `client-ca-bundle::/etc/ca.crt`. */
  readonly name: string;
  /** Increases with every change; a verdict is valid for one generation. */
  generation(): number;
  authorities(): readonly Certificate[];
}

export interface ReloadablePool extends CertificatePool {
  /** Replaces the authorities with those of a bundle. Equal bytes change nothing. */
  reload(bundle: Uint8Array): PoolReload;
}

export type PoolReload =
  | { readonly kind: 'unchanged' | 'changed' }
  /** The previous authorities stay in use. */
  | { readonly kind: 'invalid'; readonly problem: string };

/** Creates a pool from a bundle; returns kube-apiserver's error message if it is invalid. */
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

/** Returns true if the pools share a certificate. */
export const poolsOverlap = (
  left: readonly Certificate[],
  right: readonly Certificate[],
): boolean => left.some(({ der }) => right.some((other) => sameBytes(der, other.der)));
