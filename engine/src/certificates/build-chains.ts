/**
 * Chains from a certificate up to an authority, every way there is: through the other certificates
 * that its holder sent, in whatever order, with loops cut and work bounded.
 */
import { sameBytes } from '../formats/bytes.ts';
import { maxSignatureChecks } from '../model/limits.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateIndex } from './certificate-index.ts';
import type { CandidateProblem, ChainProblem } from './chain-problem.ts';
import type { LinkChecks } from './link-checks.ts';

/** From the leaf to the authority. */
export type Chain = readonly Certificate[];

/** The chains, or why the search was given up. */
export type ChainsFound =
  | { readonly kind: 'chains'; readonly chains: readonly Chain[] }
  | { readonly kind: 'none'; readonly problem: ChainProblem };

export interface ChainSearch {
  readonly authorities: CertificateIndex;
  readonly intermediates: CertificateIndex;
  readonly links: LinkChecks;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Every chain that is found, within bounds. */
export const buildChains = (leaf: Certificate, search: ChainSearch): ChainsFound => {
  let checks = 0;

  const above = (below: Chain, child: Certificate): ChainsFound => {
    const chains: Chain[] = [];
    let hint: CandidateProblem | undefined;
    let last: ChainProblem | undefined;
    const candidates = [
      ...search.authorities.parentsOf(child).map((parent) => ['authority', parent] as const),
      ...search.intermediates.parentsOf(child).map((parent) => ['intermediate', parent] as const),
    ];
    for (const [role, candidate] of candidates) {
      checks += 1;
      if (checks > maxSignatureChecks) {
        last = { kind: 'too-many-checks' };
        break;
      }
      if (candidate.publicKey === undefined || isInChain(candidate, below)) continue;
      const wrong = search.links.problem(child, candidate);
      if (wrong !== undefined) {
        hint ??= { candidate, problem: wrong };
        continue;
      }
      last = elementProblem(candidate, { role, below, now: search.now });
      if (last !== undefined) {
        hint ??= { candidate, problem: last };
        continue;
      }
      if (role === 'authority') {
        chains.push([...below, candidate]);
        continue;
      }
      const further = above([...below, candidate], candidate);
      if (further.kind === 'chains') chains.push(...further.chains);
      else last = further.problem;
    }
    if (chains.length > 0) return { kind: 'chains', chains };
    const unknown: ChainProblem = {
      kind: 'unknown-authority',
      ...(hint === undefined ? {} : { hint }),
    };
    return { kind: 'none', problem: last ?? unknown };
  };

  return above([leaf], leaf);
};

export interface ChainPlace {
  readonly role: 'leaf' | 'intermediate' | 'authority';
  /** What stands below it so far, the leaf first. */
  readonly below: Chain;
  readonly now: number;
}

/** May the certificate stand there? */
export const elementProblem = (
  certificate: Certificate,
  { role, below, now }: ChainPlace,
): ChainProblem | undefined => {
  const { hasUnhandledCritical, basicConstraints } = certificate.extensions;
  if (hasUnhandledCritical) return { kind: 'unhandled-critical-extension' };
  if (now < certificate.notBefore)
    return { kind: 'not-yet-valid', notBefore: certificate.notBefore };
  if (now > certificate.notAfter) return { kind: 'expired', notAfter: certificate.notAfter };
  if (role === 'intermediate' && basicConstraints?.isAuthority !== true)
    return { kind: 'no-authority' };
  const mostBetween = basicConstraints?.maxPathLength;
  return mostBetween !== undefined && BigInt(below.length - 1) > mostBetween
    ? { kind: 'path-too-long' }
    : undefined;
};

/**
 * The same subject with the same key is the same authority, however its certificates differ, unless
 * their alternative names do.
 */
const isInChain = (candidate: Certificate, chain: Chain): boolean => {
  const own = candidate.extensions.alternativeNames?.der;
  for (const certificate of chain) {
    if (!sameBytes(candidate.subject, certificate.subject)) continue;
    if (!sameBytes(candidate.publicKeyInfo, certificate.publicKeyInfo)) continue;
    const other = certificate.extensions.alternativeNames?.der;
    if (own === undefined || other === undefined) return own === other;
    if (sameBytes(own, other)) return true;
  }
  return false;
};
