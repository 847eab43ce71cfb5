/** Which issuers the doctor would ask: clients show them before anybody is asked. */
import { longIssuer } from '@authgraph/engine/language';
import { textOf } from '../member-of.ts';
import { type IssuerUrls, issuerUrlsRequest } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { Feature } from './feature.ts';

/** Of configurations without errors: the others are not asked about. */
const issuerUrlsOf = (
  parts: readonly ConfigurationPart[],
  issuer: string | undefined,
): IssuerUrls => {
  if (parts.length === 0) return { urls: [], problem: 'the document is no configuration' };
  if (parts.some(({ compilation }) => compilation.graph === undefined)) {
    return { urls: [], problem: 'the configuration has errors: mend them first' };
  }
  const urls = parts.flatMap(({ compilation }) =>
    (compilation.graph?.nodes ?? [])
      .filter(({ issuerUrl }) => issuer === undefined || issuerUrl === longIssuer(issuer))
      .map(({ discoveryUrl, issuerUrl }) => discoveryUrl ?? issuerUrl),
  );
  return urls.length === 0
    ? {
        urls,
        problem:
          issuer === undefined
            ? 'the configuration has no issuer'
            : 'the configuration does not have this issuer',
      }
    : { urls: [...new Set(urls)] };
};

export const issuerUrls: Feature = {
  capabilities: {},
  register(connection, answering) {
    connection.onRequest(
      issuerUrlsRequest,
      answering.guarded<unknown, IssuerUrls>(
        (params) =>
          issuerUrlsOf(
            answering.workspace.parts(textOf(params, 'uri') ?? ''),
            textOf(params, 'issuer'),
          ),
        { urls: [], problem: 'the issuers could not be told' },
      ),
    );
  },
};
