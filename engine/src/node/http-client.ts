/**
 * Sends GET requests to issuers over HTTPS. Each certificate authority has connections of its own;
 * time, size (compressed and decompressed), redirects and headers are bounded. Nothing is ever sent
 * over plain HTTP.
 */
import type { Dispatcher } from 'undici';
import type { HttpClient, HttpPeer, HttpRequest, HttpResponse } from '../ports/http-client.ts';
import { type AgentPool, agentPool, type HttpClientOptions } from './http-agents.ts';
import { type RequestTarget, requestError } from './http-failures.ts';
import { nodeHttpPeer } from './http-peer.ts';
import { deadlineOf, discard, firstValue, readResponse } from './http-response.ts';

/**
 * The HTTP port, with connections that can be closed.
 *
 * @example
 * ```ts
 * const http: NodeHttpClient = nodeHttpClient();
 * await http.close();
 * ```
 */
export interface NodeHttpClient extends HttpClient {
  /** Closes all connections; requests in progress fail. */
  close(): Promise<void>;
}

const maxRedirects = 3;

/**
 * Returns an HTTPS client that trusts the system's roots, or those of the request.
 *
 * @example
 * ```ts
 * const http = nodeHttpClient({ extraRoots: [readFileSync('issuer-ca.pem', 'utf8')] });
 * ```
 */
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
  let target: RequestTarget = { url: request.url, redirected: false };
  let headers = request.headers ?? new Map<string, string>();
  for (let redirects = 0; ; redirects += 1) {
    const url = parseUrl(target);
    const response = await dispatch(target, url, { ...request, headers, signal }, agents);
    const location = redirectOf(response);
    if (location === undefined) {
      return await readResponse(target, response, { maxBytes: request.maxBytes, signal });
    }
    discard(response);
    const next = resolveUrl(location, url, target);
    target = { url: next.href, redirected: true };
    if (redirects === maxRedirects) {
      throw requestError(target, `stopped after ${maxRedirects} redirects`);
    }
    // Credentials for one host are not sent to another one.
    if (next.host !== url.host) headers = withoutCredentials(headers);
  }
};

const parseUrl = (target: RequestTarget): URL => {
  const url = URL.parse(target.url);
  if (url === null) throw requestError(target, 'invalid URL');
  if (url.protocol !== 'https:') {
    const scheme = JSON.stringify(url.protocol.slice(0, -1));
    throw requestError(target, `unsupported protocol scheme ${scheme}`);
  }
  return url;
};

const resolveUrl = (location: string, base: URL, target: RequestTarget): URL => {
  const url = URL.parse(location, base);
  if (url === null) throw requestError(target, 'failed to parse Location header: invalid URL');
  return url;
};

const dispatch = async (
  target: RequestTarget,
  url: URL,
  {
    headers,
    signal,
    certificateAuthority,
  }: HttpRequest & { readonly headers: ReadonlyMap<string, string>; readonly signal: AbortSignal },
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
    throw requestError(target, cause);
  }
};

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the target of a redirect. A redirect without a location is a response like any other. */
const redirectOf = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined => {
  const location = firstValue(headers.location);
  return redirectStatuses.has(statusCode) && location !== '' ? location : undefined;
};

const withoutCredentials = (headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...headers].filter(([name]) => !/^(?:authorization|cookie)$/i.test(name)));
