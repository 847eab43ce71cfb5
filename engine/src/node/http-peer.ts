/**
 * Sends requests to the server of a kubeconfig file. Its certificates and tokens may come from
 * files, which are read again once a minute. New certificates lead to new connections, and the old
 * ones close after their last request. Redirects are not followed.
 */
import type { Dispatcher } from 'undici';
import type { HttpConnection, HttpHeader } from '../model/http-connection.ts';
import { reveal } from '../model/secret.ts';
import type { HttpPeer, PeerRequest } from '../ports/http-client.ts';
import type { HttpClientOptions } from './http-agents.ts';
import { bodyError, type RequestTarget, requestError } from './http-failures.ts';
import { type PeerIdentity, peerIdentity } from './http-identity.ts';
import { createPeerAgent } from './http-peer-agent.ts';
import { deadlineOf, discard, readResponse } from './http-response.ts';

export interface NodeHttpPeer extends HttpPeer {
  /** Returns the response as a stream that only the signal ends. */
  stream(request: StreamRequest): Promise<HttpStream>;
}

export type StreamRequest = Pick<PeerRequest, 'path' | 'headers'> & {
  readonly signal: AbortSignal;
};

export interface HttpStream {
  readonly status: number;
  /**
   * The body as it was sent, neither decompressed nor limited in size. Rejects with the bare
   * reason.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Returns a peer without connections; the first request opens one. */
export const nodeHttpPeer = (
  connection: HttpConnection,
  options: HttpClientOptions,
): NodeHttpPeer => {
  const identity = peerIdentity(connection, options.fileRefreshMs);
  let current: { readonly version: number; readonly agent: Promise<Dispatcher> } | undefined;

  const currentAgent = (version: number): Promise<Dispatcher> => {
    if (current?.version === version) return current.agent;
    const old = current?.agent;
    current = { version, agent: createPeerAgent(connection, identity.material(), options) };
    if (old !== undefined) void closeAgent(old, (idle) => idle.close());
    return current.agent;
  };

  const exchange = async (
    request: PeerRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> => {
    await identity.refresh();
    const { origin, proxy } = connection;
    const { path, method, body = null } = request;
    const target = targetOf(connection, request);
    const headers = headersOf(connection, identity, request);
    const problem = originProblem(origin) ?? headerProblem(headers);
    if (problem !== undefined) throw requestError(target, problem);
    const fields = headers.flatMap(({ name, value }) => [name, value]);
    try {
      const agent = await currentAgent(identity.version());
      return await agent.request({ origin, path, method, headers: fields, body, signal });
    } catch (cause) {
      const failure = requestError(target, cause);
      // The first connection is the one to the proxy.
      if (proxy === undefined || !failure.message.startsWith('dial ')) throw failure;
      throw requestError(target, `proxyconnect tcp: ${failure.message}`);
    }
  };

  return {
    async send(request) {
      const signal = deadlineOf(request);
      const response = await exchange(request, signal);
      const { maxBytes } = request;
      return readResponse(targetOf(connection, request), response, { maxBytes, signal });
    },
    async stream({ signal, ...streamRequest }) {
      const request = { ...streamRequest, method: 'GET', timeoutMs: 0, maxBytes: 0 };
      const response = await exchange(request, signal);
      const body = bodyOf(response, targetOf(connection, request), signal);
      return { status: response.statusCode, body };
    },
    async close() {
      const agent = current?.agent;
      current = undefined;
      if (agent !== undefined) await closeAgent(agent, (open) => open.destroy());
    },
  };
};

/**
 * Closes an agent. Returns `never created` if its creation failed; the caller that needed it got
 * the error.
 */
const closeAgent = async (
  agent: Promise<Dispatcher>,
  close: (agent: Dispatcher) => Promise<void>,
): Promise<'ended' | 'never created'> => {
  try {
    await close(await agent);
    return 'ended';
  } catch {
    return 'never created';
  }
};

async function* bodyOf(
  response: Dispatcher.ResponseData,
  target: RequestTarget,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body) yield chunk;
  } catch (cause) {
    throw bodyError(target, cause, signal);
  } finally {
    discard(response);
  }
}

const targetOf = (
  { origin, serverName }: HttpConnection,
  { path }: PeerRequest,
): RequestTarget => ({
  url: origin + path,
  redirected: false,
  ...(serverName === undefined ? {} : { serverName }),
});

/** Returns why no request can be sent to the origin, although it is syntactically valid. */
const originProblem = (origin: string): string | undefined => {
  const scheme = origin.slice(0, origin.indexOf(':'));
  if (scheme !== 'https' && scheme !== 'http') return `unsupported protocol scheme "${scheme}"`;
  if (URL.canParse(origin)) return undefined;
  const port = /:(\d+)$/.exec(origin)?.[1];
  return port === undefined
    ? 'dial tcp: invalid address'
    : `dial tcp: address ${port}: invalid port`;
};

const headerProblem = (headers: readonly HttpHeader[]): string | undefined => {
  const invalid = headers.find(({ value }) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  return invalid && `net/http: invalid header field value for "${invalid.name}"`;
};

const headersOf = (
  { headers, compression }: HttpConnection,
  identity: PeerIdentity,
  request: PeerRequest,
): readonly HttpHeader[] => {
  const authorization = identity.authorization();
  return [
    { name: 'User-Agent', value: 'authgraph' },
    ...(compression ? [{ name: 'Accept-Encoding', value: 'gzip' }] : []),
    ...(authorization === undefined
      ? []
      : [{ name: 'Authorization', value: reveal(authorization) }]),
    ...headers.map(({ name, value }) => ({ name, value: latin1OfUtf8(value) })),
    ...request.headers,
  ];
};

/**
 * Returns the UTF-8 bytes of the text as one character per byte, which is how a header carries
 * them.
 */
const latin1OfUtf8 = (text: string): string => Buffer.from(text).toString('latin1');
