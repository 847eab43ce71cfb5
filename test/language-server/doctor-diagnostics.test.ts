/** The findings of the doctor as diagnostics, against a live issuer. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancellationTokenSource, type Diagnostic, LSPErrorCodes } from 'vscode-languageserver';
import { createDoctorResults, type IssuerNode } from '../../language-server/src/doctor-results.ts';
import { nodeIssuers } from '../../language-server/src/node-issuers.ts';
import {
  type DoctorParams,
  type DoctorReport,
  doctorRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LiveIssuer, startIssuer } from '../e2e/issuer.ts';
import {
  type LanguageClient,
  type LanguageClientOptions,
  languageClient,
  workspaceUri,
} from '../support/language-client.ts';

let issuer: LiveIssuer;
let client: LanguageClient;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(async () => {
  await client.close();
  await issuer.stop();
});

const uri = `${workspaceUri}/auth.yaml`;

const entry = (url: string, authority?: string): string => `- issuer:
    url: ${url}
    audiences: [cluster]
${authority === undefined ? '' : `    certificateAuthority: ${JSON.stringify(authority)}\n`}  claimMappings:
    username: {claim: sub, prefix: "${url}:"}
`;
const file = (...entries: readonly string[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
${entries.join('')}`;

/** A configuration of a reachable issuer and one with an untrusted certificate. */
const twoIssuers = (): string =>
  file(entry(issuer.url, issuer.authority), entry(`${issuer.url}/other`));
const urlLine = 10;

const start = async (text: string, options: LanguageClientOptions = {}): Promise<void> => {
  client = await languageClient({
    issuers: async () => nodeIssuers(),
    now: Date.now(),
    ...options,
  });
  await client.open(uri, text);
};

const runDoctor = (params: Partial<DoctorParams> = {}): Promise<DoctorReport> =>
  client.connection.sendRequest(doctorRequest, { uri, ...params });

/** The time that a busy machine needs. */
const patience = { timeout: 20_000 };

let version = 1;
const change = (text: string): Promise<void> => {
  version += 1;
  return client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ text }],
  });
};

/** Returns the diagnostics of the doctor, which have no code. */
const findings = async (): Promise<readonly Diagnostic[]> => {
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  return items.filter(({ code }) => code === undefined);
};

const untrusted = (url: string) => ({
  range: {
    start: { line: urlLine, character: 9 },
    end: { line: urlLine, character: 9 + url.length },
  },
  severity: 1,
  source: 'authgraph',
  message: expect.stringMatching(
    /^no discovery document from .*certificate signed by unknown authority\nIts certificate was issued by an untrusted CA\. Set issuer\.certificateAuthority/s,
  ),
});

test('shows problems on the URL until it changes', async () => {
  const text = twoIssuers();
  await start(text);
  expect(await findings()).toEqual([]);
  expect((await runDoctor()).summary).toBe('1 of 2 issuers ready');
  expect(await findings()).toEqual([untrusted(`${issuer.url}/other`)]);
  // Another change keeps them, at the new place.
  await change(`# A comment.\n${text}`);
  expect((await findings()).map(({ range }) => range.start.line)).toEqual([urlLine + 1]);
  await change(text.replace('/other', '/changed'));
  expect(await findings()).toEqual([]);
});

test('replaces the results of the last run, all or those of one issuer', async () => {
  await start(twoIssuers());
  await runDoctor();
  await runDoctor({ authenticator: 0 });
  expect(await findings()).toHaveLength(1);
  await change(file(entry(issuer.url, issuer.authority), entry(issuer.url)));
  await change(twoIssuers().replace(entry(issuer.url, issuer.authority), ''));
  expect((await runDoctor()).summary).toBe('0 of 1 issuer ready');
  await change(twoIssuers());
  expect(await findings()).toHaveLength(1);
  await change(file(entry(issuer.url, issuer.authority)));
  expect((await runDoctor()).summary).toBe('1 of 1 issuer ready');
  await change(twoIssuers());
  expect(await findings()).toEqual([]);
});

test('contacts only the URLs that were confirmed', async () => {
  await start(twoIssuers());
  const { issuers, summary } = await runDoctor({ urls: [issuer.url] });
  expect([issuers.map(({ url }) => url), summary]).toEqual([[issuer.url], '1 of 1 issuer ready']);
  expect(await findings()).toEqual([]);
  const before = issuer.received.length;
  expect(await runDoctor({ urls: ['https://before.example'] })).toEqual({
    issuers: [],
    problem: problems.issuersChanged,
  });
  expect(issuer.received).toHaveLength(before);
});

test('an older run does not replace the results of a newer one', async () => {
  await start(twoIssuers());
  const results = createDoctorResults();
  const node = { issuerUrl: 'https://a.example' } as IssuerNode;
  const [older, newer] = [results.nextRun(), results.nextRun()];
  const finding = { level: 'error', text: 'newer', help: '' } as const;
  results.record(uri, { run: newer, contacted: [{ node, findings: [finding] }], others: [] });
  results.record(uri, { run: older, contacted: [{ node, findings: [] }], others: [] });
  expect(results.of(uri)?.(node)).toEqual([finding]);
});

test('forgets the results of a closed document', async () => {
  await start(twoIssuers());
  await runDoctor();
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await client.open(uri, twoIssuers());
  expect(await findings()).toEqual([]);
});

test('contacts the issuers of the entries without errors', async () => {
  await start(`${twoIssuers()}${entry('http://plain.example')}`);
  const { commandLine, ...report } = await runDoctor();
  expect(report).toMatchObject({
    summary: '1 of 2 issuers ready',
    skipped: ['jwt[2] has 1 error (line 16)'],
    issuers: [{ well: true }, { well: false }],
  });
  // `authgraph doctor` would report the error.
  expect(commandLine).toBeUndefined();
  expect(await findings()).toEqual([untrusted(`${issuer.url}/other`)]);
});

test('reports its progress', async () => {
  await start(twoIssuers());
  const steps: object[] = [];
  client.connection.onNotification('$/progress', ({ token, value }) => {
    expect(token).toBe('mine');
    steps.push(value);
  });
  await runDoctor({ workDoneToken: 'mine' });
  expect(steps).toEqual([
    { kind: 'begin', title: 'Contacting issuers', cancellable: true, percentage: 0 },
    { kind: 'report', message: expect.stringMatching(/^1 of 2: https:/), percentage: 50 },
    { kind: 'report', message: expect.stringMatching(/^2 of 2: https:/), percentage: 100 },
    { kind: 'end' },
  ]);
});

test('a canceled run leaves the results of the last one', async () => {
  await start(twoIssuers());
  await runDoctor();
  const release = issuer.hold();
  const before = issuer.received.length;
  const source = new CancellationTokenSource();
  const canceled = client.connection.sendRequest(doctorRequest, { uri }, source.token);
  const outcome = expect(canceled).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
  await expect.poll(() => issuer.received.length, patience).toBeGreaterThan(before);
  source.cancel();
  await outcome;
  release();
  expect(await findings()).toEqual([untrusted(`${issuer.url}/other`)]);
  expect(client.log).toEqual([]);
});

test('pushes the findings to clients that do not pull diagnostics', async () => {
  const pushed: Diagnostic[][] = [];
  await start(twoIssuers(), { capabilities: {} });
  client.connection.onNotification('textDocument/publishDiagnostics', ({ diagnostics }) => {
    pushed.push(diagnostics);
  });
  await runDoctor();
  await expect.poll(() => pushed.at(-1), patience).toEqual([untrusted(`${issuer.url}/other`)]);
});
