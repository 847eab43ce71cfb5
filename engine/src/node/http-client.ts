/**
 * GET over HTTPS towards issuers. Each certificate authority has connections of its own; time, size
 * (as sent and as unpacked), redirects and headers are bounded; nothing ever leaves over plain HTTP.
 */
import type { Dispatcher } from 'undici';
import type { HttpClient, HttpPeer, HttpRequest, HttpResponse } from '../ports/http-client.ts';
import { type AgentPool, agentPool, type HttpClientOptions } from './http-agents.ts';
import { deadlineOf, discard, first, readResponse } from './http-answer.ts';
import { exchangeFailure, type Place } from './http-failures.ts';
import { nodeHttpPeer } from './http-peer.ts';

/** The HTTP port, with connections that have an end. */
export interface NodeHttpClient extends HttpClient {
  /** Ends all connections; a request under way fails. */
  close(): Promise<void>;
}

const maxRedirects = 3;

/** HTTPS with the system's roots, or those of the request. */
export const nodeHttpClient = (options: HttpClientOptions = {}): NodeHttpClient => {
  const agents = agentPool(options);
  const peers = new Set<HttpPeer>();
  return {
    get: (request) => get(request, agents),
    connect(connection) {
      const peer = nodeHttpPeer(connection, options);
      peers.add(peer);
      return {
        send: peer.send,
        close() {
          peers.delete(peer);
          return peer.close();
        },
      };
    },
    async close() {
      await Promise.all([agents.close(), ...Array.from(peers, (peer) => peer.close())]);
    },
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
    if (location === undefined) {
      return await readResponse(place, answer, { maxBytes: request.maxBytes, signal });
    }
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
