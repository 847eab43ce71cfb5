/**
 * OpenID Connect Discovery. The discovery document is requested until a valid one is received, and
 * never again after that. Until then the issuer's tokens are rejected, and its readiness reports
 * why.
 */
import { foldName, goFieldTypeError, goTypeError } from '../../formats/go-json.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { type JsonNode, parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { discoveryRetryMs, issuerTimeoutMs } from '../../model/limits.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import { frameJsonError } from '../../signed-token/key-set.ts';
import { errorMessage } from './issuer-keys.ts';

export interface DiscoveryOptions {
  readonly issuerUrl: string;
  readonly discoveryUrl: string | undefined;
  readonly certificateAuthority: string | undefined;
  readonly maxBodyBytes: number;
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
  | { readonly kind: 'failed'; readonly error: string };

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
  const { issuerUrl, discoveryUrl, certificateAuthority, ports } = options;
  const url = discoveryUrl ?? wellKnownUrl(issuerUrl);
  const parsed = parseGoUrl(url);
  if (parsed.kind === 'error') return failed(parsed.message);
  let response: HttpResponse;
  try {
    response = await ports.http.get({
      url,
      timeoutMs: issuerTimeoutMs,
      maxBytes: options.maxBodyBytes,
      signal,
      ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    });
  } catch (cause) {
    return failed(`Get ${goQuote(url)}: ${errorMessage(cause)}`);
  }
  if (response.status !== 200) {
    return failed(`${response.statusText}: ${decodeUtf8Loosely(response.body)}`);
  }
  return readDocument(response, options);
};

const readDocument = (
  response: HttpResponse,
  options: Pick<DiscoveryOptions, 'issuerUrl' | 'needsJwksUrl'>,
): DocumentOutcome => {
  const document = decodeDocument(response.body);
  if (document.kind === 'error') {
    const error = frameJsonError(document.error, response.headers.get('content-type'));
    return failed(`oidc: failed to decode provider discovery object: ${error}`);
  }
  const { issuer, jwksUrl } = document;
  if (issuer !== options.issuerUrl) {
    return failed(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(options.issuerUrl)} got ${goQuote(issuer)}`,
    );
  }
  if (jwksUrl === '' && options.needsJwksUrl) return failed('provider did not return JWKS URL');
  return { kind: 'document', jwksUrl };
};

type Decoded =
  | { readonly kind: 'decoded'; readonly issuer: string; readonly jwksUrl: string }
  | { readonly kind: 'error'; readonly error: string };

const stringFields = new Set([
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
]);
const algorithmsField = 'id_token_signing_alg_values_supported';

const decodeDocument = (body: Uint8Array): Decoded => {
  const tree = parseJsonWithPositions(body);
  if (tree.kind === 'error') return tree;
  const { root } = tree;
  if (root.kind === 'null') return { kind: 'decoded', issuer: '', jwksUrl: '' };
  if (root.kind !== 'object') {
    return { kind: 'error', error: goTypeError(root.kind, 'oidc.providerJSON') };
  }
  const strings = new Map<string, string>();
  let error: string | undefined;
  for (const { name, value } of root.members) {
    const field = foldName(name);
    if (stringFields.has(field)) {
      if (value.kind === 'string') strings.set(field, value.text);
      else if (value.kind !== 'null') {
        error ??= goFieldTypeError(value.kind, `providerJSON.${field}`, 'string');
      }
    }
    if (field === algorithmsField) error ??= algorithmsProblem(value);
  }
  if (error !== undefined) return { kind: 'error', error };
  const jwksUrl = strings.get('jwks_uri') ?? '';
  return { kind: 'decoded', issuer: strings.get('issuer') ?? '', jwksUrl };
};

/** Checks the type of the list of algorithms, whose values are ignored. */
const algorithmsProblem = (value: JsonNode): string | undefined => {
  const field = `providerJSON.${algorithmsField}`;
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'array') return goFieldTypeError(value.kind, field, '[]string');
  const mistyped = value.items.find((item) => item.kind !== 'string' && item.kind !== 'null');
  return mistyped && goFieldTypeError(mistyped.kind, field, 'string');
};

const failed = (error: string): DocumentOutcome => ({ kind: 'failed', error });
