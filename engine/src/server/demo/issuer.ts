/**
 * The demo's identity provider: one HTTPS server on loopback with two issuers, each with a
 * discovery document, a key set and signed tokens. Tokens are passed to the demo only; there is no
 * token endpoint.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { createSigningKey, keySetOf, mintToken, type SigningKey } from '../../node/mint.ts';
import {
  type DemoIssuerName,
  type DemoPerson,
  demoAudience,
  demoIssuerHost,
  demoIssuerNames,
  demoIssuerUrl,
} from './people.ts';

export interface DemoIssuerOptions {
  /** A certificate that covers the hosts of all demo issuers. */
  readonly certificate: string;
  readonly key: string;
  readonly now?: () => number;
}

export interface DemoIssuer {
  /** The port on loopback. */
  readonly port: number;
  /** Signs a new token. */
  tokenFor(person: DemoPerson, options?: { readonly lifetimeSeconds?: number }): Promise<string>;
  /** Creates new signing keys; the previous ones stay in the key set, older ones are removed. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

/** Long enough to try things, short enough that a leaked token expires soon. */
export const demoTokenLifetimeSeconds = 3600;

/** Starts the issuers on a free port of 127.0.0.1. */
export const startDemoIssuer = async (options: DemoIssuerOptions): Promise<DemoIssuer> => {
  const now = options.now ?? Date.now;
  const keysByIssuer = new Map<DemoIssuerName, readonly SigningKey[]>();
  const rotateKeys = async () => {
    for (const name of demoIssuerNames) {
      const newKey = await createSigningKey(algorithms[name], randomUUID());
      keysByIssuer.set(name, [newKey, ...(keysByIssuer.get(name) ?? [])].slice(0, retainedKeys));
    }
  };
  await rotateKeys();
  const documents = (name: DemoIssuerName): ReadonlyMap<string, unknown> =>
    documentsOf(name, keysByIssuer.get(name) ?? []);
  const server = await listen(options, documents);
  return {
    port: portOf(server),
    async tokenFor(person, { lifetimeSeconds = demoTokenLifetimeSeconds } = {}) {
      const [key] = keysByIssuer.get(person.issuer) ?? [];
      if (key === undefined) throw new Error('unreachable: an issuer has a key from its start');
      const issuedAt = Math.floor(now() / 1000);
      const claims = {
        iss: demoIssuerUrl(person.issuer),
        aud: demoAudience,
        iat: issuedAt,
        nbf: issuedAt,
        exp: issuedAt + lifetimeSeconds,
        ...person.claims,
      };
      return mintToken(claims, key, { header: { typ: 'JWT' } });
    },
    rotateKeys,
    close: () => close(server),
  };
};

/** The two signature algorithms that most providers use. */
const algorithms: Readonly<Record<DemoIssuerName, 'RS256' | 'ES256'>> = {
  team: 'RS256',
  staff: 'ES256',
};

/** The current and the previous key stay published, so that tokens survive a rotation. */
const retainedKeys = 2;

const documentsOf = (
  name: DemoIssuerName,
  keys: readonly SigningKey[],
): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    [
      '/.well-known/openid-configuration',
      {
        issuer: demoIssuerUrl(name),
        jwks_uri: `${demoIssuerUrl(name)}/keys`,
        authorization_endpoint: `${demoIssuerUrl(name)}/authorize`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithms[name]],
      },
    ],
    ['/keys', keySetOf(keys)],
  ]);

const listen = async (
  { certificate, key }: DemoIssuerOptions,
  documents: (name: DemoIssuerName) => ReadonlyMap<string, unknown>,
): Promise<Server> => {
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const host = request.headers.host?.replace(/:\d+$/, '');
    const name = demoIssuerNames.find((issuerName) => demoIssuerHost(issuerName) === host);
    const body = name && documents(name).get(request.url ?? '');
    if (body === undefined || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/json',
      // Shorter than the 30 s before expiry at which a key set is refreshed, so a new key is used
      // immediately.
      'cache-control': 'max-age=20',
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
};

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('unreachable: a server that listens on TCP has a port');
  }
  return address.port;
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
