/**
 * The effect of an edit on the samples: the open text compared with `saved.yaml` or another text.
 */

import { describe, expect, test } from 'vitest';
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

/** Returns kind and name, or the code. */
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

/**
 * Returns a workspace in which the prefix `old:` is saved, and a request for the changes of the
 * open text.
 */
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

test('compares the open text with the saved file', async () => {
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

test('does not take a partially written file for the saved one', async () => {
  const { uri, files, client, ask } = await savedWithOld();
  try {
    await client.open(uri, configuration('old:'));
    expect((await ask()).summary).toBe('nothing changes for 1 sample');
    await replace(client, uri, 2, configuration('new:'));
    // The editor empties the file before writing it; the request arrives in between.
    files.set(uri, '');
    const between = ask();
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect((await between).summary).toBe('nothing changes for 1 sample');
    // The editor reported the save, so the file on disk does not matter yet.
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

test('waits while another program writes the file', async () => {
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
    // An empty file counts once it stays empty.
    files.set(uri, '');
    expect((await ask()).rows.map(({ kind }) => kind)).toEqual(['gained']);
  } finally {
    await client.close();
  }
});

test('compares a file outside of the folders with its opened, later with its saved text', async () => {
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
    // The earlier answer must not replace the last known text.
    expect(await changes()).toEqual([['username new:jane becomes newer:jane']]);
  } finally {
    await client.close();
  }
});

test.each([
  ['is unsaved', 'untitled:Untitled-1', configuration('old:')],
  ['does not exist yet', 'file:///elsewhere/new.yaml', ''],
])('reports that a document that %s has no saved version', async (_, uri, opened) => {
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

describe('a rename of a claim in a configuration and a sample', () => {
  const configurationOf = (claim: string): string =>
    configuration('a:').replace('claim: sub', `claim: ${claim}`);
  const claimsOf = (claim: string): string =>
    JSON.stringify({ iss: 'https://a.example', [claim]: 'jane' });
  const uri = `${workspaceUri}/auth.yaml`;
  const sampleUri = `${workspaceUri}/jane.claims.json`;
  const withFiles = async (
    opened: { readonly config: string; readonly claims: string },
    params: object = {},
  ): Promise<ChangeReport> => {
    const files = new Map([
      [uri, configurationOf('login')],
      [sampleUri, claimsOf('login')],
    ]);
    const client = await languageClient({ files });
    try {
      await client.open(uri, opened.config);
      await client.open(sampleUri, opened.claims);
      await client.connection.sendRequest('authgraph/samples', {});
      return await client.connection.sendRequest<ChangeReport>(changeRequest, { uri, ...params });
    } finally {
      await client.close();
    }
  };
  const renamed = { config: configurationOf('nick'), claims: claimsOf('nick') };
  const earlier = {
    against: configurationOf('login'),
    samples: [{ uri: sampleUri, text: claimsOf('login') }],
  };

  test.each([
    ['unsaved', {}],
    ['saved', earlier],
    [
      'saved, with another spelling of the URI',
      {
        ...earlier,
        samples: [{ ...earlier.samples[0], uri: sampleUri.replace('jane', '%6Aane') }],
      },
    ],
  ])('changes nothing: %s', async (_, params) => {
    const { summary, loss, lockOut } = await withFiles(renamed, params);
    expect({ summary, loss, lockOut }).toEqual({ summary: 'nothing changes for 1 sample' });
  });
  test('locks the sample out if the sample is not renamed', async () => {
    const half = { config: renamed.config, claims: claimsOf('login') };
    expect((await withFiles(half)).loss).toBe('jane can no longer log in');
    expect((await withFiles(half, earlier)).loss).toBe('jane can no longer log in');
  });
  test('locks the sample out if a later rule rejects the renamed one', async () => {
    const config = `${renamed.config}  claimValidationRules: [{ claim: hd, requiredValue: x }]\n`;
    expect((await withFiles({ ...renamed, config }, earlier)).loss).toBe(
      'jane can no longer log in',
    );
  });
  test('an edit of the sample alone is no change of access', async () => {
    const edited = { config: configurationOf('login'), claims: claimsOf('other') };
    expect((await withFiles(edited)).summary).toBe('nothing changes for 1 sample');
    expect((await withFiles(edited, earlier)).summary).toBe('nothing changes for 1 sample');
  });
  test.each([['no claims'], ['{"sub": '], ['x'.repeat(2_000_000)]])(
    'earlier text that is not a sample is ignored: %#',
    async (text) => {
      const { loss } = await withFiles(renamed, {
        ...earlier,
        samples: [{ uri: sampleUri, text }],
      });
      expect(loss).toBeUndefined();
    },
  );
});

describe('the place of a loss', () => {
  const old = configuration('old:');
  const lineOf = (text: string, part: string): number =>
    text.split('\n').findIndex((line) => line.includes(part));
  test.each([
    [
      'is the rule that rejects the sample',
      `${old}  claimValidationRules:\n  - expression: claims.sub == 'joe'\n`,
      'claims.sub ==',
    ],
    ['is the audiences', old.replace('[app]', '[other]'), 'audiences'],
    ['is the URL of the entry that had the issuer', old.replace('a.example', 'b.example'), 'url:'],
    ['is unknown if the entry was removed', old.replace(/jwt:.*/s, 'jwt: []\n'), undefined],
  ])('%s', async (_, text, part) => {
    const uri = `${workspaceUri}/auth.yaml`;
    const claims = '{"iss": "https://a.example", "sub": "jane", "aud": "app"}';
    const client = await languageClient({
      files: new Map([
        [uri, old],
        [`${workspaceUri}/jane.claims.json`, claims],
      ]),
    });
    try {
      await client.open(uri, text);
      await client.connection.sendRequest('authgraph/samples', {});
      const { rows } = await client.connection.sendRequest<ChangeReport>(changeRequest, { uri });
      expect(rows.map(({ kind }) => kind)).toEqual(['lost']);
      expect(rows[0]?.place?.range.start.line).toBe(part && lineOf(text, part));
    } finally {
      await client.close();
    }
  });
});
