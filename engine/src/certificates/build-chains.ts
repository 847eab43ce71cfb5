/**
 * Builds all chains from a certificate to an authority through the intermediates that the client
 * sent, in any order. Loops are cut and the work is limited.
 */
import { sameBytes } from '../formats/bytes.ts';
import { maxSignatureChecks } from '../model/limits.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateIndex } from './certificate-index.ts';
import type { CandidateProblem, ChainProblem } from './chain-problem.ts';
import type { LinkChecks } from './link-checks.ts';

/** Certificates from the leaf to the authority. */
export type Chain = readonly Certificate[];

/** The chains, or the reason why there is none. */
export type ChainSearchResult =
  | { readonly kind: 'chains'; readonly chains: readonly Chain[] }
  | { readonly kind: 'none'; readonly problem: ChainProblem };

export interface ChainSearch {
  readonly authorities: CertificateIndex;
  readonly intermediates: CertificateIndex;
  readonly links: LinkChecks;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Finds every chain, within limits. */
export const buildChains = (leaf: Certificate, search: ChainSearch): ChainSearchResult => {
  let checks = 0;

  const chainsFrom = (below: Chain, child: Certificate): ChainSearchResult => {
    const chains: Chain[] = [];
    let hint: CandidateProblem | undefined;
    let lastProblem: ChainProblem | undefined;
    const candidates = [
      ...search.authorities.potentialParents(child).map((parent) => ['authority', parent] as const),
      ...search.intermediates
        .potentialParents(child)
        .map((parent) => ['intermediate', parent] as const),
    ];
    for (const [role, candidate] of candidates) {
      checks += 1;
      if (checks > maxSignatureChecks) {
        lastProblem = { kind: 'too-many-checks' };
        break;
      }
      if (candidate.publicKey === undefined || isInChain(candidate, below)) continue;
      const linkProblem = search.links.problem(child, candidate);
      if (linkProblem !== undefined) {
        hint ??= { candidate, problem: linkProblem };
        continue;
      }
      lastProblem = elementProblem(candidate, { role, below, now: search.now });
      if (lastProblem !== undefined) {
        hint ??= { candidate, problem: lastProblem };
        continue;
      }
      if (role === 'authority') {
        chains.push([...below, candidate]);
        continue;
      }
      const extended = chainsFrom([...below, candidate], candidate);
      if (extended.kind === 'chains') chains.push(...extended.chains);
      else lastProblem = extended.problem;
    }
    if (chains.length > 0) return { kind: 'chains', chains };
    const unknown: ChainProblem = {
      kind: 'unknown-authority',
      ...(hint === undefined ? {} : { hint }),
    };
    return { kind: 'none', problem: lastProblem ?? unknown };
  };

  return chainsFrom([leaf], leaf);
};

export interface ChainPosition {
  readonly role: 'leaf' | 'intermediate' | 'authority';
  /** The certificates below it so far, the leaf first. */
  readonly below: Chain;
  readonly now: number;
}

/** Checks whether a certificate is valid at a position of a chain. */
export const elementProblem = (
  certificate: Certificate,
  { role, below, now }: ChainPosition,
): ChainProblem | undefined => {
  const { hasUnhandledCritical, basicConstraints } = certificate.extensions;
  if (hasUnhandledCritical) return { kind: 'unhandled-critical-extension' };
  if (now < certificate.notBefore)
    return { kind: 'not-yet-valid', notBefore: certificate.notBefore };
  if (now > certificate.notAfter) return { kind: 'expired', notAfter: certificate.notAfter };
  if (role === 'intermediate' && basicConstraints?.isAuthority !== true)
    return { kind: 'no-authority' };
  const maxIntermediates = basicConstraints?.maxPathLength;
  return maxIntermediates !== undefined && BigInt(below.length - 1) > maxIntermediates
    ? { kind: 'path-too-long' }
    : undefined;
};

/**
 * Checks whether the candidate is already in the chain. Certificates with the same subject, key and
 * alternative names count as the same.
 */
const isInChain = (candidate: Certificate, chain: Chain): boolean => {
  const candidateNames = candidate.extensions.alternativeNames?.der;
  for (const certificate of chain) {
    if (!sameBytes(candidate.subject, certificate.subject)) continue;
    if (!sameBytes(candidate.publicKeyInfo, certificate.publicKeyInfo)) continue;
    const certificateNames = certificate.extensions.alternativeNames?.der;
    if (candidateNames === undefined || certificateNames === undefined)
      return candidateNames === certificateNames;
    if (sameBytes(candidateNames, certificateNames)) return true;
  }
  return false;
};
