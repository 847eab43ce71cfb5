/** Reads a file named by a flag of a module. */
import { type FileReading, readSnapshot } from '../../node/files.ts';

/** Exceeds the size of any valid file. */
const maxModuleFileBytes = 64 * 1024 * 1024;

export const readModuleFile = (path: string): Promise<FileReading> =>
  readSnapshot(path, { maxBytes: maxModuleFileBytes });
