/**
 * What the doctor found when it last contacted the issuers of each open document. A finding holds
 * for the URLs and the certificate authority that were used, so it disappears when one of them is
 * edited.
 */
import type { AuthenticatorGraph, DoctorFinding } from '@authgraph/engine/language';

export type IssuerNode = AuthenticatorGraph['nodes'][number];

export interface ContactedIssuer {
  readonly node: IssuerNode;
  readonly findings: readonly DoctorFinding[];
}

/** Returns what was found about the issuer of an entry; `undefined` if it was not contacted. */
export type FindingsOfIssuer = (node: IssuerNode) => readonly DoctorFinding[] | undefined;

export type DoctorResults = ReturnType<typeof createDoctorResults>;

export const createDoctorResults = () => {
  const findingsByUri = new Map<string, FindingsOfIssuer>();
  return {
    /** Returns the same function until the doctor runs again. */
    of: (uri: string): FindingsOfIssuer | undefined => findingsByUri.get(uri),
    /**
     * Replaces the results of a document by those of a run. The results of `others`, which the run
     * did not contact, remain.
     */
    record(
      uri: string,
      {
        contacted,
        others,
      }: {
        readonly contacted: readonly ContactedIssuer[];
        readonly others: readonly Pick<ContactedIssuer, 'node'>[];
      },
    ): void {
      const before = findingsByUri.get(uri);
      const remaining = others.map(({ node }) => ({ node, findings: before?.(node) }));
      const found = new Map(
        [...remaining, ...contacted].map(({ node, findings }) => [keyOf(node), findings]),
      );
      findingsByUri.set(uri, (node) => found.get(keyOf(node)));
    },
    /** Forgets a closed document. */
    forget: (uri: string): boolean => findingsByUri.delete(uri),
  };
};

const keyOf = ({ issuerUrl, discoveryUrl, certificateAuthority }: IssuerNode): string =>
  JSON.stringify([issuerUrl, discoveryUrl ?? null, certificateAuthority ?? null]);
