/** Checks the permissions of files that contain secrets. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

const groupAndOtherBits = 0o077;
/** Everything that is forbidden for a file that this process reads as a member of its group. */
const groupWriteAndOtherBits = 0o037;

/**
 * Returns a warning for each file that users other than its owner may read or write. A group may read the file of
 * another user, since this process could not read it otherwise: the kubelet mounts a Secret for the group of a pod. A
 * missing file is reported where it is read. Returns none on Windows, which has no such modes.
 */
export const secretFileWarnings = async (
  paths: readonly string[],
  reader: number | undefined = process.getuid?.(),
): Promise<readonly string[]> => {
  if (reader === undefined) return [];
  const warnings: string[] = [];
  for (const path of new Set(paths)) {
    const stats = await statsOf(path);
    if (stats === undefined) continue;
    const isMember = reader !== 0 && stats.uid !== reader;
    const forbidden = isMember ? groupWriteAndOtherBits : groupAndOtherBits;
    if ((stats.mode & forbidden) === 0) continue;
    const shown = (stats.mode & 0o777).toString(8).padStart(4, '0');
    warnings.push(
      `${JSON.stringify(path)} contains secrets, but its mode ${shown} gives other users access: set it to 0600`,
    );
  }
  return warnings;
};

const statsOf = async (path: string): Promise<Stats | undefined> => {
  try {
    // `stat` follows symbolic links, which projected volumes use.
    return await stat(path);
  } catch {
    return undefined;
  }
};
