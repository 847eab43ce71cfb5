/**
 * The certificate chain that a client presented in the handshake, unmodified and unverified. It is
 * one value for the lifetime of the connection, so that results for it can be cached.
 */
import type { X509Certificate } from 'node:crypto';
import type { PeerCertificates } from '../../model/request.ts';

/** A socket; only TLS sockets have peer certificates. */
export interface PeerCertificateSource {
  getPeerX509Certificate?(): X509Certificate | undefined;
}

/** Longer chains are truncated: missing certificates can only make verification fail. */
const maxPeerChain = 32;

/** `null` if the client presented no certificate. */
const cache = new WeakMap<object, PeerCertificates | null>();

/**
 * Returns the cached chain: when called a second time, older releases of Node return the leaf only.
 */
export const peerCertificates = (
  socket: object & PeerCertificateSource,
): PeerCertificates | undefined => {
  const cached = cache.get(socket);
  if (cached !== undefined) return cached ?? undefined;
  const chain = chainOf(socket);
  const certificates = chain.length === 0 ? undefined : { chain };
  cache.set(socket, certificates ?? null);
  return certificates;
};

const chainOf = (socket: PeerCertificateSource): readonly Uint8Array[] => {
  const chain: Uint8Array[] = [];
  let next = socket.getPeerX509Certificate?.();
  while (next !== undefined && chain.length < maxPeerChain) {
    chain.push(next.raw);
    next = next.issuerCertificate;
  }
  return chain;
};
