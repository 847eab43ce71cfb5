/**
 * Requests to one server that a kubeconfig file names. Its certificates and tokens may lie in files,
 * which are read again each minute; with new certificates new connections are made, and the old ones
 * end when their last request does. Redirects are not followed.
 */
import type { Dispatcher } from 'undici';
import type { HttpConnection, HttpHeader } from '../model/http-connection.ts';
import { reveal } from '../model/secret.ts';
import type { HttpPeer, PeerRequest } from '../ports/http-client.ts';
import type { HttpClientOptions } from './http-agents.ts';
import { deadlineOf, discard, readResponse } from './http-response.ts';
import { requestError, bodyError, type RequestTarget } from './http-failures.ts';
import { type PeerIdentity, peerIdentity } from './http-identity.ts';
import { createPeerAgent } from './http-peer-agent.ts';

export interface NodeHttpPeer extends HttpPeer {
  /** The answer as it comes, for as long as it comes; the signal alone ends it. */
  stream(request: StreamRequest): Promise<HttpStream>;
}

export type StreamRequest = Pick<PeerRequest, 'path' | 'headers'> & {
  readonly signal: AbortSignal;
};

export interface HttpStream {
  readonly status: number;
  /** As sent: nothing is unpacked, nothing counted. Rejects with the reason alone. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** An idle peer; the first request opens the first connection. */
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

  return {
    async send(request) {
      const signal = deadlineOf(request);
      await identity.refresh();
      const response = await exchange({ connection, identity, request, signal }, () =>
        currentAgent(identity.version()),
      );
      const { maxBytes } = request;
      return readResponse(targetOf(connection, request), response, { maxBytes, signal });
    },
    async stream({ signal, ...streamRequest }) {
      const request = { ...streamRequest, method: 'GET', timeoutMs: 0, maxBytes: 0 };
      await identity.refresh();
      const target = targetOf(connection, request);
      const response = await exchange({ connection, identity, request, signal }, () =>
        currentAgent(identity.version()),
      );
      return { status: response.statusCode, body: bodyOf(response, target, signal) };
    },
    async close() {
      const agent = current?.agent;
      current = undefined;
      if (agent !== undefined) await closeAgent(agent, (open) => open.destroy());
    },
  };
};

/** `never made` for an agent whose creation failed; its caller got the error. */
const closeAgent = async (
  agent: Promise<Dispatcher>,
  close: (agent: Dispatcher) => Promise<void>,
): Promise<'ended' | 'never made'> => {
  try {
    await close(await agent);
    return 'ended';
  } catch {
    return 'never made';
  }
};

interface Exchange {
  readonly connection: HttpConnection;
  readonly identity: PeerIdentity;
  readonly request: PeerRequest;
  readonly signal: AbortSignal;
}

const exchange = async (
  { connection, identity, request, signal }: Exchange,
  currentAgent: () => Promise<Dispatcher>,
): Promise<Dispatcher.ResponseData> => {
  const target = targetOf(connection, request);
  const originError = originProblem(connection.origin);
  if (originError !== undefined) throw requestError(target, originError);
  const headers = headersOf(connection, identity, request);
  const invalidHeader = headers.find(({ value }) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (invalidHeader !== undefined) {
    throw requestError(target, `net/http: invalid header field value for "${invalidHeader.name}"`);
  }
  return dispatch(connection, request, { currentAgent, headers, signal }).catch(
    (cause: unknown) => {
      const failure = requestError(target, cause);
      // The first connection is the one to the proxy.
      if (connection.proxy === undefined || !failure.message.startsWith('dial ')) throw failure;
      throw requestError(target, `proxyconnect tcp: ${failure.message}`);
    },
  );
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

/** An address may be good text and still lead nowhere. */
const originProblem = (origin: string): string | undefined => {
  const scheme = origin.slice(0, origin.indexOf(':'));
  if (scheme !== 'https' && scheme !== 'http') return `unsupported protocol scheme "${scheme}"`;
  if (URL.canParse(origin)) return undefined;
  const port = /:(\d+)$/.exec(origin)?.[1];
  return port === undefined
    ? 'dial tcp: the address cannot be used'
    : `dial tcp: address ${port}: invalid port`;
};

interface Dispatch {
  readonly currentAgent: () => Promise<Dispatcher>;
  readonly headers: readonly HttpHeader[];
  readonly signal: AbortSignal;
}

const dispatch = async (
  { origin }: HttpConnection,
  { path, method, body }: PeerRequest,
  { currentAgent, headers, signal }: Dispatch,
): Promise<Dispatcher.ResponseData> => {
  const agent = await currentAgent();
  return agent.request({
    origin,
    path,
    method,
    headers: headers.flatMap(({ name, value }) => [name, value]),
    body: body ?? null,
    signal,
  });
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

/** One character a byte, as a header carries UTF-8. */
const latin1OfUtf8 = (text: string): string => Buffer.from(text).toString('latin1');
