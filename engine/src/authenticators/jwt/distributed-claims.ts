/**
 * Distributed claims (OpenID Connect Core 5.6.2): the token names an endpoint, which returns a
 * signed token with the claim. Only groups that are mapped from a claim can be distributed, and
 * only if the token lacks that claim. The issuer of the returned token is discovered when the first
 * such token arrives, so that token is rejected.
 */

import { FairPlaces } from '../../fairness/fair-places.ts';
import { waitInPlace } from '../../fairness/wait-in-place.ts';
import { flowOf, type Waiter } from '../../fairness/waiter.ts';
import { decodeGoBase64 } from '../../formats/base64.ts';
import { foldName, goFieldTypeError, goTypeError } from '../../formats/go-json.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject } from '../../formats/go-struct/decode.ts';
import { mapField, stringField } from '../../formats/go-struct/fields.ts';
import { map, string, struct } from '../../formats/go-struct/shape.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from '../../formats/json-with-shape.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import type { Rejection } from '../../model/decision.ts';
import { maxClaimFetches, maxClaimIssuers } from '../../model/limits.ts';
import { rejectionOf } from '../../model/rejection.ts';
import {
  looksLikeJson,
  type PeekedToken,
  payloadBytes,
  peekToken,
  splitToken,
} from '../../signed-token/parse.ts';
import type { TokenPayload } from '../../signed-token/payload.ts';
import { getFromIssuer, type IssuerRequestOptions } from './issuer-keys.ts';
import { distributedClaims, tooManyFetches } from './rejections.ts';

export interface ClaimSourcesOptions extends IssuerRequestOptions {
  /** The claim of the groups mapping. */
  readonly claim: string;
  /** Rejects endpoints that are not `https`. */
  readonly httpsOnly: boolean;
  /** Returns a verifier for the issuer, starting one if needed. */
  readonly startVerifier: (issuer: string) => ClaimVerifier;
}

export interface ClaimVerifier {
  /**
   * Verifies a token; returns `undefined` for a valid one, `not-ready` before the issuer is
   * discovered, otherwise the rejection.
   */
  verify(
    token: PeekedToken,
    waiter: Waiter,
  ): 'not-ready' | Rejection | undefined | Promise<Rejection | undefined>;
  close(): void;
}

export interface ClaimSources {
  /** Returns true if a distributed claim has to be fetched for this token. */
  isNeeded(payload: TokenPayload): boolean;
  /** Fetches the claim. */
  resolve(token: PeekedToken, waiter: Waiter): Promise<ClaimSourceOutcome>;
  close(): void;
}

export type ClaimSourceOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'nothing' }
  /** The rejection is worded to follow `oidc: could not expand distributed claims: `. */
  | { readonly kind: 'failed'; readonly rejection: Rejection };

/** Creates the sources of one authenticator. */
export const claimSources = (options: ClaimSourcesOptions): ClaimSources => {
  const verifiers = new Map<string, ClaimVerifier>();
  const fetches = new FairPlaces(maxClaimFetches);
  const verifierOf = (issuer: string): ClaimVerifier => {
    const cached = verifiers.get(issuer);
    if (cached !== undefined) {
      verifiers.delete(issuer);
      verifiers.set(issuer, cached);
      return cached;
    }
    const created = options.startVerifier(issuer);
    verifiers.set(issuer, created);
    const [oldest] = verifiers;
    if (verifiers.size > maxClaimIssuers && oldest !== undefined) {
      verifiers.delete(oldest[0]);
      oldest[1].close();
    }
    return created;
  };
  return {
    isNeeded: ({ claims }) =>
      ownMember(claims, options.claim) === undefined &&
      ownMember(claims, '_claim_names') !== undefined,
    async resolve(token, waiter) {
      const source = findSource(token, options.claim);
      if (source.kind !== 'endpoint') return source;
      const outcome = await waitInPlace(fetches, waiter, (signal) =>
        fetchClaim(source, { options, verifierOf, waiter: { signal, flow: flowOf(waiter) } }),
      );
      switch (outcome.kind) {
        case 'done':
          return outcome.value;
        case 'left':
          return failed('context canceled');
        case 'refused':
          return { kind: 'failed', rejection: rejectionOf(tooManyFetches) };
      }
    },
    close() {
      for (const verifier of verifiers.values()) verifier.close();
    },
  };
};

interface Endpoint {
  readonly kind: 'endpoint';
  readonly url: string;
  readonly accessToken: string;
}

type Source = Endpoint | Exclude<ClaimSourceOutcome, { kind: 'value' }>;

const failed = (problem: string) =>
  ({ kind: 'failed', rejection: rejectionOf(distributedClaims, problem) }) as const;

