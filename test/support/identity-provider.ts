/**
 * `oidc-provider` as an identity provider on loopback TLS: it can stop, restart on the same port, and
 * change its keys. A client gets tokens from it with its client credentials.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, request, type Server } from 'node:https';
import { Provider } from 'oidc-provider';
import type { TestAuthority } from './certificates.ts';

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
  const open = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer(
        { cert: certificate.pem, key: certificate.keyPem },
        (incoming, response) => {
          if (incoming.url !== '/token') requests.push(incoming.url ?? '');
          void handler(incoming, response);
        },
      );
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await open(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
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
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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

const askForToken = (port: number, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(
      {
        host: 'localhost',
        port,
        path: '/token',
        method: 'POST',
        ca,
        agent: false,
        auth: `${client.id}:${encodeURIComponent(client.secret)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        const answer: unknown = JSON.parse(text);
        const token =
          typeof answer === 'object' && answer !== null && 'access_token' in answer
            ? answer.access_token
            : undefined;
        if (typeof token === 'string') resolve(token);
        else reject(new Error(`no token: ${text}`));
      },
    );
    asked.on('error', reject);
    asked.end('grant_type=client_credentials');
  });
