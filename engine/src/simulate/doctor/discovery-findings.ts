/**
 * Checks that the discovery document exists, names this issuer, and leads to keys that can verify
 * its tokens.
 */
import {
  type DocumentOutcome,
  fetchDocument,
  wellKnownUrl,
} from '../../authenticators/jwt/issuer-discovery.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type JsonNode, parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { maxIssuerBodyBytes } from '../../model/limits.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { connectionAdvice } from './connection-advice.ts';
import { type DoctorFinding, errorFinding, okFinding, warningFinding } from './finding.ts';
import type { WatchedWeb } from './watched-web.ts';

export interface DiscoveryReport {
  readonly findings: readonly DoctorFinding[];
  readonly jwksUrl: string | undefined;
}

export interface DiscoveryOptions {
  readonly web: WatchedWeb;
  readonly signal: AbortSignal;
  readonly hasUnusableAuthority: boolean;
}

export const examineDiscovery = async (
  node: JwtNode,
  { web, signal, hasUnusableAuthority }: DiscoveryOptions,
): Promise<DiscoveryReport> => {
  const { issuerUrl, discoveryUrl, certificateAuthority } = node;
  const outcome = await fetchDocument(
    {
      issuerUrl,
      discoveryUrl,
      certificateAuthority,
      maxBodyBytes: maxIssuerBodyBytes,
      needsJwksUrl: true,
      ports: { http: web },
    },
    signal,
  );
  const url = discoveryUrl ?? wellKnownUrl(issuerUrl);
  const { last } = web;
  if (outcome.kind === 'failed') {
    const failure = failureOf(outcome, url, hasUnusableAuthority);
    return { jwksUrl: undefined, findings: [failure, ...mismatchHint(node, last)] };
  }
  return {
    jwksUrl: outcome.jwksUrl,
    findings: [
      okFinding(`discovery document at ${url}, in ${Math.round(last?.milliseconds ?? 0)} ms`),
      okFinding(`its issuer is ${issuerUrl}`),
      ...slowness(last?.milliseconds ?? 0),
      ...algorithmFindings(node, last?.response),
    ],
  };
};

const failureOf = (
  { error, problem }: Extract<DocumentOutcome, { kind: 'failed' }>,
  url: string,
  hasUnusableAuthority: boolean,
): DoctorFinding => {
  if (problem === 'another issuer') {
    return errorFinding(
      `the discovery document is for another issuer: ${error}`,
      'Set issuer.url to exactly the issuer in the document, including case and trailing slash.',
    );
  }
  if (problem === 'unreadable') {
    return errorFinding(
      `the response of ${url} is not a discovery document: ${error}`,
      'It looks like a login or proxy page. Open the URL to check, and set discoveryURL to the correct one.',
    );
  }
  if (problem === 'no JWKS URL') {
    return errorFinding(
      'the discovery document has no jwks_uri',
      'Without it the keys cannot be fetched. Fix the document at the issuer.',
    );
  }
  return errorFinding(
    `no discovery document from ${url}: ${error}`,
    connectionAdvice(problem.request, hasUnusableAuthority),
  );
};

/** Returns a hint for the most common mismatch. */
const mismatchHint = (
  { issuerUrl }: JwtNode,
  last: WatchedWeb['last'],
): readonly DoctorFinding[] => {
  const named = textMember(documentOf(last?.response), 'issuer');
  if (named === undefined || named === issuerUrl) return [];
  const isSlash = named.replace(/\/$/, '') === issuerUrl.replace(/\/$/, '');
  return isSlash
    ? [
        warningFinding(
          `only the trailing slash differs: the issuer in the document is ${goQuote(named)}`,
          `Set issuer.url to ${named}`,
        ),
      ]
    : [];
};

const slowMs = 5000;

const slowness = (milliseconds: number): readonly DoctorFinding[] =>
  milliseconds < slowMs
    ? []
    : [
        warningFinding(
          `the response took ${(milliseconds / 1000).toFixed(1)} s`,
          'The API server times out after 30 seconds, and rejects tokens until it has the document.',
        ),
      ];

const algorithmFindings = (
  { signingAlgorithms }: JwtNode,
  response: HttpResponse | undefined,
): readonly DoctorFinding[] => {
  const listed = listMember(documentOf(response), 'id_token_signing_alg_values_supported');
  if (listed === undefined) return [];
  const usable = listed.filter((name) => signingAlgorithms.includes(name));
  if (usable.length > 0) return [okFinding(`it signs with ${usable.join(', ')}`)];
  return [
    errorFinding(
      `it signs with [${listed.join(', ')}], none of which kube-apiserver accepts`,
      `Configure the issuer to sign with one of ${signingAlgorithms.join(', ')}.`,
    ),
  ];
};

const documentOf = (response: HttpResponse | undefined): JsonNode | undefined => {
  if (response === undefined) return undefined;
  const tree = parseJsonWithPositions(response.body);
  return tree.kind === 'error' ? undefined : tree.root;
};

const memberOf = (root: JsonNode | undefined, name: string): JsonNode | undefined =>
  root?.kind === 'object'
    ? root.members.findLast((member) => member.name === name)?.value
    : undefined;

const textMember = (root: JsonNode | undefined, name: string): string | undefined => {
  const value = memberOf(root, name);
  return value?.kind === 'string' ? value.text : undefined;
};

const listMember = (root: JsonNode | undefined, name: string): readonly string[] | undefined => {
  const value = memberOf(root, name);
  return value?.kind === 'array'
    ? value.items.flatMap((item) => (item.kind === 'string' ? [item.text] : []))
    : undefined;
};
