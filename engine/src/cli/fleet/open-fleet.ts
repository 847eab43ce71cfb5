/** Opens the folders of `authgraph fleet`, and those with which they are compared. */
import { relative, resolve, sep } from 'node:path';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { type CommandArguments, fail } from '../command.ts';
import {
  type ConfigurationFolder,
  openFolder,
  openRevisionFolder,
} from '../configuration-folder.ts';
import type { FileFailure, Io } from '../io.ts';
import type { FleetFolder } from './check-fleet.ts';

export interface OpenedFleet {
  readonly folders: readonly FleetFolder[];
  /** Folders inside of them that cannot be read. */
  readonly failures: readonly FileFailure[];
}

/** Opens all folders; ends the command if one of them cannot be opened. */
export const openFleet = async (read: CommandArguments, io: Io): Promise<OpenedFleet> => {
  const { values, operands, misuse } = read;
  const names = operands.length === 0 ? ['.'] : operands;
  const base = values.string('base');
  const isOnDisk = base !== '' && io.listFolder(base) !== undefined;
  // `main:` is the folder at the top of a revision, in which each folder has the same path.
  const revision = base.replace(/:$/, '');
  const isFolder = isOnDisk || revision.includes(':');
  if (isOnDisk && (await isRevision(base, io)))
    return fail(
      io,
      `--base ${base} is a folder and a Git revision`,
      `Specify ./${base} for the folder, or ${base}: for the revision.`,
    );
  if (isFolder && names.length > 1)
    return misuse('--base FOLDER compares one folder: specify a Git revision for several');
  const openBase = (name: string) =>
    isFolder ? openFolder(base, io) : openRevisionFolder(inRevision(revision, name), io, false);
  const folders: FleetFolder[] = [];
  for (const name of names) {
    const folder = opened(await openFolder(name, io), `${name} is not a folder`, io);
    if (folder.isRevision) return fail(io, `${escapeUnprintable(name)} is not a folder on disk`);
    const problem = `--base ${base} is neither a folder nor a Git revision that has one`;
    folders.push({
      folder,
      base: base === '' ? undefined : opened(await openBase(name), problem, io),
    });
  }
  const failures = folders.flatMap(({ folder, base: other }) => [
    ...folder.failures,
    ...(other?.failures ?? []),
  ]);
  return { folders, failures };
};

/** Returns whether a name is that of a Git revision, even if the revision does not have the current folder. */
const isRevision = async (name: string, io: Io): Promise<boolean> => {
  const listed = await io.listRevision(inRevision(name, '.'));
  return listed?.kind === 'failure'
    ? listed.isAbsent === true || listed.isTooLarge === true
    : listed !== undefined;
};

/** Returns a folder, or ends the command with the reason why it cannot be opened. */
const opened = (
  folder: ConfigurationFolder | FileFailure | undefined,
  problem: string,
  io: Io,
): ConfigurationFolder => {
  if (folder === undefined) return fail(io, escapeUnprintable(problem));
  return folder.kind === 'folder' ? folder : fail(io, folder.reason, folder.help);
};

/** Returns the name of a folder in a revision, relative to the current folder. */
const inRevision = (revision: string, folder: string): string => {
  const path = relative(resolve(), resolve(folder)).split(sep).join('/');
  return `${revision}:${path.startsWith('..') ? path : `./${path}`}`;
};
