/**
 * Links of chains, each checked once, and a quick look whether there can be a chain at all. Whoever
 * is known by nobody can send certificates that cost much to search through; from the authorities
 * downwards the first link that does not hold ends the work.
 */
import { sameBytes } from '../formats/bytes.ts';
import { maxHintChecks } from '../model/limits.ts';
import type { CertificateSignatures } from '../ports/certificate-signatures.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateIndex } from './certificate-index.ts';
import { signatureProblem } from './signature-check.ts';

export interface LinkChecks {
  /** What is wrong with the parent as the child's; `undefined` where it signed it and may. */
  problem(child: Certificate, parent: Certificate): string | undefined;
  /** From now on only a few more are checked, and the others do not hold. */
  limitToHints(): void;
}

/** What each step of a chain must pass. */
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

/** Do links that hold lead from the authorities to the leaf? Nothing else of them is judged. */
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
