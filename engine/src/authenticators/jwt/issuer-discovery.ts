/**
 * OpenID Connect Discovery. The discovery document is requested until a valid one is received, and
 * never again after that. Until then the issuer's tokens are rejected, and its readiness reports
 * why.
 */

import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject, type ObjectReading } from '../../formats/go-struct/decode.ts';
import { stringField } from '../../formats/go-struct/fields.ts';
import { string, stringList, struct } from '../../formats/go-struct/shape.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { discoveryRetryMs } from '../../model/limits.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import { frameJsonError } from '../../signed-token/key-set.ts';
import { getFromIssuer, type IssuerRequestOptions } from './issuer-keys.ts';

export interface DiscoveryOptions extends IssuerRequestOptions {
  readonly issuerUrl: string;
  readonly discoveryUrl: string | undefined;
  /**
   * If false, the document may lack `jwks_uri` and keys then cannot be fetched: for issuers of
   * distributed claims.
   */
  readonly needsJwksUrl: boolean;
  readonly ports: Pick<Ports, 'clock' | 'http' | 'randomness'>;
  readonly onDiscovered: (jwksUrl: string) => void;
  /** Called after each failed attempt. */
  readonly onFailure?: (error: string) => void;
}

export interface Discovery {
  /** Returns why there is no document yet; `undefined` once there is one. */
  error(): string | undefined;
  /** Settles after the first attempt, successful or not. */
  readonly firstAttempt: Promise<void>;
  close(): void;
}

/** Starts discovery immediately and retries every ten seconds. */
export const discoverIssuer = (options: DiscoveryOptions): Discovery => {
  const { clock, randomness } = options.ports;
  const closing = new AbortController();
  let error: string | undefined =
    `oidc: authenticator for issuer ${goQuote(options.issuerUrl)} is not initialized`;
  let cancelRetry: (() => void) | undefined;

  const attempt = async (): Promise<void> => {
    const outcome = await fetchDocument(options, closing.signal);
    if (closing.signal.aborted) return;
    if (outcome.kind === 'document') {
      error = undefined;
      options.onDiscovered(outcome.jwksUrl);
      return;
    }
    error = outcome.error;
    options.onFailure?.(outcome.error);
    // A random delay of up to one second keeps servers from requesting at the same time.
    const waitMs = discoveryRetryMs + randomness.fraction() * 1000;
    cancelRetry = clock.after(waitMs, () => void attempt());
  };

  const firstAttempt = attempt();
  return {
    error: () => error,
    firstAttempt,
    close() {
      closing.abort();
      cancelRetry?.();
    },
  };
};

export type DocumentOutcome =
  | { readonly kind: 'document'; readonly jwksUrl: string }
  | { readonly kind: 'failed'; readonly error: string; readonly problem: DocumentProblem };

/** What is wrong with the document, or the error of its request without the URL. */
export type DocumentProblem =
  | 'unreadable'
  | 'another issuer'
  | 'no JWKS URL'
  | { readonly request: string };

/** Returns the well-known URL of an issuer. One trailing slash is removed first. */
export const wellKnownUrl = (issuerUrl: string): string =>
  `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Requests the discovery document once. */
export const fetchDocument = async (
  options: Omit<DiscoveryOptions, 'ports' | 'onDiscovered' | 'onFailure'> & {
    readonly ports: Pick<Ports, 'http'>;
  },
  signal: AbortSignal,
): Promise<DocumentOutcome> => {
  const { issuerUrl, discoveryUrl } = options;
  const url = discoveryUrl ?? wellKnownUrl(issuerUrl);
  const parsed = parseGoUrl(url);
  if (parsed.kind === 'error') return failed(parsed.message, { request: parsed.message });
  const response = await getFromIssuer({ url, purpose: 'discovery document', signal }, options);
  if (typeof response === 'string')
    return failed(`Get ${goQuote(url)}: ${response}`, { request: response });
  if (response.status !== 200) {
    const error = `${response.statusText}: ${decodeUtf8Loosely(response.body)}`;
    return failed(error, { request: error });
  }
  return readDocument(response, options);
};

const readDocument = (
  response: HttpResponse,
  options: Pick<DiscoveryOptions, 'issuerUrl' | 'needsJwksUrl'>,
): DocumentOutcome => {
  const document = decodeDocument(response.body);
  if (document.kind === 'error') {
    const error = frameJsonError(document.message, response.headers.get('content-type'));
    return failed(`oidc: failed to decode provider discovery object: ${error}`, 'unreadable');
  }
  const issuer = stringField(document.fields, 'issuer');
  const jwksUrl = stringField(document.fields, 'jwks_uri');
  if (issuer !== options.issuerUrl) {
    return failed(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(options.issuerUrl)} got ${goQuote(issuer)}`,
      'another issuer',
    );
  }
  if (jwksUrl === '' && options.needsJwksUrl) {
    return failed('provider did not return JWKS URL', 'no JWKS URL');
  }
  return { kind: 'document', jwksUrl };
};

const providerShape = struct(
  'oidc.providerJSON',
  ['issuer', string],
  ['authorization_endpoint', string],
  ['token_endpoint', string],
  ['jwks_uri', string],
  ['userinfo_endpoint', string],
  ['id_token_signing_alg_values_supported', stringList],
);

const decodeDocument = (body: Uint8Array): ObjectReading => {
  const tree = parseJsonWithPositions(body);
  return tree.kind === 'error'
    ? { kind: 'error', message: tree.error }
    : decodeObject(tree.root, providerShape, 'encoding/json');
};

const failed = (error: string, problem: DocumentProblem): DocumentOutcome => ({
  kind: 'failed',
  error,
  problem,
});
