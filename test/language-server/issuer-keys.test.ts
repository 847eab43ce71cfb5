/** The keys of an issuer: asked of a real server, only where that may be, and without any token. */
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
    asked: received,
    issuer,
    text,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

const allowed = { issuers: async () => nodeIssuers() };

test('the issuer is asked by discovery, and its key set comes as it was written', async () => {
  const { asked, issuer, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  expect(asked).toEqual([]);
  const answer = await client.connection.sendRequest('authgraph/issuerKeys', { uri, issuer });
  expect(answer).toEqual({ keys });
  expect(asked).toEqual([
    { url: '/.well-known/openid-configuration', authorization: undefined },
    { url: '/keys', authorization: undefined },
  ]);
  await client.close();
  await close();
});

test('an odd key set is a problem, on one line', async () => {
  const { issuer, text, close } = await startIssuer('{"keys":[{"kty":"odd"}]}');
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
])('%s nobody is asked', async (_name, options, problem) => {
  const { asked, issuer, text, close } = await startIssuer();
  const client = await languageClient(options);
  await client.open(uri, text);
  expect(await client.connection.sendRequest('authgraph/issuerKeys', { uri, issuer })).toEqual({
    problem,
  });
  expect(asked).toEqual([]);
  await client.close();
  await close();
});

test.each([
  [{ uri, issuer: 'https://other.example' }],
  [{ uri: `${workspaceUri}/none.yaml`, issuer: 'https://localhost' }],
  [{ uri }],
  [null],
])('an issuer that the configuration does not have is not asked: %j', async (params) => {
  const { asked, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  expect(await client.connection.sendRequest('authgraph/issuerKeys', params)).toEqual({
    problem: problems.otherIssuer,
  });
  expect(asked).toEqual([]);
  await client.close();
  await close();
});

test('which address that is, is told before', async () => {
  const { asked, issuer, text, close } = await startIssuer();
  const client = await languageClient(allowed);
  await client.open(uri, text);
  const urlsOf = (named: string) =>
    client.connection.sendRequest('authgraph/issuerUrls', { uri, issuer: named });
  expect(await urlsOf(issuer)).toEqual({ urls: [issuer] });
  expect(await urlsOf('https://other.example')).toEqual({
    urls: [],
    problem: problems.otherIssuer,
  });
  expect(asked).toEqual([]);
  await client.close();
  await close();
});

test('what a client says of a signature stands in the list of samples', async () => {
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
  await expect(remember(token)).rejects.toThrow('this is a token, or holds one');
  await client.close();
});
