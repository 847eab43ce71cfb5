/** Certificates of recorded cases: PEM there, DER in the product. */
import { type PeerChain, readPeerChain } from '../../../engine/src/certificates/peer-chain.ts';
import { pemBlocks } from '../../../engine/src/formats/pem.ts';
import type { PeerCertificates } from '../../../engine/src/model/request.ts';

/** `undefined` without certificates. */
export const peerCertificates = (
  pems: readonly string[] | null | undefined,
): PeerCertificates | undefined => {
  const chain = (pems ?? []).flatMap((pem) => pemBlocks(pem).slice(0, 1)).map(({ bytes }) => bytes);
  return chain.length === 0 ? undefined : { chain };
};

/** What ends the handshake, before there is a request. */
export const handshakeFailure = (peer: PeerCertificates | undefined): object | undefined => {
  const chain: PeerChain | undefined = peer && readPeerChain(peer);
  return chain?.kind === 'unreadable' && chain.cause === 'form'
    ? { outcome: 'tls-handshake-failure', error: chain.problem }
    : undefined;
};
