/** Files of the documentation and the samples, which are assets of an executable. */
import { getAsset, getAssetKeys } from 'node:sea';
import type { PackageFile } from '../../../engine/src/cli/package-file.ts';

/** Returns the asset with this path in the repository; `undefined` if there is none. */
export const readPackageFile = async (path: string): Promise<PackageFile | undefined> =>
  getAssetKeys().includes(path) ? { text: getAsset(path, 'utf8'), path: undefined } : undefined;
