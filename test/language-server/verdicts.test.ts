/** Verdicts and whoami reports: neither blocks other requests. */
import { afterEach, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import {
  type VerdictsReport,
  verdictsRequest,
  type WhoamiReport,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/auth.yaml`;
const configuration = (issuer: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: ${issuer}, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
  claimValidationRules:
  - { claim: hd, requiredValue: corp.example }
`;
const configMap = (name: string, text: string): string =>
  `kind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  auth.yaml: |\n${text.replace(/^/gm, '    ')}\n`;
const samples = (count: number): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      `${workspaceUri}/s${String(at).padStart(2, '0')}.claims.yaml`,
      `iss: https://a.example\naud: app\nsub: s${at}\n${at % 2 === 0 ? 'hd: corp.example\n' : ''}`,
    ]),
  );

const start = async (text: string, count: number): Promise<LanguageClient> => {
  client = await languageClient({ files: samples(count) });
  await client.open(uri, text);
  await client.connection.sendRequest('authgraph/samples', {});
  return client;
};

const verdictsOf = ({ connection }: LanguageClient, params: object): Promise<VerdictsReport> =>
  connection.sendRequest(verdictsRequest, { uri, ...params });

test('returns the same verdicts as whoami', async () => {
  const text = [
    configMap('one', configuration('https://a.example')),
    configMap('two', configuration('https://b.example')),
  ].join('---\n');
  const started = await start(text, 3);
  const { rows, problem } = await verdictsOf(started, { samples: 'all' });
  expect(problem).toBeUndefined();
  expect(rows.map(({ verdict }) => verdict)).toEqual([
    ...['accepted', 'rejected', 'accepted'],
    ...['noOpinion', 'noOpinion', 'noOpinion'],
  ]);
  const whoami = await started.connection.sendRequest<WhoamiReport>(whoamiRequest, {
    uri,
    samples: 'all',
  });
  expect(rows).toEqual(
    whoami.rows.map(({ sample, configuration, verdict, headline, authenticator }) => ({
      sample,
      configuration,
      verdict,
      headline,
      ...(authenticator === undefined ? {} : { authenticator }),
    })),
  );
});

test.each([
  ['no configuration is open', { uri: '' }, problems.noneOpen],
  ['there is no such sample', { samples: ['memory:7'] }, problems.noSuchSample],
])('reports that %s', async (_, params, problem) => {
  const started = await start(configuration('https://a.example'), 1);
  expect(await verdictsOf(started, params)).toEqual({ rows: [], problem });
});

test('reports an error that leaves the samples undecided', async () => {
  const text = configuration('https://a.example').replace(/username: .*/, 'username: {} }');
  const started = await start(text, 2);
  const { rows, problem } = await verdictsOf(started, { samples: 'all' });
  expect(problem).toBeUndefined();
  expect(rows.map(({ verdict, headline }) => `${verdict} ${headline}`)).toEqual([
    'undecided s00: jwt[0] has 1 error (line 5)',
    'undecided s01: jwt[0] has 1 error (line 5)',
  ]);
  const whoami = await started.connection.sendRequest<WhoamiReport>(whoamiRequest, {
    uri,
    samples: 'all',
  });
  expect(whoami.rows.map(({ reason, steps, yaml }) => ({ reason, steps, yaml }))).toEqual(
    rows.map(() => ({ reason: 'jwt[0] has 1 error (line 5)', steps: [], yaml: '' })),
  );
});

const costly = [
  [verdictsRequest, 40],
  [whoamiRequest, 6],
] as const;

test.each(costly)('%s with many samples does not block other requests', async (method, count) => {
  const { connection } = await start(configuration('https://a.example'), count);
  const order: string[] = [];
  const all = connection.sendRequest<VerdictsReport>(method, { uri, samples: 'all' });
  const pulled = connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  await Promise.all([
    all.then(({ rows }) => order.push(`${rows.length} rows`)),
    pulled.then(() => order.push('diagnostics')),
  ]);
  expect(order).toEqual(['diagnostics', `${count} rows`]);
});

test.each(costly)('%s ends when it is canceled', async (method) => {
  const { connection } = await start(configuration('https://a.example'), 400);
  const source = new CancellationTokenSource();
  const all = connection.sendRequest(method, { uri, samples: 'all' }, source.token);
  const ended = expect(all).rejects.toMatchObject({ code: -32800 });
  // After this answer the earlier request is in progress.
  await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  source.cancel();
  await ended;
});
