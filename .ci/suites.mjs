// Runs the suites of the repository one after another, prints each one's time, and sums them up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'authgraph-ci-'));
const totals = { passed: 0, failed: 0, skipped: 0 };

/** A suite that either holds or does not: counts as one. */
const step = (name, command, args) => {
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  totals[status === 0 ? 'passed' : 'failed'] += 1;
  report(name, status, started);
};

/** A vitest suite: counts its tests. */
const tests = (name, args) => {
  const started = Date.now();
  const file = join(folder, `${name}.json`);
  const { status } = spawnSync(
    'npm',
    ['test', '--', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    { stdio: 'inherit' },
  );
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests;
    totals.skipped += result.numPendingTests + result.numTodoTests;
    if (status !== 0 && result.numFailedTests === 0) totals.failed += 1;
  } catch (cause) {
    console.error(`${name}: no result (${cause.message})`);
    totals.failed += 1;
  }
  report(name, status, started);
};

const report = (name, status, started) => {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`== ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${seconds} s`);
};

tests('test', []);
step('lint', 'npm', ['run', '-s', 'lint']);
step('build', 'npm', ['run', '-s', 'build']);

console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
