/**
 * Verifies the signatures between certificates of a chain, each only once, and checks first whether
 * a chain can exist at all. Unauthenticated clients can send certificates that are expensive to
 * search, so the check starts at the authorities and stops at the first link that is invalid.
 */
import { sameBytes } from '../formats/bytes.ts';
import { maxHintChecks } from '../model/limits.ts';
import type { CertificateSignatures } from '../ports/certificate-signatures.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateIndex } from './certificate-index.ts';
import { signatureProblem } from './signature-check.ts';

export interface LinkChecks {
  /** Returns why the parent did not or may not sign the child; `undefined` if it did and may. */
  problem(child: Certificate, parent: Certificate): string | undefined;
  /** Limits the remaining signature checks to a few, which are needed for messages only. */
  limitToHints(): void;
}

/** Creates the signature checks of one verification. */
export const linkChecks = (signatures: CertificateSignatures): LinkChecks => {
  const results = new Map<Certificate, Map<Certificate, string | undefined>>();
  let checksLeft = Number.POSITIVE_INFINITY;
  return {
    problem(child, parent) {
      const childResults = results.get(child) ?? new Map<Certificate, string | undefined>();
      results.set(child, childResults);
      if (childResults.has(parent)) return childResults.get(parent);
      checksLeft -= 1;
      const problem = checksLeft < 0 ? notChecked : signatureProblem(child, parent, signatures);
      childResults.set(parent, problem);
      return problem;
    },
    limitToHints() {
      checksLeft = maxHintChecks;
    },
  };
};

const notChecked = 'x509: signature not checked: no chain leads to an authority';

/**
 * Checks whether valid signatures connect the leaf with an authority. Nothing else is verified
 * here.
 */
export const isConnectedToAuthority = (
  leaf: Certificate,
  others: readonly Certificate[],
  { authorities, links }: { readonly authorities: CertificateIndex; readonly links: LinkChecks },
): boolean => {
  const connected: Certificate[] = [];
  let pending = [leaf, ...others];
  for (;;) {
    const newlyConnected = pending.filter((certificate) =>
      [
        ...authorities.potentialParents(certificate),
        ...connected.filter(({ subject }) => sameBytes(subject, certificate.issuer)),
      ].some((parent) => links.problem(certificate, parent) === undefined),
    );
    if (newlyConnected.includes(leaf)) return true;
    if (newlyConnected.length === 0) return false;
    connected.push(...newlyConnected);
    pending = pending.filter((certificate) => !newlyConnected.includes(certificate));
  }
};
