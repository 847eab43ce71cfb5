/**
 * Single executables: the bundled program in the program of Node.js for each platform ("single executable
 * applications" of Node.js), as an archive with its licenses. Only the one for this machine is started.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpackNode } from '../../image/node-runtime.ts';
import { writeArchive } from '../archive.ts';
import type { Release, ReleaseFile } from '../release.ts';
import { runProgram } from '../run-program.ts';
import { type Bundle, bundleProgram } from './bundle.ts';
import { type Platform, platforms } from './platforms.ts';
import { programFile, seaConfig } from './sea-config.ts';
import { tryExecutable } from './try-executable.ts';

export const executables = async (
  release: Release,
  wanted: readonly Platform[],
): Promise<readonly ReleaseFile[]> => {
  const { source, scratch, report } = release;
  const bundle = await bundleProgram(source);
  const folder = join(scratch, 'executables');
  for (const [name, text] of bundle.assets) writeFile(join(folder, 'assets', name), text);
  writeFile(join(folder, programFile), bundle.program);
  writeFile(join(folder, 'LICENSES.txt'), licenses(bundle.packages));
  const size = (bundle.program.length / 2 ** 20).toFixed(1);
  report(`executables: bundled the program (${size} MiB, ${bundle.packages.length} packages)`);
  const files: ReleaseFile[] = [];
  for (const platform of wanted) {
    files.push(await buildFor(platform, { release, folder, bundle }));
  }
  return files;
};

const writeFile = (path: string, text: string): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

/** The licenses of the packages in the bundle. */
const licenses = (packages: readonly string[]): string =>
  packages
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(one));
      const text =
        file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);

/** The license of Node.js with those of its libraries; the packages for Windows do not contain it. */
const nodeLicense = (source: string): string => {
  const own = platforms.find(({ node }) => node === `${process.platform}-${process.arch}`);
  if (own === undefined)
    throw new Error(`executables cannot be built on ${process.platform}-${process.arch}`);
  return readFileSync(join(source, 'node_modules', own.package, 'LICENSE'), 'utf8').trim();
};

interface Work {
  readonly release: Release;
  readonly folder: string;
  readonly bundle: Bundle;
}

const buildFor = async (
  platform: Platform,
  { release, folder, bundle }: Work,
): Promise<ReleaseFile> => {
  const { source, out, version, epoch, report } = release;
  const place = join(folder, platform.name);
  mkdirSync(place, { recursive: true });
  const lockfile = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const files = [platform.program];
  const node = unpackNode({ name: platform.package, lockfile, scratch: place, files });
  if (node.version !== process.versions.node)
    throw new Error(
      `${node.name} has version ${node.version}, but the executables are built by Node.js ${process.versions.node}. Both must be the same: use \`npm run release\``,
    );
  const isWindows = platform.node.startsWith('win32');
  const name = `authgraph-${version}-${platform.name}`;
  const content = join(place, name);
  mkdirSync(content);
  const executable = join(content, isWindows ? 'authgraph.exe' : 'authgraph');
  const config = join(place, 'config.json');
  const program = join(place, 'package', platform.program);
  const assets = Object.fromEntries(
    [...bundle.assets.keys()].map((asset) => [asset, join(folder, 'assets', asset)]),
  );
  writeFileSync(config, seaConfig({ node: program, executable, assets }));
  await runProgram(process.execPath, ['--build-sea', config], { cwd: folder });
  const isThisMachine = platform.node === `${process.platform}-${process.arch}`;
  if (isThisMachine) await tryExecutable(executable, { source, version, scratch: place });
  writeFile(join(content, 'LICENSE'), readFileSync(join(source, 'LICENSE'), 'utf8'));
  writeFile(
    join(content, 'THIRD-PARTY-LICENSES.txt'),
    [
      `Node.js ${node.version}\n\n${nodeLicense(source)}\n`,
      readFileSync(join(folder, 'LICENSES.txt'), 'utf8'),
    ].join(`\n${'-'.repeat(80)}\n\n`),
  );
  const archive = `${name}.tar.gz`;
  await writeArchive(join(out, archive), { folder: place, entries: [basename(content)], epoch });
  report(`executables: ${archive}${isThisMachine ? ', which runs here' : ', not run here'}`);
  return {
    name: archive,
    part: 'executables',
    content: `executable for ${platform.name}`,
    started: isThisMachine,
  };
};
