/** The issuers that can be contacted: those of the entries without errors. */
import {
  type AuthenticatorGraph,
  entryNode,
  graphOfValidEntries,
} from '@authgraph/engine/language';
import type { ConfigurationPart } from './compile-parts.ts';
import type { IssuerNode } from './doctor-results.ts';
import { undecidedReason } from './features/load-failure.ts';
import { memberOf } from './member-of.ts';
import { problems } from './unavailable-reasons.ts';

export interface ContactableIssuer {
  readonly part: ConfigurationPart;
  /** Index of the entry in the `jwt` list. */
  readonly index: number;
  readonly node: IssuerNode;
  readonly graph: AuthenticatorGraph;
}

export interface ContactableIssuers {
  readonly issuers: readonly ContactableIssuer[];
  /** One sentence without a period per entry with errors, such as `jwt[1] has 1 error (line 12)`. */
  readonly skipped: readonly string[];
}

/** Returns the issuers of the configurations of a document. */
export const contactableIssuers = (parts: readonly ConfigurationPart[]): ContactableIssuers => {
  const issuers: ContactableIssuer[] = [];
  const skipped: string[] = [];
  for (const part of parts) {
    const { compilation } = part;
    const graph = graphOfValidEntries(compilation);
    if (graph === undefined) continue;
    for (const index of compilation.configuration?.jwt.keys() ?? []) {
      const entry = entryNode(compilation, index);
      if (entry === undefined) continue;
      if (entry.errors.length > 0) skipped.push(undecidedReason(part, index));
      else issuers.push({ part, index, node: entry.node, graph });
    }
  }
  return { issuers, skipped };
};

/** Returns the URL that is contacted first. */
export const contactUrl = ({ node: { discoveryUrl, issuerUrl } }: ContactableIssuer): string =>
  discoveryUrl ?? issuerUrl;

/** Returns the issuers whose URLs the user confirmed; all if the request has no list of URLs. */
export const confirmedIssuers = (
  issuers: readonly ContactableIssuer[],
  params: unknown,
): readonly ContactableIssuer[] => {
  const urls = memberOf(params, 'urls');
  return urls === undefined
    ? issuers
    : issuers.filter((issuer) => Array.isArray(urls) && urls.includes(contactUrl(issuer)));
};

/** Returns why none of the issuers can be contacted; `named` if the request names one issuer. */
export const noContactReason = (
  parts: readonly ConfigurationPart[],
  { named }: { readonly named: boolean },
): string => {
  if (parts.some(({ compilation }) => compilation.graph === undefined)) return problems.hasErrors;
  return named ? problems.otherIssuer : problems.noIssuer;
};
