/** `npm run release`: builds everything that a release needs, from a commit, into one folder. It publishes nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOptions, buildRelease } from './build-release.ts';
import { platforms } from './executables/platforms.ts';
import { explanation, help } from './help.ts';
import { partNames } from './release.ts';
import { writeSourceTree } from './source-tree.ts';
import { releaseVersion } from './versions.ts';

const root = join(import.meta.dirname, '../..');

const flags = {
  'dry-run': { type: 'boolean', default: false },
  out: { type: 'string', default: join(import.meta.dirname, 'out') },
  only: { type: 'string', default: partNames.join(',') },
  platform: { type: 'string', default: platforms.map(({ name }) => name).join(',') },
  revision: { type: 'string', default: 'HEAD' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Wrong usage, which exits with code 2. */
class UsageError extends Error {}

const main = async (): Promise<void> => {
  const { values } = readFlags();
  if (values.help) return void process.stdout.write(help);
  const options = readOptions(values);
  const out = resolve(values.out);
  checkOut(out);
  const revision = commitOf(values.revision);
  if (!values['dry-run']) {
    process.stdout.write(explanation);
    process.exitCode = 2;
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'authgraph-release-'));
  const partial = `${out}.partial`;
  const cleanUp = (): void => {
    for (const folder of [scratch, partial]) rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      cleanUp();
      process.exit(130);
    });
  }
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    await build({ options, revision, scratch, partial });
    rmSync(out, { recursive: true, force: true });
    renameSync(partial, out);
    report(`ready in ${relative(process.cwd(), out)}`);
  } finally {
    cleanUp();
  }
};

const readFlags = () => {
  try {
    return parseArgs({ options: flags });
  } catch (cause) {
    throw new UsageError(messageOf(cause));
  }
};

const readOptions = (values: {
  readonly only: string;
  readonly platform: string;
}): BuildOptions => {
  const parts = choose('--only', values.only, partNames, (name) => name);
  return { parts, platforms: choose('--platform', values.platform, platforms, ({ name }) => name) };
};

/** Returns the named ones, in their own order. */
const choose = <T>(
  flag: string,
  list: string,
  all: readonly T[],
  nameOf: (one: T) => string,
): readonly T[] => {
  const wanted = new Set(list.split(',').map((name) => name.trim()));
  const names = new Set(all.map(nameOf));
  for (const name of wanted) {
    if (!names.has(name))
      throw new UsageError(
        `${flag}: ${JSON.stringify(name)} is not one of ${[...names].join(', ')}`,
      );
  }
  return all.filter((one) => wanted.has(nameOf(one)));
};

/** A folder with other files is not replaced. */
const checkOut = (out: string): void => {
  if (!existsSync(out)) return;
  const names = readdirSync(out);
  if (names.length > 0 && !names.includes('release.json'))
    throw new UsageError(
      `--out: ${out} has files that are not of a release. Name a new or an empty folder.`,
    );
};

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

const commitOf = (name: string): string => {
  try {
    return git('rev-parse', '--verify', '--end-of-options', `${name}^{commit}`);
  } catch {
    throw new UsageError(`--revision: ${JSON.stringify(name)} is not a commit of this repository`);
  }
};

interface Build {
  readonly options: BuildOptions;
  readonly revision: string;
  readonly scratch: string;
  readonly partial: string;
}

const build = async ({ options, revision, scratch, partial }: Build): Promise<void> => {
  const source = join(scratch, 'source');
  await writeSourceTree(source, { root, revision });
  const version = releaseVersion(source);
  report(`AuthGraph ${version}, commit ${revision}`);
  const changed = git('status', '--porcelain', '--untracked-files=no');
  if (changed !== '')
    report(`warning: uncommitted changes of ${changed.split('\n').length} files are not included`);
  const epoch = Number(
    process.env.SOURCE_DATE_EPOCH ?? git('show', '-s', '--format=%ct', revision),
  );
  await buildRelease(
    { version, revision, epoch, root, source, out: partial, scratch, report },
    options,
  );
};

const started = performance.now();

const report = (line: string): void => {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${seconds} s  ${line}\n`);
};

const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

try {
  await main();
} catch (cause) {
  process.stderr.write(`error: ${messageOf(cause)}\n`);
  if (cause instanceof UsageError) process.stderr.write('See: npm run release -- --help\n');
  process.exitCode = cause instanceof UsageError ? 2 : 1;
}
