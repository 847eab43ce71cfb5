/**
 * The packages of npm: the workspaces that are not private. Each is packed, checked by publint and attw, and installed
 * with the oldest supported Node.js in an empty folder, where its programs and entry points run.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { oldestNode } from '../../.ci/oldest-node.ts';
import type { Release, ReleaseFile } from './release.ts';
import { runProgram } from './run-program.ts';
import { releaseTools } from './tools.ts';
import { tryPackages } from './try-packages.ts';

export const npmPackages = async (release: Release): Promise<readonly ReleaseFile[]> => {
  const { source, out, scratch, version, report } = release;
  const { workspaces } = readManifest(source);
  const published = (workspaces ?? []).filter(
    (folder) => readManifest(join(source, folder)).private !== true,
  );
  const packed: ReleaseFile[] = [];
  for (const folder of published) packed.push(await packWorkspace(release, folder));
  const tools = await releaseTools();
  for (const { name } of packed) {
    const file = join(out, name);
    await runProgram(process.execPath, [tools.publint, file, '--strict']);
    await runProgram(process.execPath, [tools.attw, file, '--profile', 'esm-only', '--no-emoji']);
    report(`npm: publint and attw accept ${name}`);
  }
  const node = oldestNode();
  await tryPackages({
    folder: join(scratch, 'trial'),
    node,
    archives: packed.map(({ name }) => join(out, name)),
    sample: join(source, 'samples/jwt/keycloak.yaml'),
    version,
  });
  const shown = (await runProgram(node, ['--version'])).trim();
  report(`npm: the packages run on Node.js ${shown}`);
  return packed.map((file) => ({ ...file, started: true }));
};

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Packs a copy whose manifest has what users need: no scripts, and no condition that names the sources. */
export const packWorkspace = async (
  { source, scratch, out, report }: Pick<Release, 'source' | 'scratch' | 'out' | 'report'>,
  workspace: string,
): Promise<ReleaseFile> => {
  const folder = join(scratch, 'npm', workspace);
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'README.md']) {
    const from = join(source, workspace, part);
    if (existsSync(from)) cpSync(from, join(folder, part), { recursive: true });
  }
  cpSync(join(source, 'LICENSE'), join(folder, 'LICENSE'));
  const { scripts, exports = {}, ...manifest } = readManifest(join(source, workspace));
  const entries = Object.entries(exports).map(([entry, { source: _, ...conditions }]) => [
    entry,
    conditions,
  ]);
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, engines: { node: '>=22.19' }, exports: Object.fromEntries(entries) }, null, 2)}\n`,
  );
  setModes(folder);
  const stdout = await runProgram(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', out],
    { cwd: folder },
  );
  const name = stdout.trim();
  report(`npm: packed ${name}`);
  return { name, part: 'npm', content: `npm package ${manifest.name}` };
};

/** npm packs the modes of files, which depend on the umask of the user. */
const setModes = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const isExecutable = (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, isExecutable ? 0o755 : 0o644);
  }
};
