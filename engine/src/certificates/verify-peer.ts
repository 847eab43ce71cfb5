/**
 * Verifies the certificate of a connection against a pool. The verdict is cached for the connection
 * until the pool changes or any involved certificate becomes valid or expires, so every request
 * gets the verdict that a full verification would give.
 */
import type { PeerCertificates } from '../model/request.ts';
import type { CertificateSignatures } from '../ports/certificate-signatures.ts';
import type { Certificate } from './certificate.ts';
import { authorityIndex } from './certificate-index.ts';
import type { CertificatePool } from './certificate-pool.ts';
import type { ChainProblem } from './chain-problem.ts';
import { type PeerChain, readPeerChain } from './peer-chain.ts';
import { clientChainProblem } from './verify-chain.ts';

export type PeerVerdict =
  | { readonly kind: 'trusted'; readonly leaf: Certificate }
  | { readonly kind: 'untrusted'; readonly leaf: Certificate; readonly problem: ChainProblem }
  | Extract<PeerChain, { kind: 'unreadable' }>;

interface CachedConclusion<Conclusion> {
  readonly generation: number;
  /**
   * The period in which the conclusion is valid, in milliseconds since 1970; `until` is exclusive.
   */
  readonly from: number;
  readonly until: number;
  readonly conclusion: Conclusion;
}

/**
 * Creates a function that verifies the certificate of a connection and returns a conclusion.
 * `conclude` is called once per verdict.
 */
export const peerVerifier = <Conclusion>(
  pool: CertificatePool,
  signatures: CertificateSignatures,
  conclude: (verdict: PeerVerdict) => Conclusion,
): ((peer: PeerCertificates, now: number) => Conclusion) => {
  const cache = new WeakMap<PeerCertificates, CachedConclusion<Conclusion>>();
  return (peer, now) => {
    const cached = cache.get(peer);
    const isCurrent =
      cached !== undefined &&
      cached.generation === pool.generation() &&
      now >= cached.from &&
      now < cached.until;
    if (isCurrent) return cached.conclusion;
    // Read before the verification, so that a change during it makes the cached conclusion
    // outdated.
    const generation = pool.generation();
    const authorities = pool.authorities();
    const chain = readPeerChain(peer);
    const conclusion = conclude(verifyChain(chain, { authorities, signatures, now }));
    const certificates = chain.kind === 'read' ? [chain.leaf, ...chain.others, ...authorities] : [];
    cache.set(peer, { generation, ...verdictLifetime(certificates, now), conclusion });
    return conclusion;
  };
};

const verifyChain = (
  chain: PeerChain,
  {
    authorities,
    signatures,
    now,
  }: {
    readonly authorities: readonly Certificate[];
    readonly signatures: CertificateSignatures;
    readonly now: number;
  },
): PeerVerdict => {
  if (chain.kind === 'unreadable') return chain;
  const { leaf, others } = chain;
  const problem = clientChainProblem(
    { leaf, intermediates: others, authorities: authorityIndex(authorities), now },
    signatures,
  );
  return problem === undefined ? { kind: 'trusted', leaf } : { kind: 'untrusted', leaf, problem };
};

/** Returns the period around `now` in which no certificate becomes valid or expires. */
const verdictLifetime = (
  certificates: readonly Certificate[],
  now: number,
): { readonly from: number; readonly until: number } => {
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const { notBefore, notAfter } of certificates) {
    for (const boundary of [notBefore, notAfter + 1]) {
      if (boundary <= now) from = Math.max(from, boundary);
      else until = Math.min(until, boundary);
    }
  }
  return { from, until };
};
