// Runs the suites of the repository one after another, prints each one's time, and sums them up.
// A suite that cannot run fails. AUTHGRAPH_SKIP=fuzz,kubectl leaves suites out on a machine that
// lacks what they need; they then count as skipped.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text as wholeText } from 'node:stream/consumers';
import { oldestNode } from './oldest-node.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'authgraph-ci-'));
const left = new Set((process.env.AUTHGRAPH_SKIP ?? '').split(',').filter((name) => name !== ''));
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Failures, printed again at the end, since the whole output is long. */
const failures = [];
const main = join(root, 'engine/dist/cli/main.js');

const run = (command, args, environment = {}) =>
  spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  }).status;

/** Runs a suite and adds its counts to the totals. */
const suite = async (name, work) => {
  if (left.has(name)) {
    totals.skipped += 1;
    console.log(`== ${name}: left out by AUTHGRAPH_SKIP`);
    return;
  }
  const started = Date.now();
  let counted;
  try {
    counted = await work();
  } catch (cause) {
    console.error(cause);
    counted = { passed: 0, failed: 1, skipped: 0 };
  }
  for (const key of Object.keys(totals)) totals[key] += counted[key];
  if (counted.failed > 0) {
    failures.push(`FAILED ${name}`, ...(counted.causes ?? []).map((cause) => `  ${cause}`));
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const words = `${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped`;
  console.log(`== ${name}: ${counted.failed === 0 ? 'ok' : 'FAILED'} in ${seconds} s (${words})`);
};

/**
 * Starts a command that runs in the background of the next suites; returns what its suite awaits. Its
 * output is printed when it has ended.
 */
const inBackground = (name, command, args) => {
  if (left.has(name)) return () => holds(0);
  const output = join(folder, `${name}.log`);
  const file = openSync(output, 'w');
  const ended = new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', file, file] });
    child.on('error', () => resolve(1)).on('exit', resolve);
  });
  return async () => {
    const status = await ended;
    process.stdout.write(readFileSync(output));
    return holds(status);
  };
};

/** Starts work that mostly waits before its turn; returns what its suite awaits. */
const early = (name, work) => {
  if (left.has(name)) return () => holds(0);
  const result = work();
  // Its suite reports the error.
  result.catch(() => {});
  return () => result;
};

/** Counts a command as one test by its exit status. */
const holds = (status) => ({
  passed: status === 0 ? 1 : 0,
  failed: status === 0 ? 0 : 1,
  skipped: 0,
});

/** Counts the tests of a vitest run by its own report. */
const vitest = (name, command, args, environment) => {
  const file = join(folder, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = run(command, [...args, ...reporters], environment);
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const failed = report.numFailedTests + report.numFailedTestSuites;
  return {
    passed: report.numPassedTests,
    failed: status !== 0 && failed === 0 ? 1 : report.numFailedTests || failed,
    skipped: report.numPendingTests + report.numTodoTests,
    causes: causesIn(report),
  };
};

/** Returns each failed test with the first line of its error. */
const causesIn = (report) =>
  report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    const file = relative(root, name);
    return failed.length === 0 && status === 'failed'
      ? [`${file}: ${firstLine(message)}`]
      : failed.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });

const firstLine = (text = '') => text.split('\n', 1)[0].slice(0, 2000);

/** Rows whose expected outcome is not that of kube-apiserver, with the reason and its answer. */
const exceptions = JSON.parse(
  readFileSync(join(root, 'test/attacks/exceptions.json'), 'utf8'),
).exceptions;

/** Counts the results of the attack runner; a failed control or a leaked secret is a failure. */
const attacks = async (name, args) => {
  const file = join(folder, `${name}.json`);
  const command = [join(root, 'test/attacks/run.mjs'), ...args, '--json', file];
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stdout = await wholeText(child.stdout);
  const [status] = await ended;
  const { summary, results } = JSON.parse(readFileSync(file, 'utf8'));
  const excused = results.filter(({ id, ok, got, critical }) =>
    exceptions.some((row) => row.id === id && row.got === String(got) && !ok && !critical),
  );
  // Excused rows are listed below, and are no failures.
  const isExcused = (line) => excused.some(({ id }) => line.startsWith(`FAIL ${id} `));
  console.log(
    stdout
      .trimEnd()
      .split('\n')
      .filter((line) => !isExcused(line))
      .join('\n'),
  );
  for (const { id, got } of excused) {
    const { reason } = exceptions.find((row) => row.id === id);
    console.log(`exception ${id}: ${got}. ${reason}`);
  }
  // An exception that no longer applies must be removed.
  const stale = results.filter(({ id, ok }) => ok && exceptions.some((row) => row.id === id));
  for (const { id } of stale) console.log(`stale exception ${id}: it holds`);
  const bad =
    summary.fail -
    excused.length +
    stale.length +
    summary.controlsFailed.length +
    summary.secretsInLog +
    Number(!summary.aliveAtEnd) +
    Number(summary.pollution);
  const understood = status === 0 || summary.fail > 0 || bad > 0;
  return {
    passed: summary.pass - stale.length + excused.length,
    failed: understood ? bad : 1,
    skipped: summary.notRun,
    causes: results
      .filter((result) => result.ok === false && !excused.includes(result))
      .map(({ id, got }) => `${id}: got ${got}`),
  };
};

