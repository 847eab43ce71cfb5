/** Signals that operators send to `authgraph serve`: SIGHUP reloads, SIGUSR1 does not open the inspector. */
import { spawn } from 'node:child_process';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';
import { stopProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const { path: folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const configuration = (audience: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "https://127.0.0.1:1", audiences: [${audience}]}
  claimMappings: {username: {claim: sub, prefix: ""}}
`;

let child: ReturnType<typeof spawn>;
let port = 0;
let output = '';
const until = async (pattern: string): Promise<void> => {
  while (!output.includes(pattern)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(output);
    await pause(20);
  }
};

beforeAll(async () => {
  const authority = testAuthority();
  const pair = authority.issue();
  writeFileSync(at('auth.yaml'), configuration('one'));
  writeFileSync(at('tls.crt'), pair.pem);
  writeFileSync(at('tls.key'), pair.keyPem, { mode: 0o600 });
  writeFileSync(at('ca.crt'), authority.pem);
  writeFileSync(at('tokens.csv'), 'first-token,ada,1\n', { mode: 0o600 });
  port = await freePort();
  child = spawn(
    process.execPath,
    [
      ...[
        '--conditions=source',
        '--import',
        hideChanges(),
        main,
        'serve',
        '--bind-address=127.0.0.1',
      ],
      ...[`--secure-port=${port}`, '--store=memory', `--authentication-config=${at('auth.yaml')}`],
      ...[`--tls-cert-file=${at('tls.crt')}`, `--tls-private-key-file=${at('tls.key')}`],
      ...[`--client-ca-file=${at('ca.crt')}`, `--token-auth-file=${at('tokens.csv')}`],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  await until(' serves ');
}, 60_000);
afterAll(async () => {
  await stopProcess(child);
});

/** Disables the file watches of the process and its poll, so that only SIGHUP reloads. */
const hideChanges = (): string => {
  const text = `import fs from 'node:fs';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
fs.watch = () => Object.assign(new EventEmitter(), { close() {} });
syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
};

const statusOf = async (token: string): Promise<number> =>
  (await sendHttps({ port, path: '/livez', token })).status;

test('SIGUSR1 opens no inspector and the server goes on', async () => {
  child.kill('SIGUSR1');
  await until('SIGUSR1 ignored: the inspector stays closed');
  await pause(100);
  expect(output).not.toContain('Debugger listening');
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(9229, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
  expect(answers).toBe(false);
  expect(await statusOf('first-token')).toBe(200);
});

test('SIGHUP reloads configuration, certificates and authorities, and not the token file', async () => {
  const next = testAuthority('next');
  const pair = next.issue();
  writeFileSync(at('auth.yaml'), configuration('two'));
  writeFileSync(at('tls.crt'), pair.pem);
  writeFileSync(at('tls.key'), pair.keyPem);
  writeFileSync(at('ca.crt'), next.pem);
  writeFileSync(at('tokens.csv'), 'second-token,ada,1\n');
  const later = new Date(statSync(at('auth.yaml')).mtimeMs + 5_000);
  utimesSync(at('auth.yaml'), later, later);
  await pause(100);
  expect(output).not.toContain('reloaded');
  child.kill('SIGHUP');
  await until('SIGHUP: reading the watched files again');
  await until('serving certificate reloaded');
  await until('certificate authorities reloaded');
  // Its issuer does not answer, so the new graph waits; the file was read.
  await until('waiting up to a minute for issuers');
  expect(await statusOf('first-token')).toBe(200);
  expect(await statusOf('second-token')).toBe(401);
});

test('a second SIGHUP is harmless, and SIGTERM still ends the process', async () => {
  child.kill('SIGHUP');
  child.kill('SIGHUP');
  await pause(100);
  expect(child.exitCode).toBeNull();
  expect(await statusOf('first-token')).toBe(200);
}, 30_000);

test('a server that was started by npx ends with its shell', async () => {
  const own = await freePort();
  const flags = [
    '--bind-address=127.0.0.1',
    `--secure-port=${own}`,
    '--enable-bootstrap-token-auth',
  ];
  const node = [process.execPath, '--conditions=source', main, 'serve', ...flags];
  // The second command keeps the shell from being replaced by the first.
  const shell = spawn('sh', ['-c', '"$@"; true', 'sh', ...node], {
    cwd: folder,
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = Promise.all(
    [shell.stdout, shell.stderr].map(async (stream) => {
      for await (const chunk of stream) printed += String(chunk);
    }),
  );
  while (!printed.includes(' serves ')) {
    if (shell.exitCode !== null) throw new Error(printed);
    await pause(20);
  }
  shell.kill('SIGTERM');
  // The streams end with the server, not with the shell.
  await ended;
  expect(shell.signalCode).toBe('SIGTERM');
  expect(printed).toContain('"message":"shut down"');
}, 60_000);
