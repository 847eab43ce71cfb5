/**
 * GET over HTTPS towards issuers. Each certificate authority has connections of its own; time, size
 * (as sent and as unpacked), redirects and headers are bounded; nothing ever leaves over plain HTTP.
 */
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HttpClient, HttpRequest, HttpResponse } from '../ports/http-client.ts';
import { type AgentPool, agentPool, type HttpClientOptions } from './http-agents.ts';
import { exchangeFailure, failureOfReading, type Place } from './http-failures.ts';

export interface NodeHttpClient extends HttpClient {
  /** Ends all connections; a request under way fails. */
  close(): Promise<void>;
}

const maxRedirects = 3;

/** HTTPS with the system's roots, or those of the request. */
export const nodeHttpClient = (options: HttpClientOptions = {}): NodeHttpClient => {
  const agents = agentPool(options);
  return {
    get: (request) => get(request, agents),
    close: () => agents.close(),
  };
};

const get = async (request: HttpRequest, agents: AgentPool): Promise<HttpResponse> => {
  const signal = deadlineOf(request);
  let place: Place = { url: request.url, redirected: false };
  let headers = request.headers ?? new Map<string, string>();
  for (let redirects = 0; ; redirects += 1) {
    const target = parseUrl(place);
    const answer = await exchange(place, target, { ...request, headers, signal }, agents);
    const location = redirectOf(answer);
    if (location === undefined) return await readResponse(place, answer, request, signal);
    discard(answer);
    const next = resolveUrl(location, target, place);
    place = { url: next.href, redirected: true };
    if (redirects === maxRedirects) {
      throw exchangeFailure(place, `stopped after ${maxRedirects} redirects`);
    }
    // What was meant for one host is not for the next.
    if (next.host !== target.host) headers = withoutCredentials(headers);
  }
};

const deadlineOf = ({ timeoutMs, signal }: HttpRequest): AbortSignal => {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
};

const parseUrl = (place: Place): URL => {
  const url = URL.parse(place.url);
  if (url === null) throw exchangeFailure(place, 'invalid URL');
  if (url.protocol !== 'https:') {
    const scheme = JSON.stringify(url.protocol.slice(0, -1));
    throw exchangeFailure(place, `unsupported protocol scheme ${scheme}`);
  }
  return url;
};

const resolveUrl = (location: string, base: URL, place: Place): URL => {
  const url = URL.parse(location, base);
  if (url === null) throw exchangeFailure(place, 'failed to parse Location header: invalid URL');
  return url;
};

const exchange = async (
  place: Place,
  url: URL,
  {
    headers,
    signal,
    certificateAuthority,
  }: Required<Pick<HttpRequest, 'headers' | 'signal'>> & HttpRequest,
  agents: AgentPool,
): Promise<Dispatcher.ResponseData> => {
  try {
    const dispatcher = await agents.agentOf(url, certificateAuthority);
    return await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: ['user-agent', 'authgraph', 'accept-encoding', 'gzip', ...[...headers].flat()],
      signal,
    });
  } catch (cause) {
    throw exchangeFailure(place, cause);
  }
};

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A redirect without a place to go is an answer like any other. */
const redirectOf = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined => {
  const location = first(headers.location);
  return redirectStatuses.has(statusCode) && location !== '' ? location : undefined;
};

const withoutCredentials = (headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...headers].filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));

const readResponse = async (
  place: Place,
  answer: Dispatcher.ResponseData,
  { maxBytes }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  const headers = firstValues(answer.headers);
  const packed = headers.get('content-encoding')?.toLowerCase() === 'gzip';
  try {
    const sent = bounded(answer.body, maxBytes);
    const body = packed ? await unpack(sent, maxBytes) : await gather(sent);
    if (packed) for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return {
      status: answer.statusCode,
      statusText: statusTextOf(answer),
      headers,
      body,
    };
  } catch (cause) {
    discard(answer);
    throw failureOfReading(place, cause, signal);
  }
};

/** Ends the connection rather than reading what nobody wants; the stream calls that an error. */
const discard = ({ body }: Dispatcher.ResponseData): void => {
  body.on('error', () => {});
  body.destroy();
};

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`response body is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

const gather = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return new Uint8Array(Buffer.concat(pieces));
};

/** Unpacks piece by piece: a small text may unpack to any size. */
const unpack = async (chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> => {
  const source = Readable.from(chunks, { objectMode: false });
  const unpacked = createGunzip();
  source.on('error', (cause) => unpacked.destroy(cause));
  source.pipe(unpacked);
  try {
    return await gather(bounded(unpacked, maxBytes));
  } finally {
    source.destroy();
    unpacked.destroy();
  }
};

const firstValues = (headers: Dispatcher.ResponseData['headers']): Map<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name, first(value)]));

const first = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? value[0] : value) ?? '';

/** The line's own words as long as a log can print them. */
const statusTextOf = ({ statusCode, statusText }: Dispatcher.ResponseData): string => {
  const words = /^[\x20-\x7e]{1,100}$/.test(statusText) ? statusText : STATUS_CODES[statusCode];
  return words === undefined ? String(statusCode) : `${statusCode} ${words}`;
};
