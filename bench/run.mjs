// Runs the peers in rotation (A B C, A B C, …), so that noise on a shared machine hits all alike,
// and compares processor time: a ratio holds only inside one round; what is printed is the median
// of the rounds' ratios.
// Peers on Node are warmed up for four seconds before each measure of W2 and W3, all alike: before
// that, much of their processor time is that of the compiler.
//
//   npm run bench -- [--rounds 5] [--ms 500] [--only W1,W2,W3,W4,W5,W6,W7,W8,W10] [--out result.jsonl]
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '500' },
    only: { type: 'string', default: 'W1,W2,W3,W4,W5,W6,W7,W8,W10' },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (options.help) {
  console.log(
    'npm run bench -- [--rounds 5] [--ms 500] [--only W1,W2,W3,W4,W5,W6,W7,W8,W10] [--out result.jsonl]',
  );
  process.exit(0);
}
const here = import.meta.dirname;
const cache = process.env.BENCH_CACHE ?? join(homedir(), '.cache/authgraph-bench');
const workload = join(here, 'workload');
const goPeer = join(cache, 'go-apiserver');
const wanted = new Set(options.only.split(','));
if (!existsSync(goPeer)) {
  console.error(
    `The Go peer is missing: run bench/setup.sh first (needs Go 1.26). Looked at ${goPeer}`,
  );
  process.exit(2);
}

const lines = [];
const keep = (line, round) => {
  const row = { ...line, round };
  lines.push(row);
  if (options.out !== undefined) appendFileSync(options.out, `${JSON.stringify(row)}\n`);
};

/** Runs a peer that prints one JSON line a measure. */
const run = (round, command, args, { env = {}, peer } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, WORKLOAD: workload, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (text.startsWith('{'))
        keep({ ...JSON.parse(text), ...(peer === undefined ? {} : { peer }) }, round);
    });
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')}: exit ${status}`)),
    );
  });

