/** Sends one request over HTTPS. */
import { type Agent, request } from 'node:https';
import { type Answer, answerText, type Question } from './questions.ts';

export const reviewPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

export interface RequestOptions {
  readonly port: number;
  readonly host?: string;
  readonly agent?: Agent;
  readonly cert?: string;
  readonly key?: string;
  readonly localAddress?: string;
  readonly timeoutMs?: number;
}

/** Sends a request; rejects if the connection ends without a response. */
export const sendRequest = (
  { port, host = '127.0.0.1', agent, cert, key, localAddress, timeoutMs = 60_000 }: RequestOptions,
  { token, headers = [], path }: Pick<Question, 'token' | 'headers' | 'path'>,
  { method = path === undefined ? 'POST' : 'GET', body = path === undefined ? '{}' : '' } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const fields = new Map<string, string>(headers);
    if (token !== undefined) fields.set('authorization', `Bearer ${token}`);
    if (method !== 'GET' && !fields.has('content-type'))
      fields.set('content-type', 'application/json');
    const outgoing = request(
      {
        host,
        port,
        method,
        path: path ?? reviewPath,
        agent: agent ?? false,
        rejectUnauthorized: false,
        timeout: timeoutMs,
        headers: Object.fromEntries(fields),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(localAddress === undefined ? {} : { localAddress }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: text,
            retryAfter: response.headers['retry-after'] !== undefined,
          }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });

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
