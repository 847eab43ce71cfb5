/** The URLs that the doctor would contact. */
import { expect, test } from 'vitest';
import { issuerUrlsRequest } from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { languageClient } from '../support/language-client.ts';

const entry = (url: string, discovery = ''): string => `- issuer:
    url: ${url}
${discovery}    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: ""}
`;
const file = (...entries: readonly string[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
${entries.length === 0 ? '' : `jwt:\n${entries.join('')}`}`;

const other = '    discoveryURL: https://inside.example/.well-known/openid-configuration\n';

test.each([
  ['one', file(entry('https://a.example')), { urls: ['https://a.example'] }],
  [
    'the discovery URL is contacted',
    file(entry('https://a.example', other)),
    { urls: ['https://inside.example/.well-known/openid-configuration'] },
  ],
  ['none', file(), { urls: [], problem: problems.noIssuer }],
  ['errors', file(entry('http://a.example')), { urls: [], problem: problems.hasErrors }],
  [
    'another entry has errors',
    file(entry('http://a.example'), entry('https://b.example')),
    { urls: ['https://b.example'] },
  ],
  ['another file', 'kind: Pod\n', { urls: [], problem: problems.noConfiguration }],
])('%s', async (_, text, answer) => {
  const client = await languageClient();
  await client.open('file:///workspace/a.yaml', text);
  const params = { uri: 'file:///workspace/a.yaml' };
  expect(await client.connection.sendRequest(issuerUrlsRequest, params)).toEqual(answer);
  expect(await client.connection.sendRequest(issuerUrlsRequest, {})).toMatchObject({ urls: [] });
  await client.close();
});
