/** Finds the samples of a configuration in the sample folders of its settings file. */
import { boundedFolder, resolveBounded } from './bounded-paths.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';
import { createSettingsFiles, pathInWorkingTree } from './settings-files.ts';
import { walkFolder } from './walk-folder.ts';

/** Returns the paths of the samples; none without a settings file that names folders. */
export const sampleFiles = async (path: string, io: Io): Promise<readonly string[]> => {
  const file = await createSettingsFiles(io).nearest(await pathInWorkingTree(path, io));
  const files = new Set<string>();
  if (file === undefined) return [];
  for (const name of file.settings.sampleFolders) {
    const target = resolveBounded(boundedFolder(file.path), name);
    if (target.kind === 'outside')
      return fail(io, `${file.path}: sampleFolders: ${name}: ${target.problem}`);
    const folder = target.path === '' ? '.' : target.path;
    const walked = walkFolder(folder, io);
    if (walked === undefined)
      return fail(io, `${folder} is not a folder`, `It is in sampleFolders of ${file.path}.`);
    const [failure] = walked.failures;
    if (failure !== undefined) return fail(io, failure.reason, failure.help);
    for (const sample of walked.files) files.add(sample);
  }
  return [...files];
};
