/**
 * Issuers without a network: discovery and key requests are answered from the given key sets only.
 */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { HttpClient, HttpResponse } from '../../ports/http-client.ts';

/** One key set for every issuer, or one per issuer. */
export type OfflineKeys =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'by issuer'; readonly textByIssuer: ReadonlyMap<string, string> };

export type KeysReading = OfflineKeys | { readonly kind: 'error'; readonly message: string };

/** Reads `{"keys": […]}`, or an object of issuer URLs and their key sets. */
export const readOfflineKeys = (text: string): KeysReading => {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // The JSON parser's message quotes the text, which may be a token given by mistake.
    return { kind: 'error', message: 'the key set is not JSON' };
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { kind: 'error', message: 'the key set is not a JSON object with a member "keys"' };
  const members = new Map<string, unknown>(Object.entries(data));
  // The text is passed on unchanged: the key reader validates repeated members and malformed
  // numbers.
  if (members.has('keys'))
    return isEmptyList(members.get('keys'))
      ? { kind: 'error', message: 'the key set contains no keys' }
      : { kind: 'one', text };
  const textByIssuer = new Map([...members].map(([name, set]) => [name, JSON.stringify(set)]));
  return { kind: 'by issuer', textByIssuer };
};

const isEmptyList = (keys: unknown): boolean => Array.isArray(keys) && keys.length === 0;

/** Returns an HTTP port that never uses the network. */
export const offlineIssuers = (graph: AuthenticatorGraph, keys: OfflineKeys): HttpClient => {
  const pages = new Map<string, string>();
  for (const { issuerUrl, discoveryUrl } of graph.nodes) {
    const base = issuerUrl.replace(/\/$/, '');
    const keyUrl = `${base}/authgraph-offline-keys`;
    const set = keys.kind === 'one' ? keys.text : keys.textByIssuer.get(issuerUrl);
    if (set === undefined) continue;
    pages.set(
      discoveryUrl ?? `${base}/.well-known/openid-configuration`,
      JSON.stringify({ issuer: issuerUrl, jwks_uri: keyUrl }),
    );
    pages.set(keyUrl, set);
  }
  return {
    get({ url }) {
      const page = pages.get(url);
      return Promise.resolve(page === undefined ? notFound : found(page));
    },
    connect: () => ({
      send: () => Promise.reject(new Error('nothing leaves this process')),
      close: () => Promise.resolve(),
    }),
  };
};

const found = (text: string): HttpResponse => ({
  status: 200,
  statusText: '200 OK',
  headers: new Map([
    ['content-type', 'application/json'],
    ['cache-control', 'max-age=3600'],
  ]),
  body: new TextEncoder().encode(text),
});

const notFound: HttpResponse = {
  status: 404,
  statusText: '404 Not Found',
  headers: new Map(),
  body: new TextEncoder().encode('there is no key set for this issuer'),
};
