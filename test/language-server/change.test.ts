/** What an edit does to the samples: the text in the editor beside `saved.yaml`, or what is given. */

import { expect, test } from 'vitest';
import { problems } from '../../language-server/src/problems.ts';
import { type ChangeReport, changeRequest } from '../../language-server/src/protocol.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('change', async ({ client, uri, fixture }) => {
  const against = fixture.files.get('before.txt');
  const report = await client.connection.sendRequest<ChangeReport>(changeRequest, {
    uri,
    ...(against === undefined ? {} : { against, revision: 'HEAD' }),
  });
  return [
    ...(report.problem === undefined ? [] : [`problem: ${report.problem}`]),
    ...(report.summary === '' ? [] : [report.summary]),
    ...(report.lockOut === undefined ? [] : [`lock-out: ${report.lockOut}`]),
    ...(report.loss === undefined ? [] : [`loss: ${report.loss}`]),
    ...(report.commandLine === undefined ? [] : [`$ ${report.commandLine}`]),
    ...report.rows.flatMap(({ kind, before, after, details, beforeYaml, afterYaml }) => [
      `${kind}`,
      `  before: ${before}`,
      `  after:  ${after}`,
      ...details.map((detail) => `  * ${detail}`),
      `  yaml: ${brief(beforeYaml)} => ${brief(afterYaml)}`,
    ]),
  ].join('\n');
});

/** Kind and name, or code. */
const brief = (yaml: string): string => {
  const of = (key: string) => new RegExp(`^\\s*${key}: (.*)$`, 'm').exec(yaml)?.[1] ?? '';
  return [of('kind'), of('apiVersion'), of('username') || of('code')].join(' ');
};

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "${prefix}" } }
`;

test('what is in the editor is compared with what is on disk', async () => {
  const uri = `${workspaceUri}/auth.yaml`;
  const files = new Map([
    [uri, configuration('old:')],
    [`${workspaceUri}/jane.claims.json`, '{"iss": "https://a.example", "sub": "jane"}'],
  ]);
  const client = await languageClient({ files });
  try {
    await client.open(uri, configuration('new:'));
    await client.connection.sendRequest('authgraph/samples', {});
    const ask = (): Promise<ChangeReport> => client.connection.sendRequest(changeRequest, { uri });
    expect((await ask()).rows.map(({ details }) => details)).toEqual([
      ['username old:jane becomes new:jane'],
    ]);
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: configuration('old:') }],
    });
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    files.delete(uri);
    expect((await ask()).problem).toBe(problems.notSaved);
    expect(client.log).toEqual([]);
  } finally {
    await client.close();
  }
});