const findSource = ({ parts, payload }: PeekedToken, claim: string): Source => {
  const { claims } = payload;
  const tree = parseJsonWithPositions(payloadBytes(parts));
  const members =
    tree.kind !== 'error' && tree.root.kind === 'object' ? tree.root.members : undefined;
  const nodeOf = (wanted: string) => members?.findLast(({ name }) => name === wanted)?.value;
  const names = ownMember(claims, '_claim_names');
  if (names !== null && !isJsonObject(names)) {
    const kind = nodeOf('_claim_names')?.kind ?? 'object';
    return failed(
      `oidc: error parsing distributed claim names: ${goTypeError(kind, 'map[string]string')}`,
    );
  }
  if (members === undefined) return { kind: 'nothing' };
  const sources = nodeOf('_claim_sources');
  if (sources === undefined) return failed('oidc: no claim sources');
  const endpoints = decodeObject(sources, endpointsShape, 'encoding/json');
  if (endpoints.kind === 'error') {
    return failed(`oidc: could not parse claim sources: ${endpoints.message}`);
  }
  const source = names === null ? undefined : sourceOf(names, claim);
  if (source === undefined) return { kind: 'nothing' };
  if (!endpoints.fields.has(source)) {
    return failed(`id token _claim_names contained a source ${source} missing in _claims_sources`);
  }
  const endpoint = mapField(endpoints.fields, source);
  const url = stringField(endpoint, 'endpoint');
  return url === ''
    ? { kind: 'nothing' }
    : { kind: 'endpoint', url, accessToken: stringField(endpoint, 'access_token') };
};

const sourceOf = (names: JsonObject, claim: string): string | undefined => {
  const source = ownMember(names, claim);
  return source === undefined ? undefined : typeof source === 'string' ? source : '';
};

const endpointsShape = map(
  'map[string]oidc.endpoint',
  struct('oidc.endpoint', ['endpoint', string], ['access_token', string], ['JWT', string]),
);

interface FetchContext {
  readonly options: ClaimSourcesOptions;
  readonly verifierOf: (issuer: string) => ClaimVerifier;
  readonly waiter: Waiter;
}

const fetchClaim = async (
  endpoint: Endpoint,
  { options, verifierOf, waiter }: FetchContext,
): Promise<ClaimSourceOutcome> => {
  const { claim } = options;
  const response = await getToken(endpoint, options, waiter.signal);
  if (response.error !== undefined) {
    return failed(`while getting distributed claim ${goQuote(claim)}: ${response.error}`);
  }
  const peeked = peekToken(response.text);
  if (peeked === undefined) {
    return failed(
      `getting untrusted issuer from endpoint ${endpoint.url} failed for claim ${goQuote(claim)}: ${peekError(response.text)}`,
    );
  }
  const { issuer } = peeked.payload;
  const problem = await verifierOf(issuer).verify(peeked, waiter);
  if (problem === 'not-ready') {
    return failed(
      `verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${goQuote(issuer)}`,
    );
  }
  if (problem !== undefined) return failed(`verify distributed claim token: ${problem.message}`);
  const value = ownMember(peeked.payload.claims, claim);
  return value === undefined
    ? failed(
        `jwt returned by distributed claim endpoint ${goQuote(endpoint.url)} did not contain claim: ${claim}`,
      )
    : { kind: 'value', value };
};

type TokenResponse =
  | { readonly text: string; readonly error?: undefined }
  | { readonly text?: undefined; readonly error: string };

const getToken = async (
  { url, accessToken }: Endpoint,
  options: ClaimSourcesOptions,
  signal: AbortSignal,
): Promise<TokenResponse> => {
  const parsed = parseGoUrl(url);
  if (parsed.kind === 'error') return { error: `while calling ${url}: ${parsed.message}` };
  if (options.httpsOnly && parsed.scheme !== 'https') {
    return { error: `Get ${goQuote(url)}: refused: the endpoint is not https` };
  }
  const headers =
    accessToken === '' ? undefined : new Map([['authorization', `Bearer ${accessToken}`]]);
  const purpose = 'distributed claim';
  const response = await getFromIssuer({ url, purpose, headers, signal }, options);
  if (typeof response === 'string') return { error: `Get ${goQuote(url)}: ${response}` };
  if (response.status < 200 || response.status > 226) {
    return { error: `error while getting distributed claim JWT: ${response.statusText}` };
  }
  return { text: decodeUtf8Loosely(response.body) };
};

/** Returns kube-apiserver's error for a string that is not a token with a readable issuer. */
const peekError = (text: string): string => {
  if (looksLikeJson(text)) return 'token is not compact JWT';
  const parts = splitToken(text);
  if (parts === undefined) return 'malformed token';
  const payload = decodeGoBase64(parts.payload, { alphabet: 'url', padding: 'none' });
  if (payload.kind === 'error') return `error decoding token: ${payload.error}`;
  const tree = parseJsonWithPositions(payload.bytes);
  if (tree.kind === 'error') return `while unmarshaling token: ${tree.error}`;
  const { root } = tree;
  if (root.kind !== 'object') {
    const type = 'struct { Issuer string "json:\\"iss\\"" }';
    return `while unmarshaling token: ${goTypeError(root.kind, type)}`;
  }
  const mistyped = root.members.find(
    ({ name, value }) =>
      foldName(name) === 'iss' && value.kind !== 'string' && value.kind !== 'null',
  );
  return `while unmarshaling token: ${goFieldTypeError(mistyped?.value.kind ?? 'object', '.iss', 'string')}`;
};
