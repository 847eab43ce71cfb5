/**
 * Asks the webhook about one token, again where another try may help. Two loops, as in the real server:
 * an answer 429 or 5xx with `Retry-After` is asked again at that time; what may pass (429, 500 and above
 * but 503, a reset connection) a few times with growing pauses.
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
import { type ReviewReply, readReply } from './review-reply.ts';
import { reviewBody, reviewHeaders } from './review-request.ts';

export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  /** Up to this part of a pause more, by chance. */
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
  /** Shares the requests to the webhook among clients. */
  readonly requests: Concurrency;
}

export interface ReviewQuery {
  readonly token: string;
  readonly audiences: readonly string[];
  /** Its signal ends everything, pauses included. */
  readonly waiter: Waiter;
}

/** One request, its answer read. */
export const webhookRequestMs = 30_000;
/** How long hanging requests of one client may keep those of a smaller client waiting. */
export const webhookPatienceMs = 250;
const maxRetryAfterWaits = 10;
/** Enough for any answer that exact mode is asked about. */
const maxExactReplyBytes = 64 * 1024 * 1024;

/** The last failure, when every try failed. */
export const callWebhook = async (
  context: WebhookContext,
  query: ReviewQuery,
): Promise<ReviewReply> => {
  const { backoff, ports, node } = context;
  const body = reviewBody(node, query.token, query.audiences);
  let pauseMs = backoff.firstMs;
  for (let tries = 1; ; tries += 1) {
    // One after the other: the next try is for the failure of the last.
    const reply = await callOnce(context, { ...query, body });
    if (reply.kind === 'review' || !reply.isRetryable || tries >= backoff.tries) return reply;
    const jitterMs = pauseMs * backoff.jitter * ports.randomness.fraction();
    if (!(await pause(ports, pauseMs + jitterMs, query.waiter.signal))) return reply;
    pauseMs *= backoff.factor;
  }
};

interface SentQuery extends ReviewQuery {
  readonly body: string;
}

const callOnce = async (context: WebhookContext, sent: SentQuery): Promise<ReviewReply> => {
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
    if (waitSeconds === undefined) return readReply(response, node, mode);
    const leftMs = endsAt - ports.clock.monotonic();
    const waitMs = Math.max(waitSeconds * 1000, 0);
    if (waitMs >= leftMs || !(await pause(ports, waitMs, sent.waiter.signal))) {
      return readReply(response, node, mode);
    }
  }
};

const overload: ReviewFailure = {
  kind: 'failure',
  message: 'too many requests are waiting',
  isRetryable: false,
  overloaded: true,
};

/** `undefined` where the request gets no turn, or loses it to a smaller client. */
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
    incoming: { isGivenUp: signal.aborted, signal },
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
    maxBytes: differs(mode, 'bounded-bodies') ? maxIssuerBodyBytes : maxExactReplyBytes,
    signal,
  });

const retryTimeOf = (response: HttpResponse): number | undefined =>
  response.status === 429 || response.status >= 500 ? retryAfterOf(response) : undefined;

/** False when the signal ended it. */
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

/** The message for an aborted request. kube-apiserver distinguishes a deadline from a caller that has left. */
export const interruption = ({ reason }: AbortSignal): string =>
  reason instanceof Error && reason.name === 'TimeoutError'
    ? 'context deadline exceeded'
    : canceled;
