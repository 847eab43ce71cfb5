/** What an edit does to the samples: the text in the editor beside `saved.yaml`, or what is given. */

import { expect, test } from 'vitest';
import { type ChangeReport, changeRequest } from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
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
    ...report.rows.flatMap(({ kind, configuration, before, after, details, ...yaml }) => [
      configuration.title === undefined ? kind : `${kind} (${configuration.title})`,
      `  before: ${before}`,
      `  after:  ${after}`,
      ...details.map((detail) => `  * ${detail}`),
      `  yaml: ${summarize(yaml.beforeYaml)} => ${summarize(yaml.afterYaml)}`,
    ]),
  ].join('\n');
});

/** Kind and name, or code. */
const summarize = (yaml: string): string => {
  const of = (key: string) => new RegExp(`^\\s*${key}: (.*)$`, 'm').exec(yaml)?.[1] ?? '';
  return [of('kind'), of('apiVersion'), of('username') || of('code')].join(' ');
};

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "${prefix}" } }
`;

/** A workspace in which the prefix `old:` is saved, and the question what the open text changes. */
const savedWithOld = async () => {
  const uri = `${workspaceUri}/auth.yaml`;
  const files = new Map([
    [uri, configuration('old:')],
    [`${workspaceUri}/jane.claims.json`, '{"iss": "https://a.example", "sub": "jane"}'],
  ]);
  const client = await languageClient({ files });
  const ask = (): Promise<ChangeReport> => client.connection.sendRequest(changeRequest, { uri });
  return { uri, files, client, ask };
};

test('what is in the editor is compared with what is on disk', async () => {
  const { uri, files, client, ask } = await savedWithOld();
  try {
    await client.open(uri, configuration('new:'));
    await client.connection.sendRequest('authgraph/samples', {});
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

const replace = (client: LanguageClient, uri: string, version: number, text: string) =>
  client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ text }],
  });

test('a file that is being written is not what was saved', async () => {
  const { uri, files, client, ask } = await savedWithOld();
  try {
    await client.open(uri, configuration('old:'));
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    await replace(client, uri, 2, configuration('new:'));
    // The editor empties the file and then writes it; the question comes between the two.
    files.set(uri, '');
    const between = ask();
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect((await between).summary).toBe('nothing changes for 1 sample');
    // The editor has said so: the disk may take its time.
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri, type: 2 }],
    });
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    files.set(uri, configuration('new:'));
    await replace(client, uri, 3, configuration('newer:'));
    expect((await ask()).rows.map(({ details }) => details)).toEqual([
      ['username new:jane becomes newer:jane'],
    ]);
    expect(client.log).toEqual([]);
  } finally {
    await client.close();
  }
});

test('another program that writes the file is waited for', async () => {
  const { uri, files, client, ask } = await savedWithOld();
  try {
    await client.open(uri, configuration('new:'));
    files.set(uri, '');
    const reportPromise = ask();
    await client.connection.sendRequest('authgraph/samples', {});
    files.set(uri, configuration('other:'));
    expect((await reportPromise).rows.map(({ details }) => details)).toEqual([
      ['username other:jane becomes new:jane'],
    ]);
    // An empty file is one too, once it stays so.
    files.set(uri, '');
    expect((await ask()).rows.map(({ kind }) => kind)).toEqual(['gains']);
  } finally {
    await client.close();
  }
});

test('a file outside of the folders is compared with what was opened, and then saved', async () => {
  const uri = 'file:///elsewhere/auth.yaml';
  const { client } = await savedWithOld();
  const ask = (): Promise<ChangeReport> => client.connection.sendRequest(changeRequest, { uri });
  const changes = async () => (await ask()).rows.map(({ details }) => details);
  try {
    await client.open(uri, configuration('old:'));
    await replace(client, uri, 2, configuration('new:'));
    expect(await changes()).toEqual([['username old:jane becomes new:jane']]);
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    await replace(client, uri, 3, configuration('newer:'));
    expect(await changes()).toEqual([['username new:jane becomes newer:jane']]);
    // The answer before was not the last that is known.
    expect(await changes()).toEqual([['username new:jane becomes newer:jane']]);
  } finally {
    await client.close();
  }
});

test.each([
  ['has no file yet', 'untitled:Untitled-1', configuration('old:')],
  ['is yet to be made', 'file:///elsewhere/new.yaml', ''],
])('a document that %s has nothing to compare with', async (_, uri, opened) => {
  const { client } = await savedWithOld();
  try {
    await client.open(uri, opened);
    await replace(client, uri, 2, configuration('new:'));
    const { problem } = await client.connection.sendRequest<ChangeReport>(changeRequest, { uri });
    expect(problem).toBe(problems.notSaved);
  } finally {
    await client.close();
  }
});