/** Spawn to exit, by wall time: what a person waits for. The fastest of five in this round. */
const startUp = (round, peer, variant, command, args) => {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5; time += 1) {
    const started = performance.now();
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}`);
    best = Math.min(best, performance.now() - started);
  }
  keep({ peer, id: 'W7', variant, unit: 'ms', value: best, cpuNsPerOp: best }, round);
};

/** Returns the command of W7, a cold start that decides on a compiled artifact and claims. */
const coldStart = () => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-bench-'));
  const artifact = join(folder, 'graph.json');
  const main = join(here, '../engine/dist/cli/main.js');
  const compiled = spawnSync(
    process.execPath,
    [main, 'compile', join(workload, 'configs/scale-64.yaml'), '--out', artifact],
    { encoding: 'utf8' },
  );
  if (compiled.status !== 0) throw new Error(`compile: ${compiled.stderr}`);
  const [first] = readFileSync(join(workload, 'tokens.jsonl'), 'utf8').split('\n', 1);
  const payload = JSON.parse(first).token.split('.')[1];
  const claims = join(folder, 'claims.json');
  writeFileSync(claims, Buffer.from(payload, 'base64url'));
  return [main, 'whoami', '--config', artifact, '--claims', claims];
};

const measures = options.only;
const cold = wanted.has('W7') ? coldStart() : [];
for (let round = 1; round <= Number(options.rounds); round += 1) {
  process.stderr.write(`round ${round} of ${options.rounds}\n`);
  await run(round, goPeer, ['bench', '-w', workload, '-t', options.ms, '-only', measures], {
    env: { GOMAXPROCS: '1' },
    peer: 'go',
  });
  await run(round, process.execPath, [
    join(here, 'engine.mjs'),
    '-t',
    options.ms,
    '--only',
    measures,
  ]);
  if (wanted.has('W2') || wanted.has('W3') || wanted.has('W5')) {
    await run(round, process.execPath, [join(here, 'peers/node/floor.mjs'), '-t', options.ms], {
      peer: 'floor',
    });
  }
  if (wanted.has('W2')) {
    await run(round, process.execPath, [join(here, 'peers/node/jwt.mjs'), '-t', options.ms]);
  }
  if (wanted.has('W1'))
    await run(round, process.execPath, [join(here, 'peers/node/cel.mjs'), '-t', options.ms]);
  if (wanted.has('W6')) {
    await run(round, process.execPath, [join(here, 'reviews.mjs'), '-t', '2000', '--slices', '3']);
  }
  if (wanted.has('W8')) {
    await run(round, process.execPath, [join(here, 'reloads.mjs'), '-t', '2000', '--reloads', '5']);
  }
  if (wanted.has('W7')) {
    startUp(round, 'node -e 0', 'spawn-to-exit', process.execPath, ['-e', '0']);
    startUp(round, 'authgraph', 'spawn-to-exit', process.execPath, cold);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const cost = (line) => line.cpuNsPerOp ?? line.value;
const figure = (peer, id, variant, round) =>
  lines.find(
    (line) =>
      line.peer === peer && line.id === id && line.variant === variant && line.round === round,
  );

/** Median over the rounds of `peer / ours`; undefined where one of the two is missing. */
const ratio = (ours, theirs) => {
  const ratios = [];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    const a = figure(ours[0], ours[1], ours[2], round);
    const b = figure(theirs[0], theirs[1], theirs[2], round);
    if (a !== undefined && b !== undefined) ratios.push(cost(b) / cost(a));
  }
  return ratios.length === 0 ? undefined : median(ratios);
};

const rows = [];
const row = (name, value, goal, holds) => {
  if (value !== undefined) rows.push({ name, value, goal, holds: holds(value) });
};
const atLeast = (goal) => [`>= ${goal}`, (value) => value >= goal];
const atMost = (goal) => [`<= ${goal}`, (value) => value <= goal];
const against = (name, id, variant, peer, peerVariant, goal) =>
  row(name, ratio(['authgraph', id, variant], [peer, id, peerVariant]), ...goal);
/** Ours over theirs, for goals of the form "at most so many times the peer". */
const overPeer = (name, id, variant, peer, peerVariant, goal) => {
  const value = ratio(['authgraph', id, variant], [peer, id, peerVariant]);
  row(name, value === undefined ? undefined : 1 / value, ...goal);
};

const expressions = Array.from(
  { length: 48 },
  (_, index) => `expression-${String(index).padStart(2, '0')}`,
);
const each = expressions
  .map((variant) => ({
    variant,
    value: ratio(['authgraph', 'W1', variant], ['go', 'W1', variant]),
  }))
  .filter(({ value }) => value !== undefined);
if (each.length > 0) {
  const mean = Math.exp(each.reduce((sum, { value }) => sum + Math.log(value), 0) / each.length);
  row('W1 ahead of Go, geometric mean of 48', mean, ...atLeast(10));
  const slowest = each.reduce((a, b) => (a.value < b.value ? a : b));
  row(`W1 ahead of Go, weakest (${slowest.variant})`, slowest.value, ...atLeast(4));
}
against('W2 mix, 64 issuers, ahead of Go', 'W2', 'mixed-64', 'go', 'mixed-64', atLeast(3.5));
against('W2 RS256, 64 issuers, ahead of Go', 'W2', 'RS256-64', 'go', 'RS256-64', atLeast(6));
against('W2 ES256, 64 issuers, ahead of Go', 'W2', 'ES256-64', 'go', 'ES256-64', atLeast(2.8));
against(
  'W2 RS256, 1 issuer, ahead of Go',
  'W2',
  'RS256-1-authenticator',
  'go',
  'RS256-1-authenticator',
  atLeast(4),
);
against('W2 refused, ahead of Go', 'W2', 'invalid-64', 'go', 'invalid-64', atLeast(8));
against('W2 mix, 64 issuers, ahead of jose', 'W2', 'mixed-64', 'jose', 'mixed-64-c1', atLeast(1));
overPeer('W2 mix over the hand-written floor', 'W2', 'mixed-64', 'floor', 'mixed-64', atMost(1.15));
overPeer('W3 hit over Go', 'W3', 'hit', 'go', 'hit', atMost(1.2));
overPeer('W3 hit over the floor', 'W3', 'hit', 'floor', 'hit', atMost(1.1));
overPeer('W3 same connection over Go', 'W3', 'hit-same-connection', 'go', 'hit', atMost(0.333));
against(
  'W4 kept connection, ahead of Go',
  'W4',
  'kept-connection',
  'go',
  'verify+map (parsed by TLS)',
  atLeast(38),
);
const keptConnection = lines
  .filter(
    ({ peer, id, variant }) => peer === 'authgraph' && id === 'W4' && variant === 'kept-connection',
  )
  .map(cost);
row(
  'W4 kept connection, microseconds',
  keptConnection.length === 0 ? undefined : median(keptConnection) / 1000,
  ...atMost(2),
);
against(
  'W5 service accounts, ahead of Go',
  'W5',
  'verify+claims+objects',
  'go',
  'verify+claims',
  atLeast(2.3),
);
overPeer(
  'W5 service accounts over the hand-written floor',
  'W5',
  'verify+claims+objects',
  'floor',
  'verify+claims',
  ['none', () => true],
);
overPeer(
  'W6 cached TokenReview over a bare HTTP/2 answer',
  'W6',
  'cached-token-review',
  'bare',
  'cached-token-review',
  atMost(1.15),
);
const stall = (kind) => {
  const of = lines.filter(({ id, variant }) => id === 'W8' && variant === kind);
  return of.length === 0 ? undefined : median(of.map(({ value }) => value));
};
// What the requests cost the thread without a change is no part of the goal.
row(
  'W8 longest stall while 64 are reloaded, milliseconds',
  stall('stall-reload-64'),
  'none',
  () => true,
);
row('W8 of that caused by the reload, milliseconds', stall('stall-caused'), ...atMost(5));
overPeer(
  'W10 100k decisions over Go, memory',
  'W10',
  '100k-inserted',
  'go',
  '100k-inserted (bounded cache)',
  atMost(0.5),
);
overPeer(
  'W7 decode to graph, 64, over Go',
  'W7',
  'decode+validate+compile-64',
  'go',
  'decode+validate+compile-64',
  atMost(0.9),
);
overPeer(
  'W7 whoami on an artifact over node -e 0',
  'W7',
  'spawn-to-exit',
  'node -e 0',
  'spawn-to-exit',
  atMost(2),
);

for (const line of lines.filter(
  (candidate) => candidate.unit.startsWith('of ') && candidate.round === 1,
)) {
  console.log(`${line.peer} ${line.id} ${line.variant}: ${line.value} ${line.unit}`);
}
console.log('');
for (const { name, value, goal, holds } of rows) {
  console.log(
    `${holds ? 'ok  ' : 'MISS'}  ${name.padEnd(52)} ${value.toFixed(3).padStart(9)}  goal ${goal}`,
  );
}
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
