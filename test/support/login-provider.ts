/**
 * `oidc-provider` with its login pages, on loopback TLS: users log in with a browser or with a device
 * code, clients with their secret.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import { Provider } from 'oidc-provider';
import type { TestAuthority } from './certificates.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface LoginProvider {
  /** `https://localhost:1234` */
  readonly issuer: string;
  readonly port: number;
  /** Requests so far, such as `POST /token`. */
  readonly requests: string[];
  /** The schemes of their `Authorization`, empty without it. */
  readonly schemes: string[];
  /** Replaces the lifetime of tokens that are issued from now on. */
  setLifetime(seconds: number): void;
  /** Replaces the response to a request; `undefined` for the response of the provider. */
  intercept(answer: (request: string) => InterceptedAnswer | undefined): void;
  close(): Promise<void>;
}

export interface InterceptedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const userClient = 'kubernetes';
export const robotClient = { id: 'robot', secret: 'for: this test/alone' };
export const postingClient = { id: 'posting', secret: 'for this test, too' };

export const startLoginProvider = async (authority: TestAuthority): Promise<LoginProvider> => {
  const certificate = authority.issue();
  const requests: string[] = [];
  const schemes: string[] = [];
  let lifetime = 600;
  let intercept: (request: string) => InterceptedAnswer | undefined = () => undefined;
  let handler: ReturnType<Provider['callback']> = async () => {};
  const server = await listenOnLoopback(
    createServer({ cert: certificate.pem, key: certificate.keyPem }, (incoming, response) => {
      const request = `${incoming.method} ${incoming.url}`;
      requests.push(request);
      schemes.push(incoming.headers.authorization?.split(' ')[0] ?? '');
      const answer = intercept(request);
      if (answer === undefined) void handler(incoming, response);
      else {
        response.writeHead(answer.status, {
          'content-type': 'application/json',
          ...answer.headers,
        });
        response.end(answer.body);
      }
    }),
  );
  const issuer = `https://localhost:${server.port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateJwk = {
    ...privateKey.export({ format: 'jwk' }),
    kid: 'key-1',
    alg: 'ES256',
    use: 'sig',
  };
  const confidential = {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    id_token_signed_response_alg: 'ES256',
  };
  const ttl = () => lifetime;
  const provider = new Provider(issuer, {
    jwks: { keys: [privateJwk] },
    cookies: { keys: ['for this test alone'] },
    ttl: { AccessToken: ttl, IdToken: ttl, ClientCredentials: ttl, DeviceCode: () => 60 },
    claims: { openid: ['sub'], email: ['email'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com` }),
    }),
    clients: [
      {
        client_id: userClient,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
      { client_id: robotClient.id, client_secret: robotClient.secret, ...confidential },
      {
        client_id: postingClient.id,
        client_secret: postingClient.secret,
        token_endpoint_auth_method: 'client_secret_post',
        ...confidential,
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'read',
          audience: 'urn:test:api',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  // The interval of the specification, five seconds, is long for a test.
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/device/auth') context.body = { ...context.body, interval: 1 };
  });
  handler = provider.callback();
  return {
    issuer,
    port: server.port,
    requests,
    schemes,
    setLifetime(seconds) {
      lifetime = seconds;
    },
    intercept(answer) {
      intercept = answer;
    },
    close: () => server.close(),
  };
};
