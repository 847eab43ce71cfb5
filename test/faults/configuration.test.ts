/**
 * F-9, F-10: a configuration that changes all the time, broken half of the time, written in pieces,
 * swapped or removed. Each response must follow a configuration that was in service then.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { identityOf } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  call,
  configurationText,
  createEnvironment,
  leaks,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report, until } from './parts/form.ts';
import type { Question, Tally } from './parts/questions.ts';
import { type Served, serve } from './parts/served.ts';

let environment: TestEnvironment;
let server: Served;
let ada: Question;
let file = '';

/** The authority is last, so a truncated text is never a configuration. */
const goodText = (generation: number): string => {
  const [issuer] = environment.issuers;
  const prefix = JSON.stringify(`g${generation}:`);
  const text = configurationText([
    '- claimMappings:',
    `    username: {claim: sub, prefix: ${prefix}}`,
    `    groups: {claim: groups, prefix: ${prefix}}`,
    '  issuer:',
    `    url: ${issuer?.url}`,
    '    audiences: [app]',
    '    certificateAuthority: |',
    environment.authority.pem.trimEnd().replaceAll(/^/gm, '      '),
  ]);
  generations.set(createHash('sha256').update(text).digest('hex'), generation);
  return text;
};

/** All valid texts by their digest. */
const generations = new Map<string, number>();

/** Texts that kube-apiserver rejects. */
const brokenTexts: readonly string[] = cases<
  { readonly op: string; readonly config: string; readonly featureGates?: unknown },
  { readonly ok: boolean }
>('conformance/config-validation.jsonl').flatMap(({ input, expected }) =>
  input.op === 'validate' && !expected.ok && input.featureGates === undefined ? [input.config] : [],
);

beforeAll(async () => {
  environment = await createEnvironment({ issuers: 1 });
  const [issuer] = environment.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  ada = await personOf(issuer, 0, 'ada');
  file = join(environment.folder, 'live', 'authentication.yaml');
  mkdirSync(join(environment.folder, 'live'));
  writeFileSync(file, goodText(0));
  const rest = environment.args.filter((flag) => !flag.startsWith('--authentication-config='));
  server = await serve({
    folder: environment.folder,
    args: [`--authentication-config=${file}`, ...rest],
  });
});
afterAll(async () => {
  await server.stop();
  environment.end();
});

let generation = 0;

/** Returns the configuration of a response, whose name and group must belong to the same one. */
const generationOf = (answer: string): number | 'mixed' | undefined => {
  const found = /^g(\d+):ada \[g(\d+):team\]$/.exec(answer);
  if (found === null) return undefined;
  return found[1] === found[2] ? Number(found[1]) : 'mixed';
};

/** Returns the configurations that the server reported as reloaded, with their times. */
const installed = (): readonly (readonly [generation: number | 'broken', atMs: number])[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('"message":"reloaded authentication config"'))
    .map((line) => {
      const { hash, time } = JSON.parse(line);
      return [generations.get(hash) ?? 'broken', Date.parse(time)];
    });

/** A response follows a configuration that was in service within the last two seconds. */
const liveMs = 2_000;
/** The delay between the swap and its log line. */
const reportDelayMs = 100;

/** Returns the first responses that no configuration in service explains. */
const unexplained = (history: Tally['history']): readonly string[] => {
  const live = installed();
  return history
    .flatMap(([askedAt, answeredAt, , answer]) => {
      const number = generationOf(answer);
      if (number === undefined || number === 'mixed') return [`${answer} at ${askedAt}`];
      const at = live.findLastIndex(([one]) => one === number);
      const from = live[at]?.[1] ?? 0;
      const to = live[at + 1]?.[1] ?? Number.POSITIVE_INFINITY;
      const explained = from - reportDelayMs <= answeredAt && askedAt <= to + liveMs;
      return explained ? [] : [`${answer}, asked at ${askedAt}, live from ${from} to ${to}`];
    })
    .slice(0, 5);
};

const someChanges = 4;

/**
 * Changes the configuration about every 100 ms, valid and broken alternately; `write` stores a text
 * in its own way.
 */
