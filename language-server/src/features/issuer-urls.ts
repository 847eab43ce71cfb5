/**
 * `authgraph/issuerUrls`: the URLs that the doctor would contact, so that clients can show them
 * first.
 */
import { normalizeIssuer } from '@authgraph/engine/language';
import { contactableIssuers, contactUrl, noContactReason } from '../contactable-issuers.ts';
import { stringMemberOf } from '../member-of.ts';
import { type IssuerUrls, issuerUrlsRequest } from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Workspace } from '../workspace.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';

/** Returns the URLs of the entries without errors. */
const issuerUrlsOf = async (
  workspace: Workspace,
  uri: string,
  issuer: string | undefined,
): Promise<IssuerUrls> => {
  const { parts, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem !== undefined) return { urls: [], problem: partsProblem };
  const urls = contactableIssuers(parts)
    .issuers.filter(
      ({ node }) => issuer === undefined || node.issuerUrl === normalizeIssuer(issuer),
    )
    .map(contactUrl);
  return urls.length === 0
    ? { urls, problem: noContactReason(parts, { named: issuer !== undefined }) }
    : { urls: [...new Set(urls)] };
};

export const issuerUrls = requestFeature<unknown, IssuerUrls>(
  issuerUrlsRequest,
  { urls: [], problem: problems.failed },
  (params, { workspace }) =>
    issuerUrlsOf(workspace, stringMemberOf(params, 'uri') ?? '', stringMemberOf(params, 'issuer')),
);
