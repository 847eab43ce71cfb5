/** A file that a flag of a module names, read once. */
import { type FileReading, readSnapshot } from '../../node/files.ts';

/** More than any of these files is. */
const maxModuleFileBytes = 64 * 1024 * 1024;

export const readModuleFile = (path: string): Promise<FileReading> =>
  readSnapshot(path, { maxBytes: maxModuleFileBytes });
