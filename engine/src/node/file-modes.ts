/** Who may read a file that holds a secret. */
import { stat } from 'node:fs/promises';

const groupAndOtherBits = 0o077;

/**
 * A sentence for each file that others than its owner may read or write. A file that is not there is
 * told of where it is read. Empty on Windows, which has no such modes.
 */
export const secretFileWarnings = async (paths: readonly string[]): Promise<readonly string[]> => {
  if (process.getuid === undefined) return [];
  const warnings: string[] = [];
  for (const path of new Set(paths)) {
    const mode = await modeOf(path);
    if (mode === undefined || (mode & groupAndOtherBits) === 0) continue;
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    warnings.push(
      `${JSON.stringify(path)} holds secrets and its mode ${shown} lets others than its owner at them: set it to 0600`,
    );
  }
  return warnings;
};

const modeOf = async (path: string): Promise<number | undefined> => {
  try {
    // Of what links lead to: projected volumes are full of them.
    return (await stat(path)).mode;
  } catch {
    return undefined;
  }
};
