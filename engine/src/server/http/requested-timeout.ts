/** The `timeout` parameter of the query. It is validated before authentication. */
import { parseGoDuration } from '../../formats/go-duration.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { requestLimits } from '../limits.ts';
import type { Exchange } from './exchange.ts';
import type { HandlerResponse } from './handler-response.ts';
import { queryValue } from './target.ts';

export type RequestedTimeout =
  | { readonly kind: 'within'; readonly milliseconds: number }
  | { readonly kind: 'problem'; readonly error: ApiError };

/**
 * `undefined` if there is no timeout shorter than the server's deadline, or the request is
 * long-running.
 */
export const requestedTimeout = ({
  target,
  info,
}: Pick<Exchange, 'target' | 'info'>): RequestedTimeout | undefined => {
  const requested = queryValue(target, 'timeout');
  if (requested === '' || isLongRunning(info)) return undefined;
  const reading = parseGoDuration(requested);
  if (reading.kind === 'error') {
    const message = `invalid timeout specified in the request URL - ${reading.message}`;
    return { kind: 'problem', error: badRequest(message) };
  }
  const { milliseconds } = reading;
  const isShort = milliseconds > 0 && milliseconds < requestLimits.deadlineMs;
  return isShort ? { kind: 'within', milliseconds } : undefined;
};

/** A shorter timeout expires before any work is begun. */
const minTimeoutMs = 1;

/**
 * Returns the result of the work, or the result of `onTimeout` if the timeout expires first. The
 * work is not canceled here: `onTimeout` does that. Work without any time is not begun.
 */
export const withTimeout = <T>(
  work: () => Promise<T>,
  {
    milliseconds,
    clock,
    onTimeout,
  }: {
    readonly milliseconds: number;
    readonly clock: Pick<Clock, 'after'>;
    readonly onTimeout: () => T;
  },
): Promise<T> =>
  milliseconds < minTimeoutMs
    ? Promise.resolve(onTimeout())
    : new Promise((resolve, reject) => {
        const cancel = clock.after(milliseconds, () => resolve(onTimeout()));
        work().then(resolve, reject).finally(cancel);
      });

/** kube-apiserver's response: an object without apiVersion and kind, sent as plain text. */
export const timeoutResponse: HandlerResponse = {
  status: 504,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
};

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'proxy',
  'log',
  'portforward',
]);

/** True for long-running requests, by kube-apiserver's `BasicLongRunningRequestCheck`. */
export const isLongRunning = (info: Exchange['info']): boolean =>
  info.kind === 'resource' &&
  (longRunningVerbs.has(info.attributes.verb) ||
    longRunningSubresources.has(info.attributes.subresource ?? ''));
