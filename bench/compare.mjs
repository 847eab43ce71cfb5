// Compares this checkout with another one: runs the same measures in both, one after the other, in pairs that
// alternate which checkout goes first, and prints for each measure the median of the pairs' ratios of processor
// time (this checkout divided by the other) with its 95 % confidence interval. A measure counts as slower only
// when the lower end of the interval is above the tolerance. Exit code 1 when a measure is slower. Whole requests
// (W6) are measured with both servers running, in slices that alternate.
//
//   node bench/compare.mjs OTHER_CHECKOUT [--pairs 15] [--ms 300] [--only W1,W2,W3,W4,W5,W6,W7,W8,W10]
//     [--tolerance 3] [--out result.jsonl]
//
// Both checkouts must be built (`npm ci && npm run build`).
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usage =
  'node bench/compare.mjs OTHER_CHECKOUT [--pairs 15] [--ms 300] [--only W1,W2,…] [--tolerance 3] [--out result.jsonl]';
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '15' },
    ms: { type: 'string', default: '300' },
    only: { type: 'string', default: 'W1,W2,W3,W4,W5,W6,W7,W8,W10' },
    tolerance: { type: 'string', default: '3' },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (options.help || positionals.length !== 1) {
  (options.help ? console.log : console.error)(usage);
  process.exit(options.help ? 0 : 2);
}
const checkouts = { this: join(import.meta.dirname, '..'), other: resolve(positionals[0]) };
for (const root of Object.values(checkouts)) {
  if (!existsSync(join(root, 'engine/dist/cli/main.js'))) {
    console.error(`${root} is not built: run npm ci && npm run build there.`);
    process.exit(2);
  }
}
const wanted = new Set(options.only.split(','));
const inProcess = [...wanted].filter((id) => id !== 'W6' && id !== 'W8').join(',');
const programs = [
  ...(inProcess === '' ? [] : [['bench/engine.mjs', '-t', options.ms, '--only', inProcess]]),
  ...(wanted.has('W8') ? [['bench/reloads.mjs', '-t', '1000', '--reloads', '5']] : []),
];

/** Runs a program of a checkout and returns the figures that it prints. */
const run = (root, [program, ...args]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${program} in ${root}: exit code ${status}\n${stderr}`);
  const lines = stdout.split('\n').filter((text) => text.startsWith('{'));
  return lines.map((line) => JSON.parse(line)).filter(({ peer }) => peer === 'authgraph');
};

/** Runs every program in one checkout and returns its figures by measure; costs in processor time where known. */
const measure = (root) => {
  const figures = new Map();
  for (const { id, variant, value, cpuNsPerOp } of programs.flatMap((each) => run(root, each))) {
    if (cpuNsPerOp !== undefined || id === 'W8') {
      figures.set(`${id} ${variant}`, cpuNsPerOp ?? value);
    }
  }
  return figures;
};

const ratios = new Map();
const record = (pair, name, ours, theirs) => {
  const ratio = ours / theirs;
  ratios.set(name, [...(ratios.get(name) ?? []), ratio]);
  if (options.out !== undefined) {
    appendFileSync(options.out, `${JSON.stringify({ pair, name, ours, theirs, ratio })}\n`);
  }
};
const pairs = Number(options.pairs);
for (let pair = 1; pair <= pairs; pair += 1) {
  process.stderr.write(`pair ${pair} of ${pairs}\n`);
  const order = pair % 2 === 1 ? ['this', 'other'] : ['other', 'this'];
  const figures = {};
  for (const name of order) figures[name] = measure(checkouts[name]);
  for (const [name, ours] of figures.this) {
    const theirs = figures.other.get(name);
    if (theirs !== undefined && theirs !== 0) record(pair, name, ours, theirs);
  }
  if (wanted.has('W6')) {
    const program = ['bench/paired-reviews.mjs', checkouts.other, '-t', '1000'];
    for (const { id, variant, value, theirs } of run(checkouts.this, program)) {
      record(pair, `${id} ${variant}`, value, theirs);
    }
  }
}

/** Rank (from 0) of the lower end of the 95 % confidence interval of a median: the binomial distribution with p = ½. */
const lowerRank = (count) => {
  let probability = 0.5 ** count;
  let cumulative = probability;
  let rank = 0;
  while (cumulative <= 0.025) {
    rank += 1;
    probability *= (count - rank + 1) / rank;
    cumulative += probability;
  }
  return Math.max(0, rank - 1);
};

const limit = 1 + Number(options.tolerance) / 100;
let slower = 0;
const times = (value) => value.toFixed(3).padStart(7);
console.log(`${'measure'.padEnd(44)}  median    low   high  (this ÷ other, ${pairs} pairs)`);
for (const [name, values] of [...ratios].sort(([a], [b]) =>
  a.localeCompare(b, 'en', { numeric: true }),
)) {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = lowerRank(sorted.length);
  const [low, high] = [sorted[rank], sorted[sorted.length - 1 - rank]];
  const isSlower = low > limit;
  if (isSlower) slower += 1;
  const median = sorted[sorted.length >> 1];
  console.log(
    `${name.padEnd(44)} ${times(median)}${times(low)}${times(high)}${isSlower ? '  SLOWER' : ''}`,
  );
}
console.log(
  slower === 0
    ? `No measure is more than ${options.tolerance} % slower.`
    : `${slower} measures are more than ${options.tolerance} % slower.`,
);
process.exitCode = slower === 0 ? 0 : 1;
