/**
 * A file whose analysis takes long, in the process and in a browser: other files are still served.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { noFiles } from '../../language-server/src/files.ts';
import {
  changeRequest,
  graphRequest,
  memorySampleRequest,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { runCaptured } from '../support/captured-io.ts';
import { connectionTo } from '../support/language-client.ts';
import { codesOfText, slowConfiguration } from '../support/slow-configuration.ts';

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');

const small = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "http://issuer.example", audiences: [app]}
  claimMappings: {username: {claim: sub, prefix: ""}}
`;

const processConnection = (): ProtocolConnection => {
  const child = spawn(process.execPath, [
    ...['--conditions=source', '--no-warnings', main, 'lsp', '--stdio'],
  ]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
};

/** Connects to a server without files and threads, as in a browser. */
const browserConnection = (): ProtocolConnection =>
  connectionTo({ files: () => noFiles, now: () => 0 });

const hosts = [
  ['the process', processConnection],
  ['a browser', browserConnection],
] as const;

const startClient = async (connection: ProtocolConnection, settings: object) => {
  const log: string[] = [];
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    log.push(message);
  });
  let refreshes = 0;
  connection.onRequest('workspace/diagnostic/refresh', () => {
    refreshes += 1;
    return null;
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly object[] }) =>
    items.map(() => settings),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const open = (uri: string, text: string) =>
    connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  const codesOf = async (uri: string): Promise<readonly string[]> => {
    const report: { readonly items: readonly { readonly code: string }[] } =
      await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
    return report.items.map(({ code }) => code);
  };
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      textDocument: { diagnostic: {} },
    },
  });
  await connection.sendNotification('initialized', {});
  return { connection, log, open, codesOf, refreshes: () => refreshes };
};

/** Returns why graph, whoami and change have no result for an existing sample. */
const problemsOf = async (
  { connection }: Awaited<ReturnType<typeof startClient>>,
  uri: string,
): Promise<readonly (string | undefined)[]> => {
  const claims = '{"iss": "https://issuer-0.example", "aud": "app", "sub": "jane"}';
  await connection.sendRequest(memorySampleRequest, { name: 'jane', claims });
  const requests = [
    connection.sendRequest<Problem>(graphRequest, { uri }),
    connection.sendRequest<Problem>(whoamiRequest, { uri, samples: 'all' }),
    connection.sendRequest<Problem>(changeRequest, {
      uri,
      against: `${slowConfiguration(40_000)}# before\n`,
    }),
  ];
  return (await Promise.all(requests)).map(({ problem }) => problem);
};

interface Problem {
  readonly problem?: string;
}

/**
 * Requests the diagnostics of another file until those of the slow file arrive, and counts the
 * answers received meanwhile.
 */
const answersMeanwhile = async (
  { codesOf }: Awaited<ReturnType<typeof startClient>>,
  slowUri: string,
  expected: readonly string[],
): Promise<{ readonly codes: readonly string[]; readonly answers: number }> => {
  let answers = 0;
  let codes: readonly string[] | undefined;
  void codesOf(slowUri).then((found) => {
    codes = found;
  });
  while (codes === undefined) {
    expect(await codesOf('file:///small.yaml')).toEqual(expected);
    if (codes === undefined) answers += 1;
    await pause(10);
  }
  return { codes, answers };
};

describe.each(hosts)('in %s', (_, connect) => {
  test('stops the analysis with a reason, serves other files, and analyzes a change', async () => {
    const server = await startClient(connect(), { analysisTimeout: 3000 });
    const { connection, log, open, codesOf, refreshes } = server;
    await open('file:///small.yaml', small);
    const expected = await codesOf('file:///small.yaml');
    expect(expected.length).toBeGreaterThan(0);

    await open('file:///slow.yaml', slowConfiguration(1_000_000));
    const { codes, answers } = await answersMeanwhile(server, 'file:///slow.yaml', expected);
    // Other answers arrived during the analysis, and the server requested a refresh.
    expect(answers).toBeGreaterThan(0);
    expect(refreshes()).toBeGreaterThan(0);
    expect(codes).toEqual(['AG5103']);
    expect(log.filter((line) => line.includes('slow.yaml'))).toEqual([
      '"file:///slow.yaml": The analysis of this file was stopped: it took longer than 3 s (setting authgraph.analysisTimeout). It runs again when the file changes; make the file smaller or split long expressions.',
    ]);
    expect(await codesOf('file:///slow.yaml')).toEqual(['AG5103']);
    expect(await problemsOf(server, 'file:///slow.yaml')).toEqual([
      problems.notAnalyzed,
      problems.notAnalyzed,
      problems.notAnalyzed,
    ]);

    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: 'file:///slow.yaml', version: 2 },
      contentChanges: [{ text: small }],
    });
    expect(await codesOf('file:///slow.yaml')).toEqual(expected);
  }, 120_000);

  test('serves a long file that is analyzed in time, and other files meanwhile', async () => {
    const server = await startClient(connect(), { analysisTimeout: 60_000 });
    const { connection, open, codesOf } = server;
    await open('file:///small.yaml', small);
    const expected = await codesOf('file:///small.yaml');
    const text = slowConfiguration(50_000);
    await open('file:///long.yaml', text);
    // These requests wait as well, rather than report that the file has no configuration.
    const pending = problemsOf(server, 'file:///long.yaml');
    const { codes, answers } = await answersMeanwhile(server, 'file:///long.yaml', expected);
    expect(answers).toBeGreaterThan(0);
    expect(await pending).toEqual([undefined, undefined, undefined]);
    expect(codes.toSorted()).toEqual(codesOfText(text).toSorted());
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: 'file:///long.yaml', version: 2 },
      contentChanges: [{ text: text.replace('app', 'apps') }],
    });
    expect(await codesOf('file:///long.yaml')).toEqual(codes);
  }, 120_000);
});

test('check finishes on such a file', async () => {
  const { code } = await runCaptured(['check', 'slow.yaml'], {
    files: { 'slow.yaml': slowConfiguration(200_000) },
  });
  expect(code).toBe(0);
}, 120_000);
