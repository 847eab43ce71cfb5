/** Checks the permissions of files that contain secrets. */
import { stat } from 'node:fs/promises';

const groupAndOtherBits = 0o077;

/**
 * Returns a warning for each file that users other than its owner may read or write. A missing file
 * is reported where it is read. Returns none on Windows, which has no such modes.
 */
export const secretFileWarnings = async (paths: readonly string[]): Promise<readonly string[]> => {
  if (process.getuid === undefined) return [];
  const warnings: string[] = [];
  for (const path of new Set(paths)) {
    const mode = await modeOf(path);
    if (mode === undefined || (mode & groupAndOtherBits) === 0) continue;
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    warnings.push(
      `${JSON.stringify(path)} contains secrets, but its mode ${shown} gives other users access: set it to 0600`,
    );
  }
  return warnings;
};

const modeOf = async (path: string): Promise<number | undefined> => {
  try {
    // `stat` follows symbolic links, which projected volumes use.
    return (await stat(path)).mode;
  } catch {
    return undefined;
  }
};
