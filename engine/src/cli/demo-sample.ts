/**
 * The configuration of the demo: the file of the repository, or a copy of the one in the package.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DemoSample {
  readonly path: string;
  /** Deletes the copy; the file of the repository is kept. */
  remove(): Promise<void>;
}

const inRepository = fileURLToPath(
  new URL('../../../samples/demo/authentication.yaml', import.meta.url),
);
const inPackage = fileURLToPath(new URL('../samples/demo/authentication.yaml', import.meta.url));

/**
 * Returns the configuration; `undefined` if there is none. The file of a package is copied to a
 * temporary directory, since packages should not be edited and may belong to another user.
 */
export const demoSample = async (): Promise<DemoSample | undefined> => {
  if (existsSync(inRepository)) return { path: inRepository, remove: async () => {} };
  if (!existsSync(inPackage)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'authgraph-sample-'));
  const path = join(folder, basename(inPackage));
  await copyFile(inPackage, path);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
};
