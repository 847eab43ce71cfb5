/**
 * The certificates of a client, read once for its connection. What cannot be read here ends the
 * handshake in the real server, before there is any request.
 */
import { readCertificate } from '../formats/x509/certificate.ts';
import { maxPeerCertificates, maxPeerChainBytes } from '../model/limits.ts';
import type { PeerCertificates } from '../model/request.ts';
import type { Certificate } from './certificate.ts';

export type PeerChain =
  | {
      readonly kind: 'read';
      readonly leaf: Certificate;
      /** What else was sent, in the client's order. */
      readonly others: readonly Certificate[];
    }
  | {
      readonly kind: 'unreadable';
      /** `limit`: we are stricter than the real server. */
      readonly cause: 'form' | 'limit';
      readonly problem: string;
    };

const chains = new WeakMap<PeerCertificates, PeerChain>();

/** The certificates that were sent; an error where one cannot be read. */
export const readPeerChain = (peer: PeerCertificates): PeerChain => {
  const cached = chains.get(peer);
  if (cached !== undefined) return cached;
  const chain = readChain(peer.chain);
  chains.set(peer, chain);
  return chain;
};

/** A longer key of RSA ends the handshake. */
const maxPeerRsaBits = 8192;

const readChain = (sent: readonly Uint8Array[]): PeerChain => {
  const limit = limitProblem(sent);
  if (limit !== undefined) return { kind: 'unreadable', cause: 'limit', problem: limit };
  const certificates: Certificate[] = [];
  for (const der of sent) {
    const certificate = readCertificate(der);
    if (typeof certificate === 'string') return malformed(certificate);
    const key = certificate.publicKey;
    if (key?.algorithm === 'RSA' && key.modulus.toString(2).length > maxPeerRsaBits)
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
