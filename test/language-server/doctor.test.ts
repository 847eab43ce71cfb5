/** The doctor request contacts a live server, and only where it is allowed to. */
import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { nodeIssuers } from '../../language-server/src/node-issuers.ts';
import type { DoctorReport } from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { testAuthority } from '../support/certificates.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const configuration = (url: string, pem: string) => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${url}
    certificateAuthority: ${JSON.stringify(pem)}
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "test:"}
`;

const startIssuer = async () => {
  const authority = testAuthority();
  const certificate = authority.issue();
  const requestedPaths: string[] = [];
  const server = createServer(
    { cert: certificate.pem, key: certificate.keyPem },
    (request, response) => {
      requestedPaths.push(request.url ?? '');
      response.writeHead(404).end('no');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    requestedPaths,
    text: configuration(`https://localhost:${address.port}`, authority.pem),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

test('contacts the issuer only on request, not when a configuration is opened', async () => {
  const { requestedPaths, text, close } = await startIssuer();
  const client = await languageClient({ issuers: async () => nodeIssuers() });
  await client.open(uri, text);
  await client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  expect(requestedPaths).toEqual([]);
  const report = await client.connection.sendRequest('authgraph/doctor', { uri });
  expect(requestedPaths).toEqual(['/.well-known/openid-configuration']);
  expect(report).toEqual({
    summary: '0 of 1 issuer ready',
    commandLine: 'authgraph doctor --config /workspace/auth.yaml',
    issuers: [
      {
        url: expect.stringMatching(/^https:\/\/localhost:/),
        well: false,
        findings: [
          {
            level: 'error',
            text: expect.stringContaining('no discovery document from'),
            help: expect.stringContaining('discoveryURL'),
          },
          { level: 'ok', text: 'its clock matches this one', help: '' },
        ],
      },
    ],
  });
  await client.close();
  await close();
});

test.each([
  [
    { iss: true, sub: 'ada', aud: 'app', exp: 4_102_444_800 },
    [{ level: 'ok', text: 'a token with the claims of ada is accepted as test:ada', help: '' }],
  ],
  [
    { iss: true, sub: 'ada', aud: 'other', exp: 4_102_444_800 },
    [
      {
        level: 'warning',
        text: 'ada: aud is "other"; a token requires one of ["app"]',
        help: expect.stringContaining('issuer.audiences'),
      },
    ],
  ],
  [
    { iss: true, aud: 'app', exp: 4_102_444_800 },
    [
      {
        level: 'warning',
        text: expect.stringContaining('the claims of ada are rejected: '),
        help: expect.any(String),
      },
    ],
  ],
  [{ iss: false, sub: 'ada', aud: 'other' }, []],
])('checks the sample %j against the configuration', async ({ iss, ...claims }, found) => {
  const { text, close } = await startIssuer();
  const issuer = /url: (.*)/.exec(text)?.[1];
  const sample = JSON.stringify({ ...claims, iss: iss ? issuer : 'https://other.example.com' });
  const client = await languageClient({
    issuers: async () => nodeIssuers(),
    files: new Map([[`${workspaceUri}/ada.claims.json`, sample]]),
  });
  await client.open(uri, text);
  await client.connection.sendRequest('authgraph/samples', {});
  const { issuers } = await client.connection.sendRequest<DoctorReport>('authgraph/doctor', {
    uri,
  });
  expect(issuers[0]?.findings.slice(2)).toEqual(found);
  await client.close();
  await close();
});

test.each([
  ['in a browser', {}, problems.inBrowser],
  [
    'without trust',
    { issuers: async () => nodeIssuers(), initializationOptions: { trusted: false } },
    problems.notTrusted,
  ],
])('contacts no issuer %s', async (_name, options, problem) => {
  const { requestedPaths, text, close } = await startIssuer();
  const client = await languageClient(options);
  await client.open(uri, text);
  const report = await client.connection.sendRequest('authgraph/doctor', { uri });
  expect(report).toEqual({ issuers: [], problem });
  expect(requestedPaths).toEqual([]);
  await client.close();
  await close();
});

test.each([
  ['', problems.noneOpen],
  [`${workspaceUri}/other.yaml`, problems.noConfiguration],
])('reports what is missing for the document %j', async (document, problem) => {
  const client = await languageClient({ issuers: async () => nodeIssuers() });
  const report = await client.connection.sendRequest('authgraph/doctor', { uri: document });
  expect(report).toEqual({ issuers: [], problem });
  await client.close();
});
