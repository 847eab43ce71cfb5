/**
 * Finds a file of the documentation or the samples that the program uses. The executables replace this module by
 * `deploy/release/executables/package-file.ts`.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface PackageFile {
  readonly text: string;
  /** The path of a file that belongs to the user's clone and may be edited; `undefined` in a package. */
  readonly path: string | undefined;
}

/** Returns the file with this path in the repository; `undefined` if it is not installed. */
export const readPackageFile = async (path: string): Promise<PackageFile | undefined> => {
  const inRepository = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  if (existsSync(inRepository))
    return { text: await readFile(inRepository, 'utf8'), path: inRepository };
  const inPackage = new URL(`../${path}`, import.meta.url);
  if (existsSync(inPackage)) return { text: await readFile(inPackage, 'utf8'), path: undefined };
  return undefined;
};