const underChange = async (
  seconds: number,
  write: (text: string) => Promise<void>,
): Promise<{
  readonly tally: Tally;
  readonly strange: readonly string[];
  readonly seen: number;
}> => {
  // `expected` is empty: the history is compared with the written texts.
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 40,
    history: true,
    questions: [{ ...ada, expected: [] }],
  });
  const endAt = performance.now() + seconds * 1_000;
  const lastAt = endAt + seconds * 5_000;
  const before = installed().length;
  // Which texts the server reads is random: several have to be loaded before the result is
  // meaningful.
  const goesOn = (now: number): boolean =>
    now < endAt || (now < lastAt && installed().length < before + someChanges);
  for (let round = 0; goesOn(performance.now()); round += 1) {
    if (round % 2 === 0) {
      generation += 1;
      await write(goodText(generation));
    } else {
      const broken = brokenTexts[round % brokenTexts.length] ?? '{';
      await write(
        round % 4 === 1 ? broken : goodText(generation).slice(0, shortest + (round % 300)),
      );
    }
    // Out of step with the checks of the server.
    await pause(50 + Math.random() * 100);
  }
  const tally = await clients.stop();
  const strange = unexplained(tally.history);
  return {
    tally,
    strange,
    seen: new Set(tally.history.map(([, , , answer]) => answer)).size,
  };
};

/** A shorter text has no entry and would be a valid configuration. */
const shortest = 100;

/** Writes a last valid text, which must come into service. */
const settle = async (write: (text: string) => Promise<void>): Promise<number> => {
  generation += 1;
  const wanted = generation;
  await write(goodText(wanted));
  return until(async () => generationOf(await identityOf(server, ada.token)) === wanted, 10_000);
};

const inPlace = async (text: string): Promise<void> => {
  writeFileSync(file, text);
};

/** Writes as a careless program: truncated, then in three pieces. */
const inPieces = async (text: string): Promise<void> => {
  const handle = openSync(file, 'w');
  // The first piece may remain for a while on a busy machine: without an entry it would be a
  // configuration.
  const piece = Math.max(shortest + 1, Math.ceil(text.length / 3));
  for (let at = 0; at < text.length; at += piece) {
    writeSync(handle, text.slice(at, at + piece));
    await pause(10);
  }
  closeSync(handle);
};

let renames = 0;
const byRename = async (text: string): Promise<void> => {
  renames += 1;
  const next = `${file}.${renames}`;
  writeFileSync(next, text);
  renameSync(next, file);
};

/** Writes as a mounted ConfigMap: file → ..data → ..N, and `..data` is swapped. */
let swaps = 0;
const bySwap = async (text: string): Promise<void> => {
  const folder = join(environment.folder, 'live');
  const old = `..${swaps}`;
  swaps += 1;
  mkdirSync(join(folder, `..${swaps}`));
  writeFileSync(join(folder, `..${swaps}`, 'authentication.yaml'), text);
  symlinkSync(`..${swaps}`, join(folder, '..data.next'));
  renameSync(join(folder, '..data.next'), join(folder, '..data'));
  if (swaps === 1) {
    unlinkSync(file);
    symlinkSync('..data/authentication.yaml', file);
  }
  rmSync(join(folder, old), { recursive: true, force: true });
};

const reloads = async (status: string): Promise<number> => {
  const { body } = await call(server, 'GET', '/metrics');
  const line = new RegExp(`automatic_reloads_total\\{[^}]*status="${status}"[^}]*\\} (\\d+)`).exec(
    body,
  );
  return Number(line?.[1] ?? 0);
};

test('there are broken texts', () => {
  expect(brokenTexts.length).toBeGreaterThan(20);
});

test.each([
  ['F-9 written in three pieces', inPieces],
  ['F-9 written in place', inPlace],
  ['F-10 replaced by a rename', byRename],
  ['F-10 swapped by links, as a mount of a cluster is', bySwap],
] as const)(
  '%s: each response follows one valid configuration',
  async (name, write) => {
    await settle(write);
    const before = await server.vitals({ collect: true });
    const seconds = byRunLength(10, 150);
    const { tally, strange, seen } = await underChange(seconds, write);
    const during = await server.vitals({ collect: true });
    const liveAfterMs = await settle(write);
    report(name, {
      answers: tally.asked,
      'configurations seen': seen,
      failures: await reloads('failure'),
      'memory MB': during.rssMegabytes - before.rssMegabytes,
      'p99 ms': tally.p99Ms,
      'loop p99 ms': during.loopP99Ms,
      'live after ms': liveAfterMs,
    });
    expect(strange).toEqual([]);
    expect(tally.broken).toBe(0);
    expect(tally.asked).toBeGreaterThan(seconds * 5);
    expect(seen).toBeGreaterThan(1);
    expect(installed().filter(([one]) => one === 'broken')).toEqual([]);
  },
  400_000,
);

