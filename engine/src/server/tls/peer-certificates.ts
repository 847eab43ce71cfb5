/**
 * What a client showed in the handshake: its chain as it was sent, nothing added, nothing believed.
 * One value for as long as the connection lives, so that verdicts about it can be remembered.
 */
import type { X509Certificate } from 'node:crypto';
import type { PeerCertificates } from '../../model/request.ts';

/** A TLS socket, or what a session of HTTP/2 shows of it. */
export interface ShowsCertificate {
  getPeerX509Certificate?(): X509Certificate | undefined;
}

/** A longer chain is cut here: what is missing of it makes a certificate unknown, never known. */
const maxPeerChain = 32;

const known = new WeakMap<object, { readonly certificates: PeerCertificates | undefined }>();

/** `connection`: the socket or session that lives as long as the chain is good for. */
export const peerCertificates = (
  connection: object,
  socketOf: () => ShowsCertificate | undefined,
): PeerCertificates | undefined => {
  const before = known.get(connection);
  if (before !== undefined) return before.certificates;
  const chain = chainOf(socketOf());
  const certificates = chain.length === 0 ? undefined : { chain };
  known.set(connection, { certificates });
  return certificates;
};

/**
 * The session that was made of a socket shows what the socket did: asked a second time, older
 * releases of Node give the leaf alone.
 */
export const shareCertificates = (session: object, socket: object & ShowsCertificate): void => {
  known.set(session, { certificates: peerCertificates(socket, () => socket) });
};

const chainOf = (socket: ShowsCertificate | undefined): readonly Uint8Array[] => {
  const chain: Uint8Array[] = [];
  let next = socket?.getPeerX509Certificate?.();
  while (next !== undefined && chain.length < maxPeerChain) {
    chain.push(next.raw);
    next = next.issuerCertificate;
  }
  return chain;
};
