/** The layer with the program: a commit, compiled, with its production dependencies from the lockfile. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer } from './architectures.ts';

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** The digest as in the lockfile: `sha512-…`. */
  readonly integrity: string;
  readonly license: string | undefined;
}

export interface Application extends Layer {
  readonly version: string;
  /** The installed packages. */
  readonly packages: readonly NpmPackage[];
}

/** The folder of the program in the image. */
export const applicationFolder = 'opt/authgraph';

/** The program. `--disable-sigusr1`: the signal would open Node's inspector. */
const launcher = `#!/usr/bin/node --disable-sigusr1
import '/${applicationFolder}/engine/bin/authgraph.js';
`;

export const stageApplication = (
  folder: string,
  { root, revision }: { readonly root: string; readonly revision: string },
): Application => {
  const source = `${folder}-source`;
  mkdirSync(source, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', revision], {
    cwd: root,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['-x', '-C', source], { input: archive });
  // What the commands print on standard output is not a result of this program.
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: source, stdio: ['ignore', 2, 2] });
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  run('npm', ...install);
  run('npm', 'exec', '--no', '--', 'tsc', '-b', 'engine');
  run(process.execPath, '.ci/finish-cli.mjs');
  run('npm', ...install, '--workspace=engine', '--omit=dev', '--omit=optional');
  const packages = installedPackages(source);

  const target = join(folder, applicationFolder);
  mkdirSync(target, { recursive: true });
  const manifest = join(source, 'engine/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const part of [
    'LICENSE',
    'engine/package.json',
    'engine/bin',
    'engine/dist',
    'engine/node_modules',
    'node_modules',
  ]) {
    try {
      cpSync(join(source, part), join(target, part), {
        recursive: true,
        filter: isNeeded,
        verbatimSymlinks: true,
      });
    } catch (cause) {
      // The engine has no dependencies of its own if all of them are hoisted.
      if (part !== 'engine/node_modules') throw cause;
    }
  }
  const bin = join(folder, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'authgraph'), launcher);
  chmodSync(join(bin, 'authgraph'), 0o755);
  rmSync(source, { recursive: true });
  return { folder, title: `AuthGraph ${version}`, version, packages };
};

/** Reads what npm installed, from the lockfile that it writes next to it. */
const installedPackages = (source: string): readonly NpmPackage[] => {
  const { packages } = JSON.parse(
    readFileSync(join(source, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return Object.entries<Omit<NpmPackage, 'name'> & { readonly link?: boolean }>(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { version, integrity, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      integrity,
      license,
    }));
};

/** Types, source maps, compiled code of this machine, and npm's own files stay out of the image. */
const isNeeded = (path: string): boolean =>
  !/\.d\.[cm]?ts$|\.map$|\/dist\/cli\/cache\/v[^/]*$|\/node_modules\/\.[^/]+$|\/node_modules\/(?:@authgraph|authgraph-vscode)$/.test(
    path,
  );
