// The start of the command line: the processor time of `authgraph check FILE`, started without npx, compared with
// `node -e 0`, and that of 1,000 files compared with one. The programs run alternately, so that what slows the machine
// slows all; printed are the medians, and the median of the ratios of the rounds.
//
//   npm run build && node bench/start.mjs [FILE] [--rounds 30] [--files 1000]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '30' },
    files: { type: 'string', default: '1000' },
  },
});
const root = join(import.meta.dirname, '..');
const [file = join(root, 'samples/jwt/keycloak.yaml')] = positionals;
const main = join(root, 'engine/dist/cli/main.js');

/** Returns user and system milliseconds of a run of Node. */
const processorMs = (args) => {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2>&1';
  const ran = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    encoding: 'utf8',
  });
  const times = /^([\d.]+) ([\d.]+)$/m.exec(ran.stderr);
  if (times === null) throw new Error(`no times: ${ran.stderr}`);
  return (Number(times[1]) + Number(times[2])) * 1000;
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Prints the medians of two programs that run alternately, and returns the ratio. */
const compare = (rounds, [baseName, base], [name, args]) => {
  const pairs = Array.from({ length: rounds }, () => [processorMs(base), processorMs(args)]);
  const [first, second] = [0, 1].map((at) => median(pairs.map((pair) => pair[at])));
  const ratio = median(pairs.map(([one, other]) => other / one));
  console.log(
    `${name}: ${second.toFixed(0)} ms, ${baseName}: ${first.toFixed(0)} ms, ${ratio.toFixed(2)} times (${rounds} rounds)`,
  );
};

const folder = mkdtempSync(join(tmpdir(), 'authgraph-start-'));
try {
  const text = readFileSync(file, 'utf8');
  for (let at = 0; at < Number(values.files); at += 1)
    writeFileSync(join(folder, `${at}.yaml`), text.replace('https://', `https://cluster-${at}.`));
  const rounds = Number(values.rounds);
  const one = [main, 'check', file];
  // Fills the compile cache.
  processorMs(one);
  compare(rounds, ['node -e 0', ['-e', '0']], ['check of one file', one]);
  const all = [`check of ${values.files} files`, [main, 'check', '-q', folder]];
  compare(Math.max(3, Math.round(rounds / 10)), ['of one', one], all);
} finally {
  rmSync(folder, { recursive: true });
}
