/**
 * Requests to one server that a kubeconfig file names. Its certificates and tokens may lie in files,
 * which are read again each minute; with new certificates new connections are made, and the old ones
 * end when their last request does. Redirects are not followed.
 */
import type { Dispatcher } from 'undici';
import type { HttpConnection, HttpHeader } from '../model/http-connection.ts';
import { reveal } from '../model/secret.ts';
import type { HttpPeer, HttpResponse, PeerRequest } from '../ports/http-client.ts';
import type { HttpClientOptions } from './http-agents.ts';
import { deadlineOf, readResponse } from './http-answer.ts';
import { exchangeFailure } from './http-failures.ts';
import { type PeerIdentity, peerIdentity } from './http-identity.ts';
import { makePeerAgent } from './http-peer-agent.ts';

/** An idle peer; the first request opens the first connection. */
export const nodeHttpPeer = (connection: HttpConnection, options: HttpClientOptions): HttpPeer => {
  const identity = peerIdentity(connection, options.fileRefreshMs);
  let current: { readonly version: number; readonly agent: Promise<Dispatcher> } | undefined;

  const agentNow = (version: number): Promise<Dispatcher> => {
    if (current?.version === version) return current.agent;
    const old = current?.agent;
    current = { version, agent: makePeerAgent(connection, identity.material(), options) };
    void old?.then((idle) => idle.close());
    return current.agent;
  };

  return {
    async send(request) {
      const signal = deadlineOf(request);
      await identity.refresh();
      return exchange({ connection, identity, request, signal }, () =>
        agentNow(identity.version()),
      );
    },
    async close() {
      const agent = await current?.agent;
      current = undefined;
      await agent?.destroy();
    },
  };
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
): Promise<HttpResponse> => {
  const place = { url: connection.origin + request.path, redirected: false };
  const headers = headersOf(connection, identity, request);
  const bad = headers.find(({ value }) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (bad !== undefined) {
    throw exchangeFailure(place, `net/http: invalid header field value for "${bad.name}"`);
  }
  const answer = await dispatch(connection, request, { agentNow, headers, signal }).catch(
    (cause: unknown) => {
      throw exchangeFailure(place, cause);
    },
  );
  return readResponse(place, answer, { maxBytes: request.maxBytes, signal });
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
