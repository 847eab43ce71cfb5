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
import { deadlineOf, discard, readResponse } from './http-answer.ts';
import { exchangeFailure, failureOfReading, type Place } from './http-failures.ts';
import { type PeerIdentity, peerIdentity } from './http-identity.ts';
import { makePeerAgent } from './http-peer-agent.ts';

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

  const agentNow = (version: number): Promise<Dispatcher> => {
    if (current?.version === version) return current.agent;
    const old = current?.agent;
    current = { version, agent: makePeerAgent(connection, identity.material(), options) };
    if (old !== undefined) void end(old, (idle) => idle.close());
    return current.agent;
  };

  return {
    async send(request) {
      const signal = deadlineOf(request);
      await identity.refresh();
      const answer = await exchange({ connection, identity, request, signal }, () =>
        agentNow(identity.version()),
      );
      const { maxBytes } = request;
      return readResponse(placeOf(connection, request), answer, { maxBytes, signal });
    },
    async stream({ signal, ...asked }) {
      const request = { ...asked, method: 'GET', timeoutMs: 0, maxBytes: 0 };
      await identity.refresh();
      const place = placeOf(connection, request);
      const answer = await exchange({ connection, identity, request, signal }, () =>
        agentNow(identity.version()),
      );
      return { status: answer.statusCode, body: reading(answer, place, signal) };
    },
    async close() {
      const agent = current?.agent;
      current = undefined;
      if (agent !== undefined) await end(agent, (open) => open.destroy());
    },
  };
};

/** `never made` for an agent whose creation failed; its caller got the error. */
const end = async (
  agent: Promise<Dispatcher>,
  how: (made: Dispatcher) => Promise<void>,
): Promise<'ended' | 'never made'> => {
  try {
    await how(await agent);
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
  agentNow: () => Promise<Dispatcher>,
): Promise<Dispatcher.ResponseData> => {
  const place = placeOf(connection, request);
  const unusable = originProblem(connection.origin);
  if (unusable !== undefined) throw exchangeFailure(place, unusable);
  const headers = headersOf(connection, identity, request);
  const bad = headers.find(({ value }) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (bad !== undefined) {
    throw exchangeFailure(place, `net/http: invalid header field value for "${bad.name}"`);
  }
  return dispatch(connection, request, { agentNow, headers, signal }).catch((cause: unknown) => {
    const failure = exchangeFailure(place, cause);
    // The first connection is the one to the proxy.
    if (connection.proxy === undefined || !failure.message.startsWith('dial ')) throw failure;
    throw exchangeFailure(place, `proxyconnect tcp: ${failure.message}`);
  });
};

async function* reading(
  answer: Dispatcher.ResponseData,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer.body) yield chunk;
  } catch (cause) {
    throw failureOfReading(place, cause, signal);
  } finally {
    discard(answer);
  }
}

const placeOf = ({ origin, serverName }: HttpConnection, { path }: PeerRequest): Place => ({
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
  readonly agentNow: () => Promise<Dispatcher>;
  readonly headers: readonly HttpHeader[];
  readonly signal: AbortSignal;
}

const dispatch = async (
  { origin }: HttpConnection,
  { path, method, body }: PeerRequest,
  { agentNow, headers, signal }: Dispatch,
): Promise<Dispatcher.ResponseData> => {
  const agent = await agentNow();
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
