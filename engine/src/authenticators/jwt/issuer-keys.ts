/**
 * The keys of one issuer: fetched with the first token, kept as long as the answer's headers say, and
 * fetched again when a token fits none of them and less than thirty seconds of their life are left.
 * A key that still fits needs no fetch, so tokens go on working while the issuer is down; a broken
 * answer changes nothing. One fetch at a time, for which a bounded number of tokens wait; after one that did not help the next waits, unless
 * every token may ask (`per-token`).
 */
import { FairPlaces } from '../../fairness/fair-places.ts';
import { waitInPlace } from '../../fairness/wait-in-place.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import { cacheLifetimeMs } from '../../formats/cache-lifetime.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { keyRefetchIntervalMs, issuerTimeoutMs, maxKeyWaiters } from '../../model/limits.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  frameJsonError,
  type KeySetOptions,
  readKeySet,
  type VerificationKey,
} from '../../signed-token/key-set.ts';
import type { ParsedToken } from '../../signed-token/parse.ts';
import { isSignedByAnyKey, type SignatureCheckResult } from '../../signed-token/verify.ts';

/** `per-token`: as the real server; `throttled`: at most one fruitless fetch in ten seconds. */
export type KeyRefetch = 'per-token' | 'throttled';

export interface IssuerKeysOptions {
  readonly jwksUrl: string;
  readonly certificateAuthority: string | undefined;
  readonly maxBodyBytes: number;
  /** Refuse a key set that is not served over `https`. */
  readonly httpsOnly: boolean;
  readonly refetch: KeyRefetch;
  readonly keySet: KeySetOptions;
  readonly ports: Pick<Ports, 'clock' | 'http'>;
  /** Told about every fetch. */
  readonly onFetch?: (outcome: FetchOutcome) => void;
  /** Keys of an earlier run; expired, but used until the issuer answers. */
  readonly storedKeys?: string;
}

export type FetchOutcome =
  | { readonly kind: 'fetched'; readonly body: string }
  | { readonly kind: 'failed'; readonly error: string };

export interface IssuerKeys {
  /** `true`, or the words after `failed to verify signature: `. */
  check(token: ParsedToken, waiter: Waiter): SignatureCheckResult | Promise<SignatureCheckResult>;
  /** Whether there was a token before, for which they were read. */
  hasKeys(): boolean;
  close(): void;
}

/** No key fits. */
export const noMatchingKey = 'failed to verify id token signature';

/** The result for a token when too many others wait for the keys. */
const tooManyWaiters = `fetching keys refused: more than ${maxKeyWaiters} tokens are waiting for the keys of the issuer`;

/** Keys are fetched again so long before they expire. */
const expiryMarginMs = 30_000;

interface FetchResult {
  readonly keys: readonly VerificationKey[];
  readonly error?: string;
}

/** Keys at one URL. Nothing is fetched before the first token. */
export const issuerKeys = (options: IssuerKeysOptions): IssuerKeys => {
  const { clock } = options.ports;
  const closing = new AbortController();
  let keys: readonly VerificationKey[] = [];
  /** On the monotonic clock: a jump of the wall clock neither keeps nor drops keys. */
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
  ): Promise<SignatureCheckResult> => {
    // The fetch goes on when a token leaves: all tokens of the issuer need the keys.
    const outcome = await waitInPlace(places, waiter, sharedFetch);
    if (outcome.kind === 'left') return 'fetching keys context canceled';
    if (outcome.kind === 'refused') return tooManyWaiters;
    const fetched = outcome.value;
    const fits = fetched.error === undefined && (await isSignedByAnyKey(fetched.keys, token));
    if (!fits) lastMissAt = clock.monotonic();
    if (fetched.error !== undefined) return `fetching keys ${fetched.error}`;
    return fits || noMatchingKey;
  };

  const afterCached = (
    fits: boolean,
    token: ParsedToken,
    waiter: Waiter,
  ): SignatureCheckResult | Promise<SignatureCheckResult> => {
    if (fits) return true;
    return canFetch() ? fetchAndCheck(token, waiter) : noMatchingKey;
  };

  const checkNow = (
    token: ParsedToken,
    waiter: Waiter,
  ): SignatureCheckResult | Promise<SignatureCheckResult> => {
    const fits = isSignedByAnyKey(keys, token);
    return fits instanceof Promise
      ? fits.then((settled) => afterCached(settled, token, waiter))
      : afterCached(fits, token, waiter);
  };

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
  | { readonly kind: 'failed'; readonly error: string };

/** One fetch of the key set. */
export const fetchKeySet = async (
  options: Omit<IssuerKeysOptions, 'refetch'>,
  signal: AbortSignal,
): Promise<KeysResponse> => {
  const { jwksUrl, certificateAuthority, ports } = options;
  const parsed = parseGoUrl(jwksUrl);
  if (parsed.kind === 'error') return failed(`oidc: can't create request: ${parsed.message}`);
  if (options.httpsOnly && parsed.scheme !== 'https') {
    return failed(`oidc: get keys failed Get ${goQuote(jwksUrl)}: refused: it is not https`);
  }
  let response: HttpResponse;
  try {
    response = await ports.http.get({
      url: jwksUrl,
      timeoutMs: issuerTimeoutMs,
      maxBytes: options.maxBodyBytes,
      signal,
      ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    });
  } catch (cause) {
    return failed(`oidc: get keys failed Get ${goQuote(jwksUrl)}: ${errorMessage(cause)}`);
  }
  const body = decodeUtf8Loosely(response.body);
  if (response.status !== 200)
    return failed(`oidc: get keys failed: ${response.statusText} ${body}`);
  const reading = await readKeySet(response.body, options.keySet);
  if (reading.kind === 'error') {
    const error = frameJsonError(reading.error, response.headers.get('content-type'));
    return failed(`oidc: failed to decode keys: ${error} ${body}`);
  }
  const lifetimeMs = cacheLifetimeMs(response.headers, ports.clock.now());
  return { kind: 'fetched', keys: reading.keys, lifetimeMs, body };
};

const failed = (error: string): KeysResponse => ({ kind: 'failed', error });

/** What an `Error` of the HTTP port says. */
export const errorMessage = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
