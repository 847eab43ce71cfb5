/**
 * Verifies a client certificate: a chain to an authority, the client authentication usage on every
 * certificate, validity times, path lengths, policies and name constraints, with the results of
 * Go's crypto/x509. The result of the TLS library is not used.
 */
import type { CertificateSignatures } from '../ports/certificate-signatures.ts';
import { buildChains, type Chain, elementProblem } from './build-chains.ts';
import type { Certificate } from './certificate.ts';
import { type CertificateIndex, certificateIndex } from './certificate-index.ts';
import type { ChainProblem } from './chain-problem.ts';
import { isConnectedToAuthority, linkChecks } from './link-checks.ts';
import { nameConstraintProblem } from './name-constraints.ts';
import { policiesHold } from './policies.ts';
import { isForClients } from './purpose.ts';

export interface ClientChain {
  readonly leaf: Certificate;
  /** The other certificates that the client sent, in any order. */
  readonly intermediates: readonly Certificate[];
  readonly authorities: CertificateIndex;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the problem of the chain; `undefined` if it is valid. */
export const clientChainProblem = (
  { leaf, intermediates, authorities, now }: ClientChain,
  signatures: CertificateSignatures,
): ChainProblem | undefined => {
  const problem = elementProblem(leaf, { role: 'leaf', below: [], now });
  if (problem !== undefined) return problem;
  if (authorities.has(leaf)) return bestChainProblem([[leaf]]);
  const links = linkChecks(signatures);
  // No chain exists in this case; the search only finds a hint for the message.
  if (!isConnectedToAuthority(leaf, intermediates, { authorities, links })) links.limitToHints();
  const search = buildChains(leaf, {
    authorities,
    intermediates: certificateIndex(intermediates),
    links,
    now,
  });
  return search.kind === 'none' ? search.problem : bestChainProblem(search.chains);
};

/** Returns the problem of the chains; `undefined` if one of them is valid. */
const bestChainProblem = (chains: readonly Chain[]): ChainProblem | undefined => {
  let wrongPolicies = 0;
  let wrongPurposes = 0;
  let wrongName: string | undefined;
  for (const chain of chains) {
    if (!policiesHold(chain)) wrongPolicies += 1;
    else if (!chain.every(isForClients)) wrongPurposes += 1;
    else {
      const detail = nameConstraintProblem(chain);
      if (detail === undefined) return undefined;
      wrongName ??= detail;
    }
  }
  if (wrongName !== undefined) return { kind: 'name-not-permitted', detail: wrongName };
  if (wrongPurposes > 0 && wrongPolicies === 0) return { kind: 'wrong-purpose' };
  const details = [
    ...(wrongPurposes > 0 ? [`${wrongPurposes} candidate chains with incompatible key usage`] : []),
    ...(wrongPolicies > 0 ? [`${wrongPolicies} candidate chains with invalid policies`] : []),
  ];
  return { kind: 'no-valid-chain', detail: details.join(', ') };
};
