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
import { bad, type DoctorFinding, doubtful, well } from './finding.ts';
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
      well(`discovery document at ${url}, in ${Math.round(last?.milliseconds ?? 0)} ms`),
      well(`it names the issuer ${issuerUrl}`),
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
    return bad(
      `the discovery document names another issuer: ${error}`,
      'Write issuer.url exactly as the document spells its issuer; a slash at the end counts, and so does the case of letters.',
    );
  }
  if (problem === 'unreadable') {
    return bad(
      `what stands at ${url} is no discovery document: ${error}`,
      'A page for people, of a login or a proxy, stands there. Open the address, and give the right one as discoveryURL.',
    );
  }
  if (problem === 'no JWKS URL') {
    return bad(
      'the discovery document has no jwks_uri',
      'Without it there is no place to get keys from: fix the document at the issuer.',
    );
  }
  return bad(
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
        doubtful(
          `only the slash at the end differs: the document says ${goQuote(named)}`,
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
        doubtful(
          `it took ${(milliseconds / 1000).toFixed(1)} s`,
          'The API server gives up after 30 seconds, and refuses tokens until it has the document.',
        ),
      ];

const algorithmFindings = (
  { signingAlgorithms }: JwtNode,
  response: HttpResponse | undefined,
): readonly DoctorFinding[] => {
  const listed = listMember(documentOf(response), 'id_token_signing_alg_values_supported');
  if (listed === undefined) return [];
  const usable = listed.filter((name) => signingAlgorithms.includes(name));
  if (usable.length > 0) return [well(`it signs with ${usable.join(', ')}`)];
  return [
    bad(
      `it says that it signs with ${listed.join(', ') || 'nothing'}, of which the API server takes none`,
      `Let it sign with one of ${signingAlgorithms.join(', ')}.`,
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
