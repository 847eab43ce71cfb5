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
  const resultsByUri = new Map<string, DocumentResults>();
  let runs = 0;
  return {
    /** Returns the same function until the doctor runs again. */
    of: (uri: string): FindingsOfIssuer | undefined => resultsByUri.get(uri)?.findingsOf,
    /** Returns the number of a run that starts now. */
    nextRun(): number {
      runs += 1;
      return runs;
    },
    /**
     * Replaces the results of a document by those of a run. The results of `others`, which the run
     * did not contact, remain, and so do those of newer runs.
     */
    record(
      uri: string,
      {
        run,
        contacted,
        others,
      }: {
        readonly run: number;
        readonly contacted: readonly ContactedIssuer[];
        readonly others: readonly Pick<ContactedIssuer, 'node'>[];
      },
    ): void {
      const before = [...(resultsByUri.get(uri)?.byKey ?? [])];
      const otherKeys = new Set(others.map(({ node }) => keyOf(node)));
      const byKey = new Map([
        ...before.filter(([key]) => otherKeys.has(key)),
        ...contacted.map(({ node, findings }) => [keyOf(node), { run, findings }] as const),
        ...before.filter(([, result]) => result.run > run),
      ]);
      resultsByUri.set(uri, { byKey, findingsOf: (node) => byKey.get(keyOf(node))?.findings });
    },
    /** Forgets a closed document. */
    forget: (uri: string): boolean => resultsByUri.delete(uri),
  };
};

interface DocumentResults {
  readonly byKey: ReadonlyMap<string, Pick<ContactedIssuer, 'findings'> & { readonly run: number }>;
  readonly findingsOf: FindingsOfIssuer;
}

const keyOf = ({ issuerUrl, discoveryUrl, certificateAuthority }: IssuerNode): string =>
  JSON.stringify([issuerUrl, discoveryUrl ?? null, certificateAuthority ?? null]);
