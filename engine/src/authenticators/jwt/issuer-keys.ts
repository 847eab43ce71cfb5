/**
 * The keys of one issuer. They are fetched for the first token, cached as long as the response
 * headers say, and fetched again if no key matches a token and the cache expires within thirty
 * seconds. Cached keys stay valid while the issuer is down, and an invalid response changes
 * nothing. There is one fetch at a time, and a limited number of tokens wait for it. A fetch that
 * returned no matching key delays the next one, unless `per-token` is set.
 */
import { FairPlaces } from '../../fairness/fair-places.ts';
import { waitInPlace } from '../../fairness/wait-in-place.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import { cacheLifetimeMs } from '../../formats/cache-lifetime.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { issuerTimeoutMs, keyRefetchIntervalMs, maxKeyWaiters } from '../../model/limits.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { HttpRequest, HttpResponse } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  frameJsonError,
  type KeySetOptions,
  readKeySet,
  type VerificationKey,
} from '../../signed-token/key-set.ts';
import type { ParsedToken } from '../../signed-token/parse.ts';
import { isSignedByAnyKey, type SignatureVerification } from '../../signed-token/verify.ts';
import { keysNotAvailable, signatureInvalid, tooManyWaiting } from './rejections.ts';

/**
 * When keys are fetched again: `per-token` as in kube-apiserver; `throttled` at most once in ten
 * seconds after a fetch that returned no matching key.
 */
export type KeyRefetch = 'per-token' | 'throttled';

export interface IssuerRequestOptions {
  readonly certificateAuthority: string | undefined;
  readonly maxBodyBytes: number;
  readonly ports: Pick<Ports, 'http'>;
}

export interface IssuerKeysOptions extends IssuerRequestOptions {
  readonly jwksUrl: string;
  /** Rejects a key set URL that is not `https`. */
  readonly httpsOnly: boolean;
  readonly refetch: KeyRefetch;
  readonly keySet: KeySetOptions;
  readonly ports: Pick<Ports, 'clock' | 'http'>;
  /** Called after each fetch. */
  readonly onFetch?: (outcome: FetchOutcome) => void;
  /** The key set of an earlier run. It counts as expired, but is used until the issuer responds. */
  readonly storedKeys?: string | undefined;
}

export type FetchOutcome =
  | { readonly kind: 'fetched'; readonly body: string }
  | { readonly kind: 'failed'; readonly error: string };

export interface IssuerKeys {
  /** Checks the signature with the cached keys, or after fetching them again. */
  check(token: ParsedToken, waiter: Waiter): MaybePromise<SignatureVerification>;
  /** Returns true once keys have been fetched or loaded. */
  hasKeys(): boolean;
  close(): void;
}

/** How long before their expiry keys may be fetched again. */
const expiryMarginMs = 30_000;

interface FetchResult {
  readonly keys: readonly VerificationKey[];
  readonly error?: string;
}

