/**
 * Sends a TokenReview to the webhook and retries if that may help. There are two loops, as in
 * kube-apiserver: a 429 or 5xx response with `Retry-After` is retried after that time; a temporary
 * failure (429, 5xx except 503, a reset connection) is retried a few times with increasing delays.
 */
import type { Concurrency } from '../../fairness/concurrency.ts';
import { flowOf, type Waiter } from '../../fairness/waiter.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxIssuerBodyBytes } from '../../model/limits.ts';
import type { HttpPeer, HttpResponse } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import type { WebhookTokenMaterial } from './compile.ts';
import type { WebhookTokenNode } from './node.ts';
import { type ReviewFailure, retryAfterOf } from './review-failure.ts';
import { reviewBody, reviewHeaders } from './review-request.ts';
import { type ReviewResponse, readReviewResponse } from './review-response.ts';

export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  /** The fraction of the delay that is added at random, at most. */
  readonly jitter: number;
  readonly tries: number;
}

export const webhookBackoff: Backoff = { firstMs: 500, factor: 1.5, jitter: 0.2, tries: 5 };

export interface WebhookContext {
  readonly node: WebhookTokenNode;
  readonly material: WebhookTokenMaterial;
  readonly peer: HttpPeer;
  readonly ports: Pick<Ports, 'clock' | 'randomness'>;
  readonly mode: Mode;
  readonly backoff: Backoff;
  /** Limits concurrent requests to the webhook, fairly among clients. */
  readonly requests: Concurrency;
}

export interface ReviewQuery {
  readonly token: string;
  readonly audiences: readonly string[];
  /** Aborting its signal ends requests and delays. */
  readonly waiter: Waiter;
}

/** Timeout of one request, including the response. */
export const webhookRequestMs = 30_000;
/** How long slow requests of one client may delay those of a client with fewer. */
export const displaceAfterMs = 250;
const maxRetryAfterWaits = 10;
/** Large enough for every response that exact mode has to read. */
const maxExactResponseBytes = 64 * 1024 * 1024;

/** Calls the webhook; returns the last failure if every attempt failed. */
export const callWebhook = async (
  context: WebhookContext,
  query: ReviewQuery,
): Promise<ReviewResponse> => {
  const { backoff, ports, node } = context;
  const body = reviewBody(node, query.token, query.audiences);
  let pauseMs = backoff.firstMs;
  for (let tries = 1; ; tries += 1) {
    // Attempts are sequential: each one retries the failure of the previous one.
    const reviewResponse = await callOnce(context, { ...query, body });
    if (reviewResponse.kind === 'review' || !reviewResponse.isRetryable || tries >= backoff.tries)
      return reviewResponse;
    const jitterMs = pauseMs * backoff.jitter * ports.randomness.fraction();
    if (!(await pause(ports, pauseMs + jitterMs, query.waiter.signal))) return reviewResponse;
    pauseMs *= backoff.factor;
  }
};

interface SentQuery extends ReviewQuery {
  readonly body: string;
}

const callOnce = async (context: WebhookContext, sent: SentQuery): Promise<ReviewResponse> => {
  const { node, mode, ports } = context;
  const endsAt = ports.clock.monotonic() + webhookRequestMs;
  for (let retries = 0; ; retries += 1) {
    let response: HttpResponse | undefined;
    try {
      response = await sendInTurn(context, sent, endsAt);
    } catch (cause) {
      return failureOf(cause, node.url, sent.waiter.signal);
    }
    if (response === undefined) return overload;
    const waitSeconds = retries < maxRetryAfterWaits ? retryTimeOf(response) : undefined;
    if (waitSeconds === undefined) return readReviewResponse(response, node, mode);
    const leftMs = endsAt - ports.clock.monotonic();
    const waitMs = Math.max(waitSeconds * 1000, 0);
    if (waitMs >= leftMs || !(await pause(ports, waitMs, sent.waiter.signal))) {
      return readReviewResponse(response, node, mode);
    }
  }
};

const overload: ReviewFailure = {
  kind: 'failure',
  message: 'too many requests are waiting',
  isRetryable: false,
  overloaded: true,
};

/**
 * Sends the request once a seat is free; returns `undefined` if it gets none or loses it to a
 * client with fewer requests.
 */
const sendInTurn = async (
  context: WebhookContext,
  sent: SentQuery,
  endsAt: number,
): Promise<HttpResponse | undefined> => {
  const { waiter } = sent;
  const { signal } = waiter;
  const displaced = new AbortController();
  const seat = await context.requests.acquire({
    flow: flowOf(waiter),
    isMutating: false,
    incoming: { isCanceled: signal.aborted, signal },
    onDisplaced: () => displaced.abort(),
  });
  try {
    signal.throwIfAborted();
    if (seat === undefined) return undefined;
    return await send(context, sent, {
      endsAt,
      signal: AbortSignal.any([signal, displaced.signal]),
    });
  } catch (cause) {
    if (displaced.signal.aborted) return undefined;
    throw cause;
  } finally {
    seat?.release();
  }
};

const send = (
  { peer, material, mode, ports }: WebhookContext,
  { body }: SentQuery,
  { endsAt, signal }: { readonly endsAt: number; readonly signal: AbortSignal },
): Promise<HttpResponse> =>
  peer.send({
    method: 'POST',
    path: material.path,
    headers: reviewHeaders,
    body,
    timeoutMs: Math.max(1, Math.ceil(endsAt - ports.clock.monotonic())),
    maxBytes: differs(mode, 'bounded-bodies') ? maxIssuerBodyBytes : maxExactResponseBytes,
    signal,
  });

const retryTimeOf = (response: HttpResponse): number | undefined =>
  response.status === 429 || response.status >= 500 ? retryAfterOf(response) : undefined;

/** Waits; returns false if the signal was aborted. */
const pause = (
  { clock }: Pick<Ports, 'clock'>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> => {
  if (signal.aborted) return Promise.resolve(false);
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = () => {
      cancelTimer();
      resolve(false);
    };
    const cancelTimer = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', end);
      resolve(true);
    });
    signal.addEventListener('abort', end, { once: true });
  });
};

const readingFailed = 'unable to read response body: ';

const failureOf = (cause: unknown, url: string, signal: AbortSignal): ReviewFailure => {
  const reason = cause instanceof Error ? cause.message : 'unknown error';
  const mayPass = reason.endsWith('connection reset by peer') && !signal.aborted;
  if (signal.aborted) {
    return failure(`Post ${goQuote(url)}: ${interruption(signal)}`, { mayPass });
  }
  return reason.startsWith(readingFailed)
    ? failure(
        `unexpected error when reading response body. Please retry. Original error: ${reason.slice(readingFailed.length)}`,
        { mayPass },
      )
    : failure(`Post ${goQuote(url)}: ${reason}`, { mayPass });
};

const failure = (message: string, { mayPass }: { readonly mayPass: boolean }): ReviewFailure => ({
  kind: 'failure',
  message,
  isRetryable: mayPass,
});

/** The message for a request whose callers have all left. */
export const canceled = 'context canceled';

/**
 * Returns the message for an aborted request. kube-apiserver distinguishes a deadline from a caller
 * that has left.
 */
export const interruption = ({ reason }: AbortSignal): string =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'context deadline exceeded'
    : canceled;
