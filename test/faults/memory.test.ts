/**
 * F-20: a server in a small container under floods of everything that needs memory. It rejects
 * requests or closes connections, and lives. `AUTHGRAPH_FAULTS=long`: 256 and 512 MiB, a minute
 * each, ten minutes mixed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type MemoryGroup, memoryGroup } from '../support/memory-group.ts';
import { sendRequest } from './parts/ask.ts';
import { admin, createEnvironment, type TestEnvironment } from './parts/environment.ts';
import { byRunLength, report, until } from './parts/form.ts';
import { type Flood, startFlood } from './parts/memory-flood.ts';
import { type FloodKind, floodKinds } from './parts/memory-flood-messages.ts';

const program =
  process.env.AUTHGRAPH_PROGRAM ?? join(import.meta.dirname, '../../engine/src/cli/main.ts');
const mebibyte = 2 ** 20;
const fewSeconds = Number(process.env.AUTHGRAPH_FLOOD_SECONDS ?? byRunLength('20', '60'));
const mixedSeconds = Number(process.env.AUTHGRAPH_FLOOD_SECONDS ?? byRunLength('20', '600'));

const secrets = '/api/v1/namespaces/default/secrets';

type Question = Parameters<typeof sendRequest>[1];
type RequestBody = Parameters<typeof sendRequest>[2];

/** Bytes that are not UTF-8. */
const bytes = (count: number): string => '\u00a0'.repeat(count);

/** The body of a Secret with 10,000 invalid items in a list of its metadata. */
const bodyOf = (list: string, item: string): RequestBody => ({
  method: 'POST',
  body: `{"apiVersion":"v1","kind":"Secret","metadata":{"generateName":"x","${list}":[${Array.from({ length: 10_000 }, () => item).join()}]}}`,
});

let environment: TestEnvironment;
let group: MemoryGroup;
let server: ChildProcess;
let flood: Flood;

beforeEach(async () => {
  environment = await createEnvironment({ issuers: 1 });
});
afterEach(async () => {
  flood?.end();
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    const timer = setTimeout(() => server.kill('SIGKILL'), 15_000);
    await once(server, 'exit');
    clearTimeout(timer);
  }
  // The kernel removes a process from its group shortly after it ends.
  await until(() => isRemoved(group), 10_000);
  environment.end();
});

const isRemoved = (of: MemoryGroup | undefined): boolean => {
  try {
    of?.remove();
    return true;
  } catch {
    return false;
  }
};

/** Starts the server without an IPC channel, so that it can restart itself with its heap limit. */
const start = async (megabytes: number) => {
  group = memoryGroup(megabytes * mebibyte);
  const port = await freePort();
  const [shell = '', ...under] = group.under;
  const args = [
    ...environment.args.filter((arg) => !arg.startsWith('--store')),
    '--log-level=error',
  ];
  server = spawn(
    shell,
    [
      ...under,
      process.execPath,
      ...['--conditions=source', '--disable-warning=ExperimentalWarning', program, 'serve'],
      ...['--color=never', '--bind-address=127.0.0.1', `--secure-port=${port}`, ...args],
    ],
    { cwd: environment.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-20_000);
    });
  }
  const isAlive = () => server.exitCode === null && server.signalCode === null;
  await until(() => {
    if (!isAlive()) throw new Error(`the server does not start:\n${output}`);
    return output.includes(' serves ');
  }, 60_000);
  return { port, isAlive, output: () => output };
};

/**
 * Returns the peak resident memory, without the pages of program files, which the kernel can drop.
 */
const residentBytes = (): number => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return 1024 * (kibibytes('VmHWM') - kibibytes('RssFile'));
};

const sizes = byRunLength([256], [256, 512]);
const floods: readonly (readonly [string, readonly FloodKind[], number])[] = [
  ...floodKinds.map((kind) => [kind, [kind], fewSeconds] as const),
  ['everything', floodKinds, mixedSeconds],
];

test.each(
  sizes.flatMap((size) => floods.map(([name, kinds, seconds]) => ({ size, name, kinds, seconds }))),
)(
  'F-20 $size MiB, a flood of $name: rejected, and alive',
  async ({ size, name, kinds, seconds }) => {
    const [issuer] = environment.issuers;
    if (issuer === undefined) throw new Error('no issuer');
    flood = await startFlood(issuer);
    const { port, isAlive, output } = await start(size);
    const tally = await flood.run(kinds, { port, seconds, token: admin });
    const figures = {
      'memory limit MiB': size,
      seconds,
      opened: tally.opened,
      'closed by the server': tally.closed,
      'sent MB': tally.megabytesSent,
      answers: tally.answers,
      alive: isAlive(),
      'most of the group MB': group.peakBytes() / mebibyte,
      'limit reached': group.limitReached(),
      kills: group.kills(),
      'most resident MB': isAlive() ? residentBytes() / mebibyte : 0,
    };
    report(`F-20 ${name}`, figures);
    expect(isAlive(), output()).toBe(true);
    expect(group.kills()).toBe(0);
    expect(residentBytes()).toBeLessThan(size * mebibyte);
    const livez = await sendRequest({ port, timeoutMs: 60_000 }, { path: '/livez' });
    expect(livez).toMatchObject({ status: 200, body: 'ok' });
    const asked = await sendRequest({ port, timeoutMs: 60_000 }, { token: admin });
    expect(asked.status).toBe(201);
    const faults = Object.keys(tally.answers).filter((status) => /^5/.test(status));
    expect(faults.filter((status) => status !== '503' && status !== '504')).toEqual([]);
    expect(tally.opened).toBeGreaterThan(0);
  },
  1_000_000,
);

/** Requests that once took a hundred times their size in memory while the server handled them. */
const expensiveRequests: readonly (readonly [string, Question, RequestBody?])[] = [
  [
    'a group that is not UTF-8',
    { path: '/apis', headers: [['impersonate-group', bytes(1_000_000)]] },
  ],
  [
    'many bytes within the limit',
    { path: '/apis', headers: [['impersonate-group', bytes(65_000)]] },
  ],
  [
    'an extra value that is not UTF-8',
    { path: '/apis', headers: [['impersonate-extra-a', bytes(65_000)]] },
  ],
  ['many clauses of Accept', { path: '/version', headers: [['accept', 'a/b*/*,'.repeat(9_000)]] }],
  ['many requirements', { path: `${secrets}?labelSelector=${'a=b,'.repeat(250_000)}` }],
  ['requirements within the limit', { path: `${secrets}?labelSelector=${'a=b,'.repeat(16_000)}` }],
  [
    'owners without a name',
    { token: admin, path: secrets },
    bodyOf('ownerReferences', '{"uid":"1"}'),
  ],
  ['finalizers with two slashes', { token: admin, path: secrets }, bodyOf('finalizers', '"a/b/c"')],
];

test('F-20 256 MiB, single requests that need much memory: answered, and alive', async () => {
  const { port, isAlive, output } = await start(256);
  for (const [name, question, body] of expensiveRequests) {
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, () => sendRequest({ port }, question, body)),
    );
    expect(isAlive(), `${name}\n${output()}`).toBe(true);
    for (const answer of answers) {
      // A client that is still sending can see the connection close before it reads the response.
      if (answer.status === 'fulfilled') expect(answer.value.status, name).toBeLessThan(500);
    }
    const livez = await sendRequest({ port }, { path: '/livez' });
    expect(livez, name).toMatchObject({ status: 200, body: 'ok' });
  }
  report('F-20 expensive requests', { 'most of the group MB': group.peakBytes() / mebibyte });
  expect(group.kills()).toBe(0);
});
