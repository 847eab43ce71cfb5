/**
 * Parses the certificates of a client once per connection. In kube-apiserver, certificates that
 * cannot be parsed end the TLS handshake, before there is a request.
 */
import { readCertificate } from '../formats/x509/certificate.ts';
import { maxPeerCertificates, maxPeerChainBytes } from '../model/limits.ts';
import type { PeerCertificates } from '../model/request.ts';
import type { Certificate } from './certificate.ts';

export type PeerChain =
  | {
      readonly kind: 'read';
      readonly leaf: Certificate;
      /** The other certificates, in the client's order. */
      readonly others: readonly Certificate[];
    }
  | {
      readonly kind: 'unreadable';
      /** `limit` is a restriction that kube-apiserver does not have. */
      readonly cause: 'form' | 'limit';
      readonly problem: string;
    };

const chains = new WeakMap<PeerCertificates, PeerChain>();

/** Returns the parsed certificates, or the problem if one cannot be parsed. */
export const readPeerChain = (peer: PeerCertificates): PeerChain => {
  const cached = chains.get(peer);
  if (cached !== undefined) return cached;
  const chain = readChain(peer.chain);
  chains.set(peer, chain);
  return chain;
};

/** A longer RSA key ends the handshake. */
const maxPeerRsaBits = 8192;

const readChain = (sent: readonly Uint8Array[]): PeerChain => {
  const limit = limitProblem(sent);
  if (limit !== undefined) return { kind: 'unreadable', cause: 'limit', problem: limit };
  const certificates: Certificate[] = [];
  for (const der of sent) {
    const certificate = readCertificate(der);
    if (typeof certificate === 'string') return malformed(certificate);
    const key = certificate.publicKey;
    if (key?.kind === 'RSA' && key.n.toString(2).length > maxPeerRsaBits)
      return malformed(
        `tls: client sent certificate containing RSA key larger than ${maxPeerRsaBits} bits`,
      );
    certificates.push(certificate);
  }
  const [leaf, ...others] = certificates;
  return leaf === undefined ? malformed('no certificate') : { kind: 'read', leaf, others };
};

const malformed = (problem: string): PeerChain => ({ kind: 'unreadable', cause: 'form', problem });

const limitProblem = (sent: readonly Uint8Array[]): string | undefined => {
  if (sent.length > maxPeerCertificates)
    return `refused: more than ${maxPeerCertificates} certificates`;
  const bytes = sent.reduce((sum, { length }) => sum + length, 0);
  return bytes > maxPeerChainBytes
    ? `refused: certificates of more than ${maxPeerChainBytes} bytes`
    : undefined;
};
