/**
 * Starts a live issuer on this machine: discovery and keys over HTTPS with its own certificate
 * authority.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:https';
import { testAuthority } from '../support/certificates.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';

export interface LiveIssuer {
  readonly url: string;
  /** The PEM of the certificate authority. */
  readonly authority: string;
  readonly keySet: string;
  /** Everything sent to the issuer: paths, headers, bodies. */
  readonly received: readonly string[];
  token(claims: Readonly<Record<string, unknown>>): string;
  /** Returns a token signed with a key that is in no key set. */
  otherKeyToken(claims: Readonly<Record<string, unknown>>): string;
  /** Delays all responses until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export const startIssuer = async (): Promise<LiveIssuer> => {
  const authority = testAuthority('example authority');
  const certificate = authority.issue();
  const ownKey = newKey();
  const otherKey = newKey();
  const keySet = JSON.stringify({ keys: [publicKey(ownKey)] }, undefined, 2);
  const received: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const server = createServer(
    { cert: certificate.pem, key: certificate.keyPem },
    (request, response) => {
      received.push([request.method, request.url, ...request.rawHeaders].join(' '));
      request.on('data', (bytes: Buffer) => received.push(bytes.toString('latin1')));
      const body = bodies()[request.url ?? ''];
      const status = body === undefined ? 404 : 200;
      void held.then(() =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body ?? '{}'),
      );
    },
  );
  const { port, close } = await listenOnLoopback(server);
  const url = `https://localhost:${port}`;
  const bodies = (): Readonly<Record<string, string>> => ({
    '/.well-known/openid-configuration': JSON.stringify({
      issuer: url,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/keys': keySet,
  });
  const all = (claims: Readonly<Record<string, unknown>>): object => ({
    iss: url,
    aud: 'cluster',
    sub: randomBytes(6).toString('hex'),
    exp: Math.floor(Date.now() / 1000) + 3600,
    ...claims,
  });
  return {
    url,
    authority: authority.pem,
    keySet,
    received,
    token: (claims) => signed(all(claims), ownKey),
    otherKeyToken: (claims) => signed(all(claims), otherKey),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    stop: close,
  };
};

const keyId = 'first';

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const publicKey = (key: KeyObject): object => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return { kty, crv, x, y, kid: keyId, use: 'sig', alg: 'ES256' };
};

const signed = (claims: object, key: KeyObject): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', typ: 'JWT', kid: keyId })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
};
