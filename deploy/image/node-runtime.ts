/** The layer with Node.js: the npm package that this repository uses itself, verified by the lockfile. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Architecture, type Layer, nodeArchitecture } from './architectures.ts';

/** An npm package with a program of Node.js. */
export interface NodePackage {
  readonly name: string;
  readonly version: string;
  /** The digest as in the lockfile: `sha512-…`. */
  readonly integrity: string;
}

export interface NodeRuntime extends Layer, Omit<NodePackage, 'name'> {
  readonly package: string;
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
  const { name, version, integrity } = unpackNode({
    name: `node-linux-${nodeArchitecture[architecture]}`,
    lockfile,
    scratch,
    files: ['bin/node', 'LICENSE'],
  });
  for (const [from, to, file] of [
    ['package/bin/node', 'usr/bin', 'node'],
    ['package/LICENSE', 'usr/share/doc/nodejs', 'copyright'],
  ] as const) {
    mkdirSync(join(folder, to), { recursive: true });
    copyFileSync(join(scratch, from), join(folder, to, file));
  }
  return { folder, title: `Node.js ${version}`, package: name, version, integrity };
};

/** Downloads a package in the version of the lockfile, and unpacks files of it to `package` in a folder. */
export const unpackNode = ({
  name,
  lockfile,
  scratch,
  files,
}: {
  readonly name: string;
  /** The content of package-lock.json. */
  readonly lockfile: string;
  /** An existing folder. */
  readonly scratch: string;
  readonly files: readonly string[];
}): NodePackage => {
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
  const members = files.map((file) => `package/${file}`);
  execFileSync('tar', ['-x', '-f', archive, '-C', scratch, ...members]);
  return { name, version, integrity };
};
