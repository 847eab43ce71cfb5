/** The layer with Node.js: the npm package that this repository uses itself, verified by the lockfile. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Architecture, type Layer, nodeArchitecture } from './architectures.ts';

export interface NodeRuntime extends Layer {
  readonly package: string;
  readonly version: string;
  /** The digest as in the lockfile: `sha512-…`. */
  readonly integrity: string;
}

export const stageNode = (
  folder: string,
  {
    architecture,
    lockfile,
    scratch,
  }: {
    readonly architecture: Architecture;
    /** The content of package-lock.json. */
    readonly lockfile: string;
    readonly scratch: string;
  },
): NodeRuntime => {
  const name = `node-linux-${nodeArchitecture[architecture]}`;
  const { version, integrity } = JSON.parse(lockfile).packages[`node_modules/${name}`];
  const archive = join(
    scratch,
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
      cwd: scratch,
      encoding: 'utf8',
    }).trim(),
  );
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== integrity)
    throw new Error(`${name}@${version}: its integrity differs from package-lock.json`);
  execFileSync('tar', ['-x', '-f', archive, '-C', scratch, 'package/bin/node', 'package/LICENSE']);
  for (const [from, to, file] of [
    ['package/bin/node', 'usr/bin', 'node'],
    ['package/LICENSE', 'usr/share/doc/nodejs', 'copyright'],
  ] as const) {
    mkdirSync(join(folder, to), { recursive: true });
    copyFileSync(join(scratch, from), join(folder, to, file));
  }
  return { folder, title: `Node.js ${version}`, package: name, version, integrity };
};
