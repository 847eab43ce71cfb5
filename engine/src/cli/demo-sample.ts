/**
 * The configuration of the demo: the file of the repository, or a copy of the one in the package.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readPackageFile } from './package-file.ts';

export interface DemoSample {
  readonly path: string;
  /** Deletes the copy; the file of the repository is kept. */
  remove(): Promise<void>;
}

const sample = 'samples/demo/authentication.yaml';

/**
 * Returns the configuration; `undefined` if there is none. The file of a package is copied to a
 * temporary directory, since packages should not be edited and may belong to another user.
 */
export const demoSample = async (): Promise<DemoSample | undefined> => {
  const file = await readPackageFile(sample);
  if (file === undefined) return undefined;
  if (file.path !== undefined) return { path: file.path, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'authgraph-sample-'));
  const path = join(folder, basename(sample));
  await writeFile(path, file.text);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
};
