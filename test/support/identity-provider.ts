/**
 * `oidc-provider` as an identity provider on loopback TLS: it can stop, restart on the same port, and
 * change its keys. A client gets tokens from it with its client credentials.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import { Provider } from 'oidc-provider';
import type { TestAuthority } from './certificates.ts';
import { sendHttps } from './https-request.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';

export interface IdentityProvider {
  /** `https://localhost:1234` */
  readonly issuer: string;
  /** Returns a new access token, a JWT for the configured audience. */
  token(): Promise<string>;
  /** Replaces the signing keys; with `keep`, the old ones stay in the key set. */
  rotateKeys(options?: { readonly keep?: boolean }): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Requested paths so far, except the token endpoint. */
  readonly requests: string[];
}

/** Members of a private JWK. */
type PrivateKey = Readonly<Record<string, unknown>>;

const client = { id: 'robot', secret: 'for this test alone' };

export const startIdentityProvider = async (
  authority: TestAuthority,
  audience: string,
): Promise<IdentityProvider> => {
  const certificate = authority.issue();
  const requests: string[] = [];
  let handler: ReturnType<Provider['callback']> = async () => {};
  const open = (port?: number): Promise<LoopbackServer> => {
    const options = { cert: certificate.pem, key: certificate.keyPem };
    const server = createServer(options, (incoming, response) => {
      if (incoming.url !== '/token') requests.push(incoming.url ?? '');
      void handler(incoming, response);
    });
    return listenOnLoopback(server, port);
  };
  let server = await open();
  const { port } = server;
  const issuer = `https://localhost:${port}`;
  let keys: readonly PrivateKey[] = [];
  const rotateKeys = ({ keep = false } = {}) => {
    keys = [makeKey(), ...(keep ? keys : [])];
    handler = makeProvider(issuer, audience, keys).callback();
  };
  rotateKeys();
  return {
    issuer,
    requests,
    rotateKeys,
    token: () => askForToken(port, authority.pem),
    stop: () => server.close(),
    async start() {
      server = await open(port);
    },
  };
};

let keyCount = 0;

const makeKey = (): PrivateKey => {
  keyCount += 1;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    ...privateKey.export({ format: 'jwk' }),
    alg: 'ES256',
    use: 'sig',
    kid: `key-${keyCount}`,
  };
};

const makeProvider = (issuer: string, audience: string, keys: readonly PrivateKey[]): Provider =>
  new Provider(issuer, {
    jwks: { keys: [...keys] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:test:api',
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });

const askForToken = async (port: number, authority: string): Promise<string> => {
  const secret = btoa(`${client.id}:${encodeURIComponent(client.secret)}`);
  const { body } = await sendHttps({
    port,
    host: 'localhost',
    path: '/token',
    authority,
    headers: [
      'Authorization',
      `Basic ${secret}`,
      'Content-Type',
      'application/x-www-form-urlencoded',
    ],
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = JSON.parse(body);
  if (typeof token !== 'string') throw new Error(`no token: ${body}`);
  return token;
};
