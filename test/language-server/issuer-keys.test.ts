/** Fetching an issuer's keys from a live server, only where it is allowed, and without a token. */
import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { createSigningKey, keySetOf } from '../../engine/src/node/mint.ts';
import { nodeIssuers } from '../../language-server/src/node-issuers.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { testAuthority } from '../support/certificates.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const keys = `${JSON.stringify(keySetOf([await createSigningKey('ES256', 'k')]))}\n`;

const startIssuer = async (answerKeys = keys) => {
  const authority = testAuthority();
  const certificate = authority.issue();
  const received: { readonly url: string; readonly authorization: string | undefined }[] = [];
  let issuer = '';
  const server = createServer(
    { cert: certificate.pem, key: certificate.keyPem },
    ({ url = '', headers }, response) => {
      received.push({ url, authorization: headers.authorization });
      const discovered = JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` });
      response.setHeader('content-type', 'application/json');
      response.end(url === '/keys' ? answerKeys : discovered);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  issuer = `https://localhost:${address.port}`;
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${issuer}
    certificateAuthority: ${JSON.stringify(authority.pem)}
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "test:"}
`;
  return {
    received,
    issuer,
    text,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

const allowed = { issuers: async () => nodeIssuers() };

test('fetches the key set through discovery, unchanged', async () => {
  const { received, issuer, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  expect(received).toEqual([]);
  const answer = await client.connection.sendRequest('authgraph/issuerKeys', { uri, issuer });
  expect(answer).toEqual({ keys });
  expect(received).toEqual([
    { url: '/.well-known/openid-configuration', authorization: undefined },
    { url: '/keys', authorization: undefined },
  ]);
  await client.close();
  await close();
});

test('contacts no URL but the one that was confirmed', async () => {
  const { received, issuer, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  const params = { uri, issuer, urls: ['https://before.example'] };
  const answer = await client.connection.sendRequest('authgraph/issuerKeys', params);
  expect([answer, received]).toEqual([{ problem: problems.issuersChanged }, []]);
  await client.close();
  await close();
});

test('reports a malformed key set on one line', async () => {
  const { issuer, text, close } = await startIssuer('{"keys":[{"kty":"unknown"}]}');
  const client = await languageClient(allowed);
  await client.open(uri, text);
  const answer = await client.connection.sendRequest('authgraph/issuerKeys', { uri, issuer });
  expect(answer).toEqual({ problem: expect.stringMatching(/^oidc: failed to decode keys: .*$/) });
  await client.close();
  await close();
});

test.each([
  ['in a browser', {}, problems.inBrowser],
  ['without trust', { ...allowed, initializationOptions: { trusted: false } }, problems.notTrusted],
])('contacts no issuer %s', async (_name, options, problem) => {
  const { received, issuer, text, close } = await startIssuer();
  const client = await languageClient(options);
  await client.open(uri, text);
  expect(await client.connection.sendRequest('authgraph/issuerKeys', { uri, issuer })).toEqual({
    problem,
  });
  expect(received).toEqual([]);
  await client.close();
  await close();
});

test.each([
  [{ uri, issuer: 'https://other.example' }],
  [{ uri: `${workspaceUri}/none.yaml`, issuer: 'https://localhost' }],
  [{ uri }],
  [null],
])('contacts no issuer that the configuration lacks: %j', async (params) => {
  const { received, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  expect(await client.connection.sendRequest('authgraph/issuerKeys', params)).toEqual({
    problem: problems.otherIssuer,
  });
  expect(received).toEqual([]);
  await client.close();
  await close();
});

test('returns the URL without contacting it', async () => {
  const { received, issuer, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  const urlsOf = (named: string) =>
    client.connection.sendRequest('authgraph/issuerUrls', { uri, issuer: named });
  expect(await urlsOf(issuer)).toEqual({ urls: [issuer] });
  expect(await urlsOf('https://other.example')).toEqual({
    urls: [],
    problem: problems.otherIssuer,
  });
  expect(received).toEqual([]);
  await client.close();
  await close();
});

test('lists the signature finding with the sample', async () => {
  const client = await languageClient();
  const remember = (signature: string) =>
    client.connection.sendRequest('authgraph/memorySample', {
      name: 'jane',
      claims: '{}',
      signature,
    });
  await remember('signature checked with keys.jwks.json');
  expect(await client.connection.sendRequest('authgraph/samples', {})).toMatchObject({
    samples: [{ name: 'jane', signature: 'signature checked with keys.jwks.json' }],
  });
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl';
  await expect(remember(token)).rejects.toThrow('this is or contains a token');
  await client.close();
});
