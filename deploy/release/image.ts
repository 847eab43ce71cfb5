/** The container image, built by `npm run image`: one archive of its OCI layout, and its bills of materials. */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release, ReleaseFile } from './release.ts';
import { runProgram } from './run-program.ts';

export const image = async (release: Release): Promise<readonly ReleaseFile[]> => {
  const { root, revision, scratch, out, report } = release;
  const folder = join(scratch, 'image');
  report('image: building for amd64 and arm64');
  const args = ['deploy/image/build.ts', '--out', folder, '--revision', revision];
  // The check starts the image in a chroot, which needs root.
  const started = process.platform === 'linux' && process.getuid?.() === 0;
  if (started) args.push('--check');
  const stdout = await runProgram(process.execPath, args, { cwd: root });
  for (const line of stdout.trim().split('\n')) report(`image: ${line.replace(`${folder}/`, '')}`);
  const names = (await readdir(folder)).filter((name) => /\.(?:tar|json)$/.test(name)).sort();
  for (const name of names) await copyFile(join(folder, name), join(out, name));
  return names.map((name) => ({
    name,
    part: 'image',
    ...(name.endsWith('.tar')
      ? { content: 'container image, OCI layout', started }
      : { content: 'bill of materials of the image' }),
  }));
};
