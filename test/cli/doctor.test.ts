/** `authgraph doctor` with an HTTPS server that behaves well, or badly in a known way. */
import { createServer } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigningKey, keySetOf, mintToken } from '../../engine/src/node/mint.ts';
import { type CertificateSpec, makeCert } from '../attacks/lib/der.mjs';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server.ts';

interface Page {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const authority = testAuthority();
const stranger = testAuthority('stranger');
const pages = new Map<string, Page>();
let server: LoopbackServer;
let origin = '';

beforeAll(async () => {
  const certificate = authority.issue();
  const options = { cert: certificate.pem, key: certificate.keyPem };
  const pagesServer = createServer(options, (request, response) => {
    const page = pages.get(request.url ?? '') ?? { status: 404, body: 'no such page' };
    response.writeHead(page.status ?? 200, {
      'content-type': 'application/json',
      ...page.headers,
    });
    response.end(page.body);
  });
  server = await listenOnLoopback(pagesServer);
  origin = `https://localhost:${server.port}`;
});
afterAll(() => server.close());

const key = await createSigningKey('ES256', 'k1');
const discovery = (more: object = {}) =>
  JSON.stringify({
    issuer: origin,
    jwks_uri: `${origin}/keys`,
    id_token_signing_alg_values_supported: ['ES256', 'none'],
    ...more,
  });
const wellKnown = '/.well-known/openid-configuration';

const configuration = ({
  url = origin,
  pem = authority.pem,
}: {
  readonly url?: string;
  readonly pem?: string;
} = {}) =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${url}
    certificateAuthority: ${JSON.stringify(pem)}
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "test:"}
`;

const publish = (given: Readonly<Record<string, Page>> = {}): void => {
  pages.clear();
  pages.set(wellKnown, { body: discovery() });
  pages.set('/keys', { body: JSON.stringify(keySetOf([key])) });
  for (const [path, page] of Object.entries(given)) pages.set(path, page);
};

const ask = (files: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  runCaptured(['doctor', '-c', 'auth.yaml', ...more], { files });

test('accepts a valid issuer and its token', async () => {
  publish();
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: origin, aud: 'app', sub: 'ada', iat: now, exp: now + 600 };
  const token = await mintToken(claims, key);
  const { code, stdout } = await ask(
    { 'auth.yaml': configuration(), token },
    ...['--token-file', 'token'],
  );
  expect(stdout).toContain(`✓ its issuer is ${origin}`);
  expect(stdout).toContain('✓ it signs with ES256\n');
  expect(stdout).toContain('1 key to verify tokens (P-256)');
  expect(stdout).toContain('✓ its clock matches this one');
  expect(stdout).toContain('✓ the token is accepted: test:ada');
  expect(stdout).not.toMatch(/[✗!]/);
  expect(code).toBe(0);
});

test.each<[string, Readonly<Record<string, Page>>, readonly string[]]>([
  [
    'no document',
    { [wellKnown]: { status: 404, body: 'no' } },
    ['✗ no discovery document', 'discoveryURL'],
  ],
  [
    'a login',
    { [wellKnown]: { status: 403, body: 'who are you' } },
    ['✗ no discovery', 'requires authentication'],
  ],
  ['a fault', { [wellKnown]: { status: 503, body: 'later' } }, ['✗', 'returned a server error']],
  [
    'a page for people',
    { [wellKnown]: { body: '<html>', headers: { 'content-type': 'text/html' } } },
    ['✗ the response of', 'is not a discovery document'],
  ],
  ['no key set', { '/keys': { status: 404, body: '' } }, ['✗ no key set from']],
  [
    'an empty key set',
    { '/keys': { body: '{"keys":[]}' } },
    ['✗ the key set at', 'contains no key'],
  ],
  [
    'one malformed key',
    { '/keys': { body: '{"keys":[{"kty":"RSA","n":"!","e":"AQAB"}]}' } },
    ['✗ the key set at', 'One malformed key'],
  ],
  [
    'keys without names',
    {
      '/keys': {
        body: JSON.stringify({
          keys: [key, key].map(({ publicJwk }) => ({ ...publicJwk, kid: undefined })),
        }),
      },
    },
    ['! some keys have no kid'],
  ],
  [
    'a clock far away',
    { [wellKnown]: { body: '', headers: { date: new Date(Date.now() + 300_000).toUTCString() } } },
    ['behind that of the issuer'],
  ],
])('%s', async (name, given, words) => {
  publish(given);
  const page = pages.get(wellKnown);
  if (page?.body === '') pages.set(wellKnown, { ...page, body: discovery() });
  const { code, stdout } = await ask({ 'auth.yaml': configuration() });
  for (const word of words) expect(stdout).toContain(word);
  expect(code).toBe(stdout.includes('✗') ? 1 : 0);
  expect([name, stdout.includes('✗') || stdout.includes('!')]).toEqual([name, true]);
});

test.each<[string, object, readonly string[]]>([
  [
    'another name',
    { issuer: 'https://other.example' },
    ['✗ the discovery document is for another issuer'],
  ],
  ['a slash', { issuer: 'SLASH' }, ['! only the trailing slash differs', 'Set issuer.url to']],
  ['no address of keys', { jwks_uri: undefined }, ['✗ the discovery document has no jwks_uri']],
  ['keys over plain HTTP', { jwks_uri: 'http://localhost/keys' }, ['✗', 'Serve it over TLS']],
  [
    'an algorithm that no one accepts',
    { id_token_signing_alg_values_supported: ['HS256'] },
    ['✗ it signs with [HS256], none of which kube-apiserver accepts'],
  ],
])('discovery document: %s', async (_name, more, words) => {
  publish({
    [wellKnown]: { body: discovery(more).replace('"SLASH"', JSON.stringify(`${origin}/`)) },
  });
  const { code, stdout } = await ask({ 'auth.yaml': configuration() });
  for (const word of words) expect(stdout).toContain(word);
  expect(code).toBe(1);
});

test('reports an untrusted authority', async () => {
  publish();
  const { code, stdout } = await ask({ 'auth.yaml': configuration({ pem: stranger.pem }) });
  expect(stdout).toContain('Set issuer.certificateAuthority to the CA that issued it');
  expect(code).toBe(1);
});

test('reports a refused connection', async () => {
  const { code, stdout } = await ask({
    'auth.yaml': configuration({ url: 'https://127.0.0.1:1' }),
  });
  expect(stdout).toContain('connection refused');
  expect(stdout).toContain('The connection was refused.');
  expect(code).toBe(1);
});

test('reports the reason of a rejected token, and no part of the token', async () => {
  publish();
  const claims = { iss: origin, aud: 'other', sub: 'ada', iat: 1, exp: 4102444800 };
  const token = await mintToken(claims, key);
  const files = { 'auth.yaml': configuration(), token };
  const { code, stdout, stderr } = await ask(files, '--token-file', 'token', '-o', 'json');
  expect(code).toBe(1);
  const [issuer] = JSON.parse(stdout).issuers;
  expect(issuer.well).toBe(false);
  expect(issuer.findings.at(-1).text).toContain('expected audience "app" got ["other"]');
  for (const part of token.split('.')) expect(stdout + stderr).not.toContain(part);
});

test.each([
  [['--issuer', 'https://missing.example'], 'has no issuer "https://missing.example"'],
  [['--token-file', 'junk'], 'junk does not contain a JWT'],
  [['--token-file', 'unknown'], 'the token was issued by "https://unknown.example"'],
])('fails: %j', async (more, words) => {
  publish();
  const unknown = await mintToken({ iss: 'https://unknown.example', sub: 'x' }, key);
  const files = { 'auth.yaml': configuration(), junk: 'abc', unknown };
  const { code, stderr } = await ask(files, ...more);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

const serverNames: Partial<CertificateSpec> = { san: [['dns', 'localhost']], eku: ['serverAuth'] };
const replaceFirst =
  'The certificate of the issuer cannot be verified with the certificate authority above. Replace it first.';

test.each([
  ['without the CA flag', { ca: false }, 'has no CA flag', 'parent certificate cannot sign'],
  ['that is expired', { ca: true, notBefore: -7200, notAfter: -3600 }, 'expired at', 'has expired'],
])('names a certificate authority %s as the cause', async (_, spec, problem, reason) => {
  const root = makeCert({ subject: [['CN', 'root']], ...spec });
  const certificate = makeCert({ subject: [['CN', 'localhost']], ...serverNames }, root);
  const options = { cert: certificate.pem, key: certificate.keyPem };
  const other = await listenOnLoopback(createServer(options, (__, response) => response.end('{}')));
  const url = `https://localhost:${other.port}`;
  const { code, stdout } = await ask({ 'auth.yaml': configuration({ url, pem: root.pem }) });
  await other.close();
  expect(code).toBe(1);
  expect(stdout).toContain(`! issuer.certificateAuthority: certificate "root"`);
  expect(stdout).toContain(problem);
  expect(stdout).toContain(reason);
  expect(stdout).toContain(replaceFirst);
  expect(stdout).not.toMatch(/UNSPECIFIED|curl|TLS 1\.2|clock of this machine/);
});

test('a leaf in place of the authority that does not verify the server is the cause', async () => {
  publish();
  const leaf = stranger.issue();
  const { stdout } = await ask({ 'auth.yaml': configuration({ pem: leaf.pem }) });
  expect(stdout).toContain('is the certificate of a server or client');
  expect(stdout).toContain(replaceFirst);
});

test('an unusable authority next to a good one is reported, and the issuer is reached', async () => {
  publish();
  const { code, stdout } = await ask({
    'auth.yaml': configuration({ pem: authority.pem + stranger.issue().pem }),
  });
  expect(code).toBe(0);
  expect(stdout).toContain('The issuer can be reached now');
});
