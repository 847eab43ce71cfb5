/** `authgraph lsp` as a process: the protocol, the exit status, and a missing package. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const engine = join(import.meta.dirname, '../../engine');
const fromSource = ['--conditions=source', '--no-warnings'];

interface Running {
  readonly connection: ProtocolConnection;
  readonly ended: Promise<number | null>;
}

const start = (): Running => {
  const child = spawn(process.execPath, [
    ...fromSource,
    join(engine, 'src/cli/main.ts'),
    'lsp',
    '--stdio',
  ]);
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { connection, ended };
};

const initialize = ({ connection }: Running): Promise<unknown> =>
  connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });

test('answers, and ends with 0 after shutdown', async () => {
  const running = start();
  expect(await initialize(running)).toMatchObject({ serverInfo: { name: 'authgraph' } });
  await running.connection.sendRequest('shutdown');
  await running.connection.sendNotification('exit');
  expect(await running.ended).toBe(0);
});

test('ends with 1 without shutdown', async () => {
  const running = start();
  await initialize(running);
  await running.connection.sendNotification('exit');
  expect(await running.ended).toBe(1);
});

test('reports that the language server is not installed', () => {
  const { path: alone } = temporaryFolder(onTestFinished);
  cpSync(join(engine, 'src'), join(alone, 'src'), { recursive: true });
  cpSync(join(engine, 'package.json'), join(alone, 'package.json'));
  const run = spawnSync(
    process.execPath,
    [...fromSource, join(alone, 'src/cli/main.ts'), 'lsp', '--stdio'],
    { encoding: 'utf8' },
  );
  expect(run.stdout).toBe('');
  expect(run.stderr).toBe(
    'error: the language server is not installed\n  Install it alongside authgraph: npm install @authgraph/language-server\n',
  );
  expect(run.status).toBe(2);
});

test.each([
  ['a file', ['lsp', 'auth.yaml'], 2],
  ['another flag', ['lsp', '--pipe=x'], 2],
  ['help', ['lsp', '--help'], 0],
])('%s is answered without starting anything', async (_, args, code) => {
  expect((await runCaptured(args)).code).toBe(code);
});
