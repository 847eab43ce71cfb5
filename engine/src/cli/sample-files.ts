/** Finds the samples of a configuration in the sample folders of its settings file. */
import { join } from 'node:path';
import { fail } from './command.ts';
import type { Io } from './io.ts';
import { createSettingsFiles, shownPath } from './settings-files.ts';
import { walkFolder } from './walk-folder.ts';

/** Returns the paths of the samples; none without a settings file that names folders. */
export const sampleFiles = async (path: string, io: Io): Promise<readonly string[]> => {
  const file = await createSettingsFiles(io).nearest(path);
  const files = new Set<string>();
  for (const name of file?.settings.sampleFolders ?? []) {
    const folder = shownPath(join(file?.folder ?? '', name));
    const walked = walkFolder(folder, io);
    if (walked === undefined)
      return fail(io, `${folder} is not a folder`, `It is in sampleFolders of ${file?.path}.`);
    const [failure] = walked.failures;
    if (failure !== undefined) return fail(io, failure.reason, failure.help);
    for (const sample of walked.files) files.add(sample);
  }
  return [...files];
};
