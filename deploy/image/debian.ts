/**
 * The base layer: the libraries of Debian that Node.js loads. The versions and digests of the packages are in
 * packages.lock.json; apt verifies the signatures of the archive.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Architecture, architectures, type Layer } from './architectures.ts';

const suite = 'trixie';

/** Returns the archive that a variable names, or the one that apt of this machine uses. */
const archiveOf = (variable: string, directory: string): string => {
  const named = process.env[variable];
  if (named !== undefined && named !== '') return named;
  const used = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], {
    encoding: 'utf8',
  });
  const found = used.split('\n').find((uri) => uri.replace(/\/$/, '').endsWith(`/${directory}`));
  if (found === undefined)
    throw new Error(`no source of apt ends in /${directory}: set ${variable} to its URL`);
  return found;
};

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** What `ldd node` lists, the package that has their copyright file, and the one that has /etc/os-release. */
const names = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1', 'gcc-14-base', 'base-files'];

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

export interface Base extends Layer {
  readonly packages: readonly DebianPackage[];
  /** `debian-13` */
  readonly distribution: string;
}

const lockFile = join(import.meta.dirname, 'packages.lock.json');

const readLock = (): Readonly<Record<string, readonly DebianPackage[]>> =>
  JSON.parse(readFileSync(lockFile, 'utf8'));

/** Runs apt with folders of its own, so that the machine's package lists are neither read nor changed. */
const apt = (folder: string, architecture: Architecture) => {
  for (const name of ['lists/partial', 'archives/partial', 'etc']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const status = join(folder, 'status');
  const sources = join(folder, 'etc/sources.list');
  writeFileSync(status, '');
  writeFileSync(
    sources,
    `deb [signed-by=${keyring}] ${archiveOf('DEBIAN_MIRROR', 'debian')} ${suite} main
deb [signed-by=${keyring}] ${archiveOf('DEBIAN_SECURITY_MIRROR', 'debian-security')} ${suite}-security main
`,
  );
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::State::status=${status}`,
    `Dir::Cache::archives=${join(folder, 'archives')}`,
    `Dir::Cache::pkgcache=`,
    `Dir::Cache::srcpkgcache=`,
    `Dir::Etc::SourceList=${sources}`,
    `Dir::Etc::SourceParts=/dev/null`,
    'Acquire::Languages=none',
    // The sandbox user of apt cannot write to a temporary folder of root.
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, [...options, ...args], {
      cwd: join(folder, 'archives'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  run('apt-get', 'update', '-qq');
  return run;
};

const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Downloads packages; returns the file of each. */
const download = (
  run: ReturnType<typeof apt>,
  folder: string,
  wanted: readonly string[],
): readonly string[] => {
  run('apt-get', 'download', '-qq', ...wanted);
  const archives = join(folder, 'archives');
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .sort()
    .map((name) => join(archives, name));
};

const field = (file: string, name: string): string =>
  execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();

/** Writes the newest versions of the packages, with their digests, to the lock file. */
export const updateLock = (scratch: string): void => {
  const lock = Object.fromEntries(
    architectures.map((architecture) => {
      const folder = join(scratch, architecture);
      const files = download(apt(folder, architecture), folder, names);
      const packages = files.map((file) => ({
        name: field(file, 'Package'),
        version: field(file, 'Version'),
        sha256: digestOf(file),
      }));
      return [architecture, packages];
    }),
  );
  writeFileSync(lockFile, `${JSON.stringify(lock, undefined, 2)}\n`);
};

export const stageBase = (
  folder: string,
  { architecture, scratch }: { readonly architecture: Architecture; readonly scratch: string },
): Base => {
  const packages = readLock()[architecture] ?? [];
  const wanted = packages.map(({ name, version }) => `${name}=${version}`);
  let files: readonly string[];
  try {
    files = download(apt(scratch, architecture), scratch, wanted);
  } catch (cause) {
    throw new Error(
      `the Debian packages of packages.lock.json cannot be downloaded (suite ${suite}); if the archive has newer versions, run: npm run image -- --update-packages`,
      { cause },
    );
  }
  for (const file of files) {
    const expected = packages.find(({ name }) => name === field(file, 'Package'));
    if (expected?.sha256 !== digestOf(file)) {
      throw new Error(`${file}: its SHA-256 differs from packages.lock.json`);
    }
    unpack(file, folder);
  }
  removeEmptyFolders(folder);
  writeSystemFiles(folder);
  const release = readFileSync(join(folder, 'usr/lib/os-release'), 'utf8');
  const version = /^VERSION_ID="(?<id>[^"]+)"$/m.exec(release)?.groups?.id ?? '';
  return {
    folder,
    title: `Debian ${version}: libraries`,
    packages,
    distribution: `debian-${version}`,
  };
};

/**
 * Extracts what a program without a shell needs: libraries and copyright files. Security scanners find the packages in
 * /var/lib/dpkg/status.d, as in other images without dpkg.
 */
const unpack = (file: string, folder: string): void => {
  const content = `${file}.content`;
  execFileSync('dpkg-deb', ['--extract', file, content]);
  const isNeeded = field(file, 'Package') === 'base-files' ? isReleaseFile : isLibrary;
  cpSync(content, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => lstatSync(source).isDirectory() || isNeeded(relative(content, source)),
  });
  write(
    folder,
    `var/lib/dpkg/status.d/${field(file, 'Package')}`,
    execFileSync('dpkg-deb', ['--field', file], { encoding: 'utf8' }),
  );
};

const isCopyright = (path: string): boolean =>
  path.startsWith('usr/share/doc/') && !/\/(?:changelog|NEWS|README|TODO)[^/]*$/.test(path);

const isReleaseFile = (path: string): boolean =>
  path === 'usr/lib/os-release' || path === 'usr/share/doc/base-files/copyright';

/** Converters of character sets and the auditing library are not used. */
const isLibrary = (path: string): boolean =>
  isCopyright(path) || (/^(?:usr\/)?lib/.test(path) && !/\/(?:gconv|audit)\//.test(path));

/** Removes the folders that have nothing in them, such as those of programs. */
const removeEmptyFolders = (folder: string): void => {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const child = join(folder, name);
    removeEmptyFolders(child);
    if (readdirSync(child).length === 0) rmdirSync(child);
  }
};

const write = (folder: string, name: string, text: string): void => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const writeSystemFiles = (folder: string): void => {
  for (const name of ['lib', 'lib64']) {
    if (existsSync(join(folder, 'usr', name)) && !existsSync(join(folder, name))) {
      symlinkSync(`usr/${name}`, join(folder, name));
    }
  }
  write(
    folder,
    'etc/passwd',
    'root:x:0:0:root:/root:/sbin/nologin\nauthgraph:x:65532:65532:authgraph:/:/sbin/nologin\n',
  );
  write(folder, 'etc/group', 'root:x:0:\nauthgraph:x:65532:\n');
  symlinkSync('../usr/lib/os-release', join(folder, 'etc/os-release'));
  // Mount points. The program needs no folder that can be written.
  for (const name of ['tmp', 'proc', 'dev', 'sys']) mkdirSync(join(folder, name));
};
