/** Archives whose bytes depend on the files alone. */
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { runProgram } from './run-program.ts';

export interface ArchiveContent {
  readonly folder: string;
  /** Files and folders in it, in the order of the archive. */
  readonly entries: readonly string[];
  /** The time of each file, in seconds since 1970. */
  readonly epoch: number;
}

/** Writes a .tar.gz. Needs GNU tar. */
export const writeArchive = async (
  path: string,
  { folder, entries, epoch }: ArchiveContent,
): Promise<void> => {
  const tar = `${path}.tar`;
  const fixed = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const args = ['--format=ustar', '--sort=name', `--mtime=@${epoch}`, ...fixed];
  await runProgram('tar', ['-c', '-f', tar, ...args, '-C', folder, ...entries]);
  await pipeline(createReadStream(tar), createGzip(), createWriteStream(path));
  rmSync(tar);
};
