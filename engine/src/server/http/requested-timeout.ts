/** The `timeout` that a client may write into the query: asked for before anybody is known. */
import { parseGoDuration } from '../../formats/go-duration.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { requestLimits } from '../limits.ts';
import type { HandlerResponse } from './handler-response.ts';
import type { Exchange } from './exchange.ts';
import { queryValue } from './target.ts';

export type RequestedTimeout =
  | { readonly kind: 'within'; readonly milliseconds: number }
  | { readonly kind: 'problem'; readonly error: ApiError };

/**
 * `undefined` where the client waits as long as it takes: it says nothing, asks for more than anybody
 * gets, or for what lasts by its nature.
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

/** So short a time is over before anything is asked. */
const minTimeoutMs = 1;

/**
 * The answer, or `late` when the time is over before. What is at work then is not told, and stops
 * where `late` stops it; what has no time is not begun.
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

/** As the real server has it: an object that does not say what it is, as plain text. */
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

/** Whether the request lasts by its nature, as kube-apiserver's check for long-running requests says. */
export const isLongRunning = (info: Exchange['info']): boolean =>
  info.kind === 'resource' &&
  (longRunningVerbs.has(info.attributes.verb) ||
    longRunningSubresources.has(info.attributes.subresource ?? ''));
