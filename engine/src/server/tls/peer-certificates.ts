/**
 * What a client showed in the handshake: its chain as it was sent, nothing added, nothing believed.
 * One value for as long as the connection lives, so that verdicts about it can be remembered.
 */
import type { X509Certificate } from 'node:crypto';
import type { PeerCertificates } from '../../model/request.ts';

/** A TLS socket; a plain one shows nothing. */
export interface PeerCertificateSource {
  getPeerX509Certificate?(): X509Certificate | undefined;
}

/** A longer chain is cut here: what is missing of it makes a certificate unknown, never known. */
const maxPeerChain = 32;

const cache = new WeakMap<object, { readonly certificates: PeerCertificates | undefined }>();

/** Asked a second time, older releases of Node would give the leaf alone. */
export const peerCertificates = (
  socket: object & PeerCertificateSource,
): PeerCertificates | undefined => {
  const cached = cache.get(socket);
  if (cached !== undefined) return cached.certificates;
  const chain = chainOf(socket);
  const certificates = chain.length === 0 ? undefined : { chain };
  cache.set(socket, { certificates });
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
