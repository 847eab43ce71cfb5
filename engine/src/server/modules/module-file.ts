/** Reads a file named by a flag of a module. */
import { type FileReading, readSnapshot } from '../../node/files.ts';

/** Exceeds the size of any valid file. */
const maxModuleFileBytes = 64 * 1024 * 1024;

/** Reads a file by its path in a flag. */
export type ReadModuleFile = (path: string) => Promise<FileReading>;

export const readModuleFile: ReadModuleFile = (path) =>
  readSnapshot(path, { maxBytes: maxModuleFileBytes });
