/** Which issuers the doctor would ask: clients show them before anybody is asked. */
import { longIssuer } from '@authgraph/engine/language';
import { textOf } from '../member-of.ts';
import { type IssuerUrls, issuerUrlsRequest } from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { askedParts } from './requested-parts.ts';

/** Of configurations without errors: the others are not asked about. */
const issuerUrlsOf = async (
  workspace: Workspace,
  uri: string,
  issuer: string | undefined,
): Promise<IssuerUrls> => {
  const { parts, problem: lack } = await askedParts(workspace, uri);
  if (lack !== undefined) return { urls: [], problem: lack };
  if (parts.some(({ compilation }) => compilation.graph === undefined)) {
    return { urls: [], problem: problems.hasErrors };
  }
  const urls = parts.flatMap(({ compilation }) =>
    (compilation.graph?.nodes ?? [])
      .filter(({ issuerUrl }) => issuer === undefined || issuerUrl === longIssuer(issuer))
      .map(({ discoveryUrl, issuerUrl }) => discoveryUrl ?? issuerUrl),
  );
  return urls.length === 0
    ? {
        urls,
        problem: issuer === undefined ? problems.noIssuer : problems.otherIssuer,
      }
    : { urls: [...new Set(urls)] };
};

export const issuerUrls: Feature = {
  capabilities: {},
  register(connection, answering) {
    connection.onRequest(
      issuerUrlsRequest,
      answering.awaited<unknown, IssuerUrls>(
        (params) =>
          issuerUrlsOf(answering.workspace, textOf(params, 'uri') ?? '', textOf(params, 'issuer')),
        { urls: [], problem: problems.failed },
      ),
    );
  },
};