/** Counts the steps that a real VS Code was driven through, on both extension hosts. */
const editor = () => {
  const status = run('npm', ['run', '-s', 'test:e2e', '--', '--repeat-failed']);
  const files = ['desktop', 'web'].map((host) => join(root, '.cache/e2e', host, 'report.json'));
  if (!files.every(existsSync)) return { passed: 0, failed: 1, skipped: 0 };
  const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const failed = reports.reduce((sum, report) => sum + report.failed, 0);
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failed: status !== 0 && failed === 0 ? 1 : failed,
    skipped: 0,
    causes: reports.flatMap(({ host, steps }) =>
      steps
        .filter(({ failure }) => failure !== undefined)
        .map(({ list, name, failure }) => `${host} ${list}: ${name}: ${firstLine(failure)}`),
    ),
  };
};

/** Installs programs for the heavy suites that npm does not have, as Debian packages. */
const installPrograms = () => {
  const missing = [
    ['etcd', 'etcd-server'],
    ['etcdctl', 'etcd-client'],
    ['strace', 'strace'],
    ['nginx', 'nginx-light'],
    ['h2load', 'nghttp2-client'],
    ['nvim', 'neovim'],
    ['emacs', 'emacs-nox', 'elpa-eglot'],
    ['zsh', 'zsh'],
    ['fish', 'fish'],
  ].filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (missing.length === 0) return 0;
  const packages = missing.flatMap(([, ...names]) => names);
  run('apt-get', ['update', '-q']);
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  return run(
    'apt-get',
    ['install', '-q', '-y', '--no-install-recommends', ...packages],
    environment,
  );
};

await suite('test', () => vitest('test', 'npm', ['test', '--']));
await suite('program', () => vitest('program', 'npm', ['run', '-s', 'test:program', '--']));
await suite('lint', () => holds(run('npm', ['run', '-s', 'lint'])));
await suite('build', () => holds(run('npm', ['run', '-s', 'build'])));
await suite('types-of-tests', () =>
  holds(run('npx', ['--no-install', 'tsc', '-p', 'test', '--noEmit'])));
await suite('scaling', () => vitest('scaling', 'npm', ['run', '-s', 'test:scaling', '--']));
await suite('test-on-node-22', () => {
  const node = oldestNode();
  const entry = join(root, 'node_modules/vitest/vitest.mjs');
  // The text of the repository is the same with every Node.
  const args = [entry, 'run', '--exclude', 'test/repository/**'];
  return vitest('test-on-node-22', node, args, {
    PATH: `${join(node, '..')}:${process.env.PATH}`,
  });
});
await suite('heavy-programs', () => holds(installPrograms()));
// 800 MB that are not needed for long; the last suite would wait for them.
if (left.has('editor')) left.add('editor-tools');
const install = "import('./test/e2e/tools.ts').then(({ installTools }) => installTools())";
const installing = inBackground('editor-tools', process.execPath, ['--eval', install]);
// Eight minutes once; several heavy suites compare kube-apiserver with ours.
await suite('kube-apiserver', () => holds(run(join(root, 'test/lab/real/build'), [])));
// Four minutes over all oracles together, which are built once per machine; the heavy suites
// mostly wait, so both run at the same time.
const fuzzArgs = ['run', '-s', 'fuzz', '--', '--seconds', '240', '--seed', '20261121'];
fuzzArgs.push('--release', '1.30,1.32,1.34,1.35,1.36,1.37');
// The same cases on fast and slow machines, so that a run depends on the code alone.
fuzzArgs.push('--at-least', 'expressions=4000,configurations=4000,tokens=4000,upstream=4000');
const fuzzing = inBackground('fuzz', 'npm', fuzzArgs);
// Not by its script, which would build again.
await suite('heavy', () => vitest('heavy', 'vitest', ['run', '--mode', 'heavy']));
await suite('fuzz', fuzzing);
// Builds helm and kubeconform once; most of their packages are those of kubectl.
await suite('system', () => vitest('system', 'npm', ['run', '-s', 'test:system', '--']));
const serve = ['--cmd', `${process.execPath} ${main} serve`];
const everyRequest = [...serve, '--kinds', 'http,tokens,certs', '--slow'];
await suite('attacks', () => attacks('attacks', everyRequest));
const spine = [...serve, '--spine', '--kinds', 'tokens'];
await suite('attacks-spine', () => attacks('attacks-spine', spine));
// Faults and reloads mostly wait, so a fuzzer or another suite runs at the same time.
const frontArgs = ['--conditions=source', join(root, 'test/fuzz/front.ts'), '--seconds', '60'];
const fuzzingFront = inBackground('fuzz-front', process.execPath, [
  ...frontArgs,
  '--seed',
  '20261121',
]);
await suite('faults', () => vitest('faults', 'npm', ['run', '-s', 'test:faults', '--']));
await suite('fuzz-front', fuzzingFront);
const reload = [...serve, '--kinds', 'config', '--reload', '--reload-ms', '700'];
const reloading = early('attacks-reload', () => attacks('attacks-reload', reload));
const checking = ['--validate-cmd', `${process.execPath} ${main} check {file}`];
// This suite and the one next to it use one processor each.
const http2Args = ['run', '-s', 'fuzz:http2', '--', '--seconds', '45', '--seed', '20261123'];
const fuzzingHttp2 = inBackground('fuzz-http2', 'npm', http2Args);
await suite('attacks-config', () => attacks('attacks-config', ['--kinds', 'config', ...checking]));
const editArgs = ['run', '-s', 'fuzz:incremental', '--', '--seconds', '60', '--seed', '20261121'];
await suite('fuzz-incremental', inBackground('fuzz-incremental', 'npm', editArgs));
await suite('fuzz-http2', fuzzingHttp2);
await suite('attacks-reload', reloading);
await suite('bench-decisions', () =>
  holds(run(process.execPath, [join(root, 'bench/engine.mjs'), '--decisions-only'])));
await suite('editor-tools', installing);
await suite('editor', editor);

for (const line of failures) console.log(line);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
