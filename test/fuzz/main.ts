/**
 * Differential fuzzer: sends the same generated inputs to kube-apiserver's code of a release (a Go
 * program, built once) and to AuthGraph in exact mode, and compares all results.
 *
 *   npm run fuzz -- --seconds 300 [--release 1.34,1.37] [--seed 1] [--batch 200]
 *                   [--only expressions,configurations,tokens,upstream]
 *                   [--at-least expressions=200000,tokens=20000]
 *
 * `--seconds` is the total time for all releases. With `--at-least` a release ends as soon as each
 * listed generator has produced the given number of inputs. Each release prints its seed and its
 * counts. Differences are printed as JSON lines in the format of the recorded cases, except those
 * in `known-differences.ts`, which are counted by id. The exit status is 1 if there are others.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { newestRelease, parseRelease, releaseName } from '../../engine/src/model/release.ts';
import { compareRelease } from './compare-release.ts';
import { reference } from './peer.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    release: { type: 'string', default: releaseName(newestRelease) },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: 'expressions,configurations,tokens,upstream' },
    'at-least': { type: 'string', default: '' },
    batch: { type: 'string', default: '200' },
  },
});

const releases = options.release.split(',').map((text) => {
  const release = parseRelease(text);
  if (release === undefined) throw new Error(`unknown release ${JSON.stringify(text)}`);
  return release;
});
const quotas = new Map(
  options['at-least']
    .split(',')
    .filter((text) => text !== '')
    .map((text): [string, number] => {
      const [name = '', count] = text.split('=');
      return [name, Number(count)];
    }),
);

if (spawnSync('go', ['version']).status !== 0) {
  console.error('fuzz: the oracles are built with Go 1.26 or newer, which is not on PATH');
  process.exit(2);
}
for (const release of releases) {
  console.error(`fuzz: building the oracle of ${releaseName(release)} (minutes on the first run)`);
  const args = ['--release', releaseName(release), '--version'];
  const { status } = spawnSync(reference, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(2);
}

let different = 0;
const started = Date.now();
for (const [index, release] of releases.entries()) {
  // Time that a release did not need is given to the releases after it.
  const left = Number(options.seconds) * 1000 - (Date.now() - started);
  const counts = await compareRelease({
    release,
    seed: Number(options.seed),
    generators: options.only.split(','),
    batch: Number(options.batch),
    until: Date.now() + left / (releases.length - index),
    quotas,
  });
  different += counts.different;
}
process.exitCode = different === 0 ? 0 : 1;
