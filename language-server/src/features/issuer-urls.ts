/**
 * `authgraph/issuerUrls`: the URLs that the doctor would contact, so that clients can show them
 * first.
 */
import { normalizeIssuer } from '@authgraph/engine/language';
import { stringMemberOf } from '../member-of.ts';
import { type IssuerUrls, issuerUrlsRequest } from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Workspace } from '../workspace.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';

/** Requires configurations without errors. */
const issuerUrlsOf = async (
  workspace: Workspace,
  uri: string,
  issuer: string | undefined,
): Promise<IssuerUrls> => {
  const { parts, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem !== undefined) return { urls: [], problem: partsProblem };
  if (parts.some(({ compilation }) => compilation.graph === undefined)) {
    return { urls: [], problem: problems.hasErrors };
  }
  const urls = parts.flatMap(({ compilation }) =>
    (compilation.graph?.nodes ?? [])
      .filter(({ issuerUrl }) => issuer === undefined || issuerUrl === normalizeIssuer(issuer))
      .map(({ discoveryUrl, issuerUrl }) => discoveryUrl ?? issuerUrl),
  );
  return urls.length === 0
    ? {
        urls,
        problem: issuer === undefined ? problems.noIssuer : problems.otherIssuer,
      }
    : { urls: [...new Set(urls)] };
};

export const issuerUrls = requestFeature<unknown, IssuerUrls>(
  issuerUrlsRequest,
  { urls: [], problem: problems.failed },
  (params, { workspace }) =>
    issuerUrlsOf(workspace, stringMemberOf(params, 'uri') ?? '', stringMemberOf(params, 'issuer')),
);
