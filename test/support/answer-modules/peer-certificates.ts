/** Converts the PEM certificates of recorded cases to DER. */
import { type PeerChain, readPeerChain } from '../../../engine/src/certificates/peer-chain.ts';
import { type PemBlock, pemBlocks } from '../../../engine/src/formats/x509/pem.ts';
import type { PeerCertificates } from '../../../engine/src/model/request.ts';

/** Returns the certificates; `undefined` if there are none. */
export const peerCertificates = (
  pems: readonly string[] | null | undefined,
): PeerCertificates | undefined => {
  const chain = (pems ?? []).flatMap(firstBlock).map(({ bytes }) => bytes);
  return chain.length === 0 ? undefined : { chain };
};

/** Returns the problem that ends the handshake, before there is a request. */
export const handshakeFailure = (
  pems: readonly string[] | null | undefined,
): object | undefined => {
  const peer = peerCertificates(pems);
  const chain: PeerChain | undefined = peer && readPeerChain(peer);
  const problem =
    chain?.kind === 'unreadable' && chain.cause === 'form' ? chain.problem : undefined;
  const isText = pems?.every((pem) => firstBlock(pem).length > 0) ?? true;
  const error = problem ?? (isText ? undefined : 'no PEM block');
  return error === undefined ? undefined : { outcome: 'tls-handshake-failure', error };
};

const firstBlock = (pem: string): readonly PemBlock[] => pemBlocks(pem).slice(0, 1);
