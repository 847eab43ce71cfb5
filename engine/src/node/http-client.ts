/**
 * GET over HTTPS towards issuers. Each certificate authority has connections of its own; time, size
 * (as sent and as unpacked), redirects and headers are bounded; nothing ever leaves over plain HTTP.
 */
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HttpClient, HttpRequest, HttpResponse } from '../ports/http-client.ts';
import {
  exchangeFailure,
  failureOfReading,
  legacyNameFailure,
  type Place,
} from './http-failures.ts';
import { proxyFor, type Variable } from './proxy.ts';

export interface HttpClientOptions {
  /** PEM roots that count beside the system's: for a provider on loopback. */
  readonly extraRoots?: readonly string[];
  /** Ports on loopback that stand in for host names, as a line in a hosts file would. */
  readonly loopbackPorts?: ReadonlyMap<string, number>;
  /** Variables that name a proxy; those of the process where absent. */
  readonly variable?: Variable;
  /** Time for name, connection and handshake together. */
  readonly connectTimeoutMs?: number;
}

export interface NodeHttpClient extends HttpClient {
  /** Ends all connections; a request under way fails. */
  close(): Promise<void>;
}

const defaultConnectTimeoutMs = 5_000;
const maxRedirects = 3;
const maxHeaderBytes = 256 * 1024;
/** Certificate authorities with open connections; as many issuers as a file may have, and the system. */
const maxAgents = 65;

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

interface AgentPool {
  agentOf(url: URL, certificateAuthority: string | undefined): Promise<Dispatcher>;
  close(): Promise<void>;
}

const agentPool = (options: HttpClientOptions): AgentPool => {
  const { variable = (name) => process.env[name], loopbackPorts = new Map() } = options;
  const agents = new Map<string, Promise<Dispatcher>>();
  const end = async (agent: Promise<Dispatcher>) => (await agent).destroy();
  return {
    agentOf(url, certificateAuthority) {
      const proxy = loopbackPorts.has(url.hostname) ? undefined : proxyFor(url, variable);
      const key = JSON.stringify([certificateAuthority, proxy]);
      const agent = agents.get(key) ?? makeAgent(certificateAuthority, proxy, options);
      // The one asked for last stands last; the first one is the one to part with.
      agents.delete(key);
      agents.set(key, agent);
      const oldest = agents.entries().next();
      if (agents.size > maxAgents && !oldest.done) {
        agents.delete(oldest.value[0]);
        void oldest.value[1].then((idle) => idle.close());
      }
      return agent;
    },
    async close() {
      const all = [...agents.values()];
      agents.clear();
      await Promise.allSettled(all.map(end));
    },
  };
};

const makeAgent = async (
  certificateAuthority: string | undefined,
  proxy: string | undefined,
  options: HttpClientOptions,
): Promise<Dispatcher> => {
  // Loaded with the first request: a program that asks no issuer need not wait for it.
  const undici = await import('undici');
  const timeout = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const tls = {
    timeout,
    allowH2: false,
    secureContext: trust(certificateAuthority, options),
    checkServerIdentity(host: string, certificate: PeerCertificate) {
      // The subject's common name stopped counting with RFC 6125; Node still falls back to it.
      if (certificate.subjectaltname === undefined) return legacyNameFailure();
      return checkServerIdentity(host, certificate);
    },
  };
  const limits = {
    // One deadline for all lies on the request; these would only blur its words.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
    connections: 8,
  };
  if (proxy !== undefined) {
    return new undici.ProxyAgent({ ...limits, uri: proxy, requestTls: tls, proxyTls: { timeout } });
  }
  const connect = undici.buildConnector(tls);
  return new undici.Agent({
    ...limits,
    connect(target, callback) {
      const port = options.loopbackPorts?.get(target.hostname);
      if (port === undefined) return connect(target, callback);
      const servername = target.hostname;
      return connect(
        { ...target, hostname: '127.0.0.1', port: String(port), servername },
        callback,
      );
    },
  });
};

/** Made once an agent: the system's roots take 20 ms to read. */
const trust = (
  certificateAuthority: string | undefined,
  { extraRoots = [] }: HttpClientOptions,
): SecureContext =>
  createSecureContext({
    ca:
      certificateAuthority === undefined ? [...systemRoots(), ...extraRoots] : certificateAuthority,
    minVersion: 'TLSv1.2',
    // An intermediate or the server's own certificate may be the root, as with the real server.
    allowPartialTrustChain: true,
  });

/** The machine's own roots; those that come with Node where it has none. */
const systemRoots = (): readonly string[] => {
  const roots = [...getCACertificates('system'), ...getCACertificates('extra')];
  return roots.length === 0 ? rootCertificates : roots;
};