/**
 * Something else replaces the file: the old configuration stays in service, and a valid file is
 * loaded again.
 */
const unusualFiles: readonly (readonly [string, () => void, RegExp | undefined])[] = [
  ['deleted', () => rmSync(file, { force: true }), /no such file or directory/],
  [
    'a pipe without a writer',
    () => {
      rmSync(file, { force: true });
      spawnSync('mkfifo', [file]);
    },
    /./,
  ],
  [
    'of a gigabyte',
    () => {
      rmSync(file, { force: true });
      closeSync(openSync(file, 'w'));
      truncateSync(file, 2 ** 30);
    },
    /./,
  ],
  [
    'a folder',
    () => {
      rmSync(file, { force: true });
      mkdirSync(file);
    },
    /is a directory/,
  ],
  [
    'a link to itself',
    () => {
      rmSync(file, { force: true, recursive: true });
      symlinkSync(file, file);
    },
    /too many levels of symbolic links/,
  ],
  [
    'a device without end',
    () => {
      rmSync(file, { force: true, recursive: true });
      symlinkSync('/dev/zero', file);
    },
    /./,
  ],
];

test.each(unusualFiles)('F-10 the file is %s', async (name, happen, words) => {
  rmSync(file, { force: true, recursive: true });
  await settle(inPlace);
  const right = await identityOf(server, ada.token);
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 20,
    questions: [{ ...ada, expected: [right] }],
  });
  const failed = await reloads('failure');
  const said = server.output().length;
  await server.vitals();
  happen();
  await until(async () => (await reloads('failure')) > failed, 10_000);
  const { loopMaxMs, rssMegabytes } = await server.vitals();
  // The client process may have started late.
  await clients.tally();
  await pause(1_500);
  const tally = await clients.stop();
  rmSync(file, { force: true, recursive: true });
  const liveAfterMs = await settle(inPlace);
  report(`F-10 ${name}`, {
    'stall ms': loopMaxMs,
    'memory MB': rssMegabytes,
    'live after ms': liveAfterMs,
  });
  expect(tally.findings).toEqual([]);
  expect(tally.asked).toBeGreaterThan(5);
  expect(server.output().slice(said)).toMatch(words ?? /./);
  expect(loopMaxMs).toBeLessThan(2_000);
});

test('F-10 the file is unreadable, for a server that is not root', async () => {
  // Root can read everything, so the server runs as an unprivileged user with its own directory.
  const folder = join(environment.folder, 'unprivileged');
  mkdirSync(folder);
  const path = join(folder, 'authentication.yaml');
  const text = goodText(generation);
  writeFileSync(path, text);
  const id = 65_534;
  chownSync(folder, id, id);
  chownSync(path, id, id);
  chmodSync(environment.folder, 0o755);
  const other = await serve({
    folder,
    under: ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'],
    environment: { HOME: folder },
    args: [`--authentication-config=${path}`, '--store=memory'],
  });
  const answer = await identityOf(other, ada.token);
  chmodSync(path, 0);
  await until(() => other.output().includes('permission denied'), 10_000);
  expect(await identityOf(other, ada.token)).toBe(answer);
  expect(answer).toMatch(/^g\d+:ada/);
  chmodSync(path, 0o600);
  generation += 1;
  writeFileSync(path, goodText(generation));
  const wanted = `g${generation}:ada [g${generation}:team]`;
  await until(async () => (await identityOf(other, ada.token)) === wanted, 10_000);
  await other.stop();
});

test('G3, G5: the process runs, does not grow, and printed no token', async () => {
  const { rssMegabytes } = await server.vitals({ collect: true });
  expect(rssMegabytes).toBeLessThan(600);
  expect(leaks(server.output(), [ada])).toEqual([]);
});
