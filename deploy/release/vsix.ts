/** The extension for VS Code. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Release, ReleaseFile } from './release.ts';
import { runProgram } from './run-program.ts';

export const vsix = async ({ source, out, report }: Release): Promise<readonly ReleaseFile[]> => {
  const stdout = await runProgram(process.execPath, ['extension/packing/pack.ts'], { cwd: source });
  const path = stdout.trim();
  const name = basename(path);
  await copyFile(path, join(out, name));
  report(`vsix: packed ${name}`);
  return [{ name, part: 'vsix', content: 'extension for VS Code' }];
};
