/** A new sample starts with the issuer and audience of the configuration, in any YAML style. */
import { expect, test } from 'vitest';
import { sampleTemplateRequest } from '../../language-server/src/protocol.ts';
import { languageClient } from '../support/language-client.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const example = { iss: 'https://issuer.example.com', aud: 'my-cluster' };

test.each([
  [
    'plain',
    `${head}jwt:\n- issuer:\n    url: "https://a.example"\n    audiences:\n    - app\n    - web\n`,
    { iss: 'https://a.example', aud: 'app' },
  ],
  [
    'flow style',
    `${head}jwt: [{issuer: {audiences: ['a b', c], url: https://a.example/x}}]\n`,
    { iss: 'https://a.example/x', aud: 'a b' },
  ],
  [
    'ignores comments',
    `${head}# url: https://old.example\njwt:\n- issuer:\n    url: https://new.example\n`,
    { ...example, iss: 'https://new.example' },
  ],
  ['half-written', `${head}jwt:\n- issuer:\n    url: `, example],
  ['another file', 'kind: Pod\n', example],
])('%s', async (_, text, wanted) => {
  const client = await languageClient();
  await client.open('file:///workspace/a.yaml', text);
  const ask = async (params: object): Promise<unknown> => {
    const { claims } = await client.connection.sendRequest<{ readonly claims: string }>(
      sampleTemplateRequest,
      params,
    );
    return JSON.parse(claims);
  };
  expect(await ask({ uri: 'file:///workspace/a.yaml' })).toMatchObject(wanted);
  expect(await ask({})).toMatchObject(example);
  await client.close();
});
