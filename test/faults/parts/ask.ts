/** Sends one request over HTTPS. */
import { type HttpsRequest, sendHttps } from '../../support/https-request.ts';
import { type Answer, answerText, type Question } from './questions.ts';

export const reviewPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

export interface RequestOptions
  extends Pick<
    HttpsRequest,
    'port' | 'host' | 'agent' | 'certificate' | 'localAddress' | 'timeoutMs'
  > {}

/** Sends a request; rejects if the connection ends without a response. */
export const sendRequest = async (
  options: RequestOptions,
  { token, headers = [], path }: Pick<Question, 'token' | 'headers' | 'path'>,
  { method = path === undefined ? 'POST' : 'GET', body = path === undefined ? '{}' : '' } = {},
): Promise<Answer> => {
  const response = await sendHttps({
    ...options,
    path: path ?? reviewPath,
    method,
    ...(token === undefined ? {} : { token }),
    headers: headers.flat(),
    ...(method === 'GET' ? {} : { body }),
  });
  const retryAfter = response.headers.some((name) => name.toLowerCase() === 'retry-after');
  return { ...response, retryAfter };
};

/** Returns `ada [team]`, `401`, or `broken` without a response. */
export const identityOf = async (options: RequestOptions, token?: string): Promise<string> => {
  try {
    return answerText(await sendRequest(options, token === undefined ? {} : { token }));
  } catch {
    return 'broken';
  }
};

/**
 * Sends requests until the token is rejected. Returns when the last request that was still accepted
 * was sent, in milliseconds from now, so the load of the machine does not matter.
 */
export const lastAcceptedMs = async (
  options: RequestOptions,
  token: string | undefined,
): Promise<number> => {
  const since = performance.now();
  let lastMs = 0;
  for (;;) {
    const askedMs = performance.now() - since;
    const answer = await identityOf(options, token);
    if (answer === '401') return lastMs;
    if (answer !== 'broken') lastMs = askedMs;
    if (askedMs > maxWaitMs) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const maxWaitMs = 40_000;
