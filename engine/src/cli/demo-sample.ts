/** The configuration of the demo: the repository's file, or a copy of the one that the package brings. */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DemoSample {
  readonly path: string;
  /** Removes what was made; the repository's own file stays. */
  remove(): Promise<void>;
}

const inRepository = fileURLToPath(
  new URL('../../../samples/demo/authentication.yaml', import.meta.url),
);
const inPackage = fileURLToPath(new URL('../samples/demo/authentication.yaml', import.meta.url));

/**
 * A package is not a place to edit files in, and may be somebody else's: its file is copied to a folder
 * of its own. `undefined` where there is neither.
 */
export const demoSample = async (): Promise<DemoSample | undefined> => {
  if (existsSync(inRepository)) return { path: inRepository, remove: async () => {} };
  if (!existsSync(inPackage)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'authgraph-sample-'));
  const path = join(folder, basename(inPackage));
  await copyFile(inPackage, path);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
};
