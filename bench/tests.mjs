// Token tests and corpora: the processor time of 1,000 token tests compared with one `authgraph check` of the
// configuration that they test; the time of 20,000 token tests in 200 files on one thread and on several; that of `authgraph diff --corpus` over 100,000 claim sets compared with `JSON.parse`
// of each line; and the peak memory of `diff` with a corpus of 10^5 and of 10^7 claim sets from a pipe. The programs run
// alternately, so that what slows the machine slows all; printed are the medians, and the median of the ratios of the
// rounds.
//
//   npm run build && node bench/tests.mjs [--rounds 15] [--only tests,parallel,corpus,memory] [--main engine/dist/cli/main.js]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: 'tests,parallel,corpus,memory' },
    main: { type: 'string', default: join(root, 'engine/dist/cli/main.js') },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'authgraph-tests-'));
const write = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const output = join(folder, 'output');

/** Returns the milliseconds of the processor and of the clock that a command takes. */
const measure = ({ args, result = '' }) => {
  const script = 'TIMEFORMAT="%U %S %R"; time "$@" > "$OUT"';
  const ran = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...process.env, OUT: output },
  });
  const times = /^([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(ran.stderr);
  if (times === null || !(readFileSync(output, 'utf8') + ran.stderr).includes(result))
    throw new Error(`no ${result || 'times'}: ${ran.stderr}`);
  const [user, system, clock] = times.slice(1).map((text) => Number(text) * 1000);
  return { processor: user + system, clock };
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Prints the medians of two commands that run alternately, and the ratios. */
const compare = (base, other) => {
  const pairs = Array.from({ length: rounds }, () => [measure(base), measure(other)]);
  for (const kind of ['processor', 'clock']) {
    const [first, second] = [0, 1].map((at) => median(pairs.map((pair) => pair[at][kind])));
    const ratio = median(pairs.map(([one, two]) => two[kind] / one[kind]));
    console.log(
      `${other.name}: ${second.toFixed(0)} ms, ${base.name}: ${first.toFixed(0)} ms of the ${kind}, ${ratio.toFixed(2)} times (${rounds} rounds)`,
    );
  }
};

const configuration = (rule) => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://login.example.com, audiences: [cluster]}
  claimValidationRules:
  - expression: "${rule}"
    message: only employees
  claimMappings:
    username: {expression: "'oidc:' + claims.sub"}
    groups: {claim: groups, prefix: "oidc:"}
    uid: {claim: sub}
    extra:
    - {key: example.com/team, valueExpression: "claims.?team.orValue('')"}
`;
const before = write('before.yaml', configuration("claims.?hd.orValue('') == 'example.com'"));
const after = write('after.yaml', configuration("claims.?hd.orValue('').endsWith('example.com')"));

const testCase = (at) => `- name: case ${at}
  claims: {sub: user-${at}, groups: [dev, team-${at % 50}], team: t${at % 20}}
  expect:
    user: {username: "oidc:user-${at}", uid: user-${at}, groups: ["oidc:dev", "oidc:team-${at % 50}"], extra: {example.com/team: [t${at % 20}]}}
`;
const suite = (count) => `configuration: before.yaml
base: {claims: {iss: https://login.example.com, aud: cluster, hd: example.com}}
tests:
${Array.from({ length: count }, (_, at) => testCase(at)).join('')}`;

const claimSet = (at) =>
  JSON.stringify({
    iss: 'https://login.example.com',
    aud: 'cluster',
    sub: `user-${at}`,
    iat: 1_767_225_600,
    exp: 1_767_229_200,
    hd: at % 1000 === 0 ? 'other.example.com' : 'example.com',
    email: `user-${at}@example.com`,
    email_verified: true,
    groups: ['dev', `team-${at % 50}`, `project-${at % 300}`],
    team: `t${at % 20}`,
  });
const corpus = (count) => Array.from({ length: count }, (_, at) => claimSet(at)).join('\n');

/** Returns the peak memory in MiB of `diff` with a corpus from a pipe, as the kernel reports it. */
const peakMemory = (count) => {
  const writer = write(
    'writer.mjs',
    `const claimSet = ${claimSet};
let text = '';
for (let at = 0; at < ${count}; at += 1) {
  text += claimSet(at) + '\\n';
  if (text.length > 65536) {
    if (!process.stdout.write(text)) await new Promise((done) => process.stdout.once('drain', done));
    text = '';
  }
}
process.stdout.write(text);`,
  );
  const reporter = write(
    'reporter.mjs',
    `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS));`,
  );
  const script = '"$0" "$1" | "$0" --import "$2" "$3" diff "$4" "$5" --corpus - > /dev/null';
  const args = [process.execPath, writer, reporter, values.main, before, after];
  const { stderr } = spawnSync('bash', ['-c', script, ...args], { encoding: 'utf8' });
  return Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024;
};

try {
  const wanted = new Set(values.only.split(','));
  if (wanted.has('tests')) {
    const tests = write('suite.authtest.yaml', suite(1000));
    compare(
      {
        name: 'check of the configuration',
        args: [values.main, 'check', before],
        result: 'no problems',
      },
      { name: '1,000 token tests', args: [values.main, 'test', tests], result: '1000 passed' },
    );
  }
  if (wanted.has('parallel')) {
    const files = join(folder, 'files');
    mkdirSync(files);
    writeFileSync(join(files, 'before.yaml'), readFileSync(before));
    for (let at = 0; at < 400; at += 1)
      writeFileSync(join(files, `${at}.authtest.yaml`), suite(200));
    const result = '80000 passed in 400 files';
    compare(
      { name: 'on one thread', args: [values.main, 'test', '--parallel', '1', files], result },
      { name: '80,000 token tests', args: [values.main, 'test', files], result },
    );
  }
  if (wanted.has('corpus')) {
    const path = write('corpus.jsonl', corpus(100_000));
    const parser = write(
      'parse.mjs',
      `import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) JSON.parse(line);`,
    );
    compare(
      { name: 'JSON.parse of each line', args: [parser, path] },
      {
        name: 'diff of 100,000 claim sets',
        args: [values.main, 'diff', before, after, '--corpus', path],
        result: '100 of 100,000 claim sets gain access',
      },
    );
  }
  if (wanted.has('memory')) {
    const [small, large] = [peakMemory(100_000), peakMemory(10_000_000)];
    console.log(
      `peak memory: ${small.toFixed(0)} MiB with 10^5 claim sets, ${large.toFixed(0)} MiB with 10^7, ${(large / small).toFixed(2)} times`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