/** Creates the keys of one URL. Nothing is fetched before the first token. */
export const issuerKeys = (options: IssuerKeysOptions): IssuerKeys => {
  const { clock } = options.ports;
  const closing = new AbortController();
  let keys: readonly VerificationKey[] = [];
  /**
   * Measured with the monotonic clock, so that a change of the wall clock neither extends nor ends
   * the lifetime of the keys.
   */
  let expiresAt = Number.NEGATIVE_INFINITY;
  let lastMissAt = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<FetchResult> | undefined;
  const places = new FairPlaces(maxKeyWaiters);
  let storedText = options.storedKeys;

  const useStored = async (text: string): Promise<void> => {
    const reading = await readKeySet(new TextEncoder().encode(text), options.keySet);
    if (reading.kind === 'keys' && keys.length === 0) keys = reading.keys;
  };

  const fetchKeys = async (): Promise<FetchResult> => {
    const answer = await fetchKeySet(options, closing.signal);
    if (answer.kind === 'failed') {
      options.onFetch?.(answer);
      return { keys: [], error: answer.error };
    }
    keys = answer.keys;
    expiresAt = clock.monotonic() + answer.lifetimeMs;
    options.onFetch?.({ kind: 'fetched', body: answer.body });
    return { keys };
  };

  const sharedFetch = (): Promise<FetchResult> => {
    inFlight ??= fetchKeys().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };

  const canFetch = (): boolean => {
    const now = clock.monotonic();
    if (now + expiryMarginMs <= expiresAt) return false;
    return (
      options.refetch === 'per-token' ||
      inFlight !== undefined ||
      now - lastMissAt >= keyRefetchIntervalMs
    );
  };

  const fetchAndCheck = async (
    token: ParsedToken,
    waiter: Waiter,
  ): Promise<SignatureVerification> => {
    // The fetch continues if the token's caller leaves, because all tokens of the issuer need the
    // keys.
    const outcome = await waitInPlace(places, waiter, sharedFetch);
    if (outcome.kind === 'left') return rejectionOf(keysNotAvailable, 'context canceled');
    if (outcome.kind === 'refused') return rejectionOf(tooManyWaiting);
    const fetched = outcome.value;
    const fits = fetched.error === undefined && (await isSignedByAnyKey(fetched.keys, token));
    if (!fits) lastMissAt = clock.monotonic();
    if (fetched.error !== undefined) return rejectionOf(keysNotAvailable, fetched.error);
    return fits ? undefined : rejectionOf(signatureInvalid);
  };

  const afterCached = (
    fits: boolean,
    token: ParsedToken,
    waiter: Waiter,
  ): MaybePromise<SignatureVerification> => {
    if (fits) return undefined;
    return canFetch() ? fetchAndCheck(token, waiter) : rejectionOf(signatureInvalid);
  };

  const checkNow = (token: ParsedToken, waiter: Waiter): MaybePromise<SignatureVerification> =>
    andThen(isSignedByAnyKey(keys, token), (fits) => afterCached(fits, token, waiter));

  return {
    check(token, waiter) {
      if (storedText === undefined) return checkNow(token, waiter);
      const text = storedText;
      storedText = undefined;
      return useStored(text).then(() => checkNow(token, waiter));
    },
    hasKeys: () => keys.length > 0,
    close() {
      closing.abort();
    },
  };
};

export type KeysResponse =
  | {
      readonly kind: 'fetched';
      readonly keys: readonly VerificationKey[];
      readonly lifetimeMs: number;
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly error: string; readonly problem: KeySetProblem };

/** What is wrong with the key set, or the error of its request without the URL. */
export type KeySetProblem = 'unreadable' | { readonly request: string };

/** Fetches the key set once. */
export const fetchKeySet = async (
  options: Omit<IssuerKeysOptions, 'refetch'>,
  signal: AbortSignal,
): Promise<KeysResponse> => {
  const { jwksUrl, ports } = options;
  const parsed = parseGoUrl(jwksUrl);
  if (parsed.kind === 'error') {
    const error = `oidc: can't create request: ${parsed.message}`;
    return failed(error, { request: error });
  }
  if (options.httpsOnly && parsed.scheme !== 'https') {
    return requestFailed(jwksUrl, 'refused: it is not https');
  }
  const response = await getFromIssuer({ url: jwksUrl, purpose: 'key set', signal }, options);
  if (typeof response === 'string') return requestFailed(jwksUrl, response);
  const body = decodeUtf8Loosely(response.body);
  if (response.status !== 200) {
    const request = `${response.statusText} ${body}`;
    return failed(`oidc: get keys failed: ${request}`, { request });
  }
  const reading = await readKeySet(response.body, options.keySet);
  if (reading.kind === 'error') {
    const error = frameJsonError(reading.error, response.headers.get('content-type'));
    return failed(`oidc: failed to decode keys: ${error} ${body}`, 'unreadable');
  }
  const lifetimeMs = cacheLifetimeMs(response.headers, ports.clock.now());
  return { kind: 'fetched', keys: reading.keys, lifetimeMs, body };
};

const requestFailed = (jwksUrl: string, request: string): KeysResponse =>
  failed(`oidc: get keys failed Get ${goQuote(jwksUrl)}: ${request}`, { request });

const failed = (error: string, problem: KeySetProblem): KeysResponse => ({
  kind: 'failed',
  error,
  problem,
});

/** Requests a document of an issuer; returns the error as text if there is no response. */
export const getFromIssuer = async (
  request: Pick<HttpRequest, 'url' | 'purpose' | 'headers'> & { readonly signal: AbortSignal },
  { certificateAuthority, maxBodyBytes, ports }: IssuerRequestOptions,
): Promise<HttpResponse | string> => {
  const limits = { timeoutMs: issuerTimeoutMs, maxBytes: maxBodyBytes };
  try {
    return await ports.http.get({ ...request, ...limits, certificateAuthority });
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
};
