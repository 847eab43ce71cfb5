/** The Access Changes view and its Markdown report decide and count samples alike. */
import { expect, onTestFinished, test } from 'vitest';
import {
  type ChangeMarkdown,
  type ChangeReport,
  changeMarkdownRequest,
  changeRequest,
} from '../../language-server/src/protocol.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const issuer = 'https://a.example';
const entry = `- issuer: { url: ${issuer}, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: 'old:' } }
`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
${entry}`;

/** Returns the view's report and the Markdown of the same change. */
const changesOf = async (change: {
  readonly before: string;
  readonly after: string;
  readonly files?: Readonly<Record<string, object>>;
  readonly tokens?: Readonly<Record<string, object>>;
  /** The texts of samples before the change. */
  readonly earlier?: Readonly<Record<string, object>>;
}) => {
  const { before, after, files = {}, tokens = {}, earlier } = change;
  const sampleUri = (name: string): string => `${workspaceUri}/${name}.claims.json`;
  const client = await languageClient({
    files: new Map([
      [uri, before],
      ...Object.entries(files).map(
        ([name, claims]) => [sampleUri(name), JSON.stringify(claims)] as const,
      ),
    ]),
  });
  onTestFinished(() => client.close());
  await client.open(uri, after);
  for (const [name, claims] of Object.entries(tokens)) {
    const token = { name, claims: JSON.stringify(claims), signature: 'signature not checked' };
    await client.connection.sendRequest('authgraph/memorySample', token);
  }
  const samples = Object.entries(earlier ?? {}).map(([name, claims]) => ({
    uri: sampleUri(name),
    text: JSON.stringify(claims),
  }));
  const params = { uri, ...(earlier === undefined ? {} : { against: before, samples }) };
  const { connection } = client;
  const view = await connection.sendRequest<ChangeReport>(changeRequest, params);
  const names = { before: 'old', after: 'new' };
  const report = await connection.sendRequest<ChangeMarkdown>(changeMarkdownRequest, {
    ...params,
    ...names,
  });
  expect(client.log).toEqual([]);
  return { view, text: 'text' in report ? report.text : report.problem };
};

const overallOf = ({ rows }: ChangeReport) =>
  rows.map(({ sample: { name }, kind, overall }) => `${name}: ${kind}, overall ${overall}`);

test('tokens in memory are decided like tokens in the view, and left out of the report', async () => {
  const { view, text } = await changesOf({
    before: configuration,
    after: configuration
      .replace('[app]', '[app, other], audienceMatchPolicy: MatchAny')
      .replace('old:', 'new:'),
    files: { file: { iss: issuer, sub: 'file' } },
    tokens: {
      expired: { iss: issuer, sub: 'secret-1', aud: 'app', exp: 1 },
      elsewhere: { iss: issuer, sub: 'secret-2', aud: 'zzz', exp: 9_999_999_999 },
      gains: { iss: issuer, sub: 'secret-3', aud: 'other', exp: 9_999_999_999 },
    },
  });
  expect(view.summary).toBe('1 of 4 samples gains access, 1 changes, 2 stay the same');
  expect(text).toContain('- **1 of 1 sample changes**\n- **3 samples in memory are left out**\n');
  expect(text).not.toMatch(/secret|expired|elsewhere/);
});

test('a claim that was renamed together with a sample changes nothing', async () => {
  const { view, text } = await changesOf({
    before: configuration,
    after: configuration.replace('claim: sub', 'claim: nick'),
    files: { jane: { iss: issuer, nick: 'jane' } },
    earlier: { jane: { iss: issuer, sub: 'jane' } },
  });
  expect(view.summary).toBe('nothing changes for 1 sample');
  expect(text).toContain('- **nothing changes for 1 sample**\n');
});

const mapOf = (name: string, jwt: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data:
  auth.yaml: |
${configuration.replace(entry, jwt).replaceAll(/^(?=.)/gm, '    ')}`;
const elsewhere = entry.replace('a.example', 'b.example');

test('a sample that another configuration accepts now changes, and is not locked out', async () => {
  const maps = (...entries: readonly [string, string]): string =>
    `${mapOf('n1', entries[0])}---\n${mapOf('n2', entries[1])}`;
  const { view, text } = await changesOf({
    before: maps(entry, elsewhere),
    after: maps(elsewhere, entry),
    files: { jane: { iss: issuer, sub: 'jane' } },
  });
  expect(view.summary).toBe('1 of 1 sample changes');
  expect(overallOf(view)).toEqual(['jane: lost, overall changed', 'jane: gained, overall changed']);
  expect(text).toMatch(/^All configurations:\n\n- \*\*1 of 1 sample changes\*\*\n\n### /);
  expect(text).not.toContain('the only sample');
  expect(text.match(/sample changes/g)).toHaveLength(1);
  expect(text).toContain('lost: jane → old:jane');
});

test('a removed embedded configuration locks out, because the object is still valid', async () => {
  const { view, text } = await changesOf({
    before: mapOf('n1', entry),
    after: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: n1 }\n',
    files: { jane: { iss: issuer, sub: 'jane' } },
  });
  expect(view).not.toHaveProperty('loadFailures');
  expect(view.loss).toBe('jane can no longer log in');
  expect(text).toContain('- **the only sample that could log in before can no longer**\n');
});
