/** Starts the main commands of an executable for this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../run-program.ts';

export interface ExecutableTrial {
  /** The tree of the commit, for its samples. */
  readonly source: string;
  readonly version: string;
  readonly scratch: string;
}

/** Throws if a command prints something else than it should. */
export const tryExecutable = async (
  executable: string,
  { source, version, scratch }: ExecutableTrial,
): Promise<void> => {
  const folder = join(scratch, 'trial');
  mkdirSync(folder);
  const sample = join(source, 'samples/jwt/keycloak.yaml');
  const claims = join(source, 'samples/jwt/keycloak.claims.json');
  const expectOutput = async (args: readonly string[], pattern: RegExp): Promise<void> => {
    const output = await runProgram(executable, args, { cwd: folder });
    if (!pattern.test(output))
      throw new Error(`authgraph ${args.join(' ')} of the executable printed:\n${output}`);
  };
  await expectOutput(['--version'], new RegExp(`^authgraph ${version.replaceAll('.', '\\.')}\n$`));
  await expectOutput(
    ['check', '--output=json', sample],
    /"summary": \{\s+"files": 1,\s+"errors": 0,/,
  );
  await expectOutput(['whoami', '--config', sample, '--claims', claims], /^accepted\n/);
  await expectOutput(['diff', sample, sample, '--claims', claims], /\S/);
  await expectOutput(['explain', 'AG4026'], /What it means/);
  await tryServer(executable, { folder, version });
  await tryLanguageServer(executable, folder);
};

/** Starts the server with a store and compares its version. */
const tryServer = async (
  executable: string,
  { folder, version }: { readonly folder: string; readonly version: string },
): Promise<void> => {
  const port = await freePort();
  writeFileSync(join(folder, 'tokens.csv'), 'a-token-of-the-trial,admin,1,system:masters\n', {
    mode: 0o600,
  });
  const args = [
    'serve',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--token-auth-file=tokens.csv',
    `--store-path=${join(folder, 'store')}`,
  ];
  const child = spawn(executable, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'exit');
  let answer: unknown;
  for (let tries = 0; tries < 150 && child.exitCode === null; tries += 1) {
    answer = await versionOf(port);
    if (answer !== undefined) break;
    await pause(100);
  }
  child.kill('SIGTERM');
  await ended;
  if (!String(answer).endsWith(`+authgraph-${version}`) || child.exitCode !== 0)
    throw new Error(
      `serve of the executable returned the version ${answer} and ended with ${child.exitCode}:\n${(await output).join('')}`,
    );
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Returns `gitVersion` of /version; `undefined` if the server is not ready. */
const versionOf = (port: number): Promise<unknown> =>
  new Promise((resolve) => {
    const call = request(
      // Its certificate is its own.
      { host: '127.0.0.1', port, path: '/version', rejectUnauthorized: false },
      (response) => {
        text(response).then(
          (body) => resolve(JSON.parse(body).gitVersion),
          () => resolve(undefined),
        );
      },
    );
    call.on('error', () => resolve(undefined)).end();
  });

/** Initializes the language server, and ends it as an editor does. */
const tryLanguageServer = async (executable: string, folder: string): Promise<void> => {
  const child = spawn(executable, ['lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const output = text(child.stdout);
  const params = { processId: process.pid, rootUri: null, capabilities: {} };
  send(child, { id: 1, method: 'initialize', params });
  send(child, { method: 'initialized', params: {} });
  send(child, { id: 2, method: 'shutdown' });
  send(child, { method: 'exit' });
  await ended;
  clearTimeout(timer);
  if (child.exitCode !== 0 || !(await output).includes('"capabilities"'))
    throw new Error(`lsp of the executable ended with ${child.exitCode}:\n${await output}`);
};

const send = (child: ChildProcess, message: object): void => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
