/** Finds the settings file (`.authgraph.yaml`) that applies to a file, and reads each one once. */
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SettingsReading } from '../settings/read-settings.ts';
import { settingsFileName } from '../settings/settings.ts';
import { sourceFile } from '../source/source-file.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';

export interface SettingsFile extends SettingsReading {
  /** The path for messages: relative if the file is below the current folder. */
  readonly path: string;
  /** The absolute path of its folder. */
  readonly folder: string;
}

export const createSettingsFiles = (io: Io) => {
  const byFolder = new Map<string, Promise<SettingsFile | undefined>>();
  const byPath = new Map<string, Promise<SettingsFile | undefined>>();
  const readOnce = (path: string): Promise<SettingsFile | undefined> => {
    const found = byPath.get(path) ?? readSettingsFile(path, io);
    byPath.set(path, found);
    return found;
  };
  const nearestIn = (folder: string): Promise<SettingsFile | undefined> => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found = readOnce(join(folder, settingsFileName)).then(
      (file) => file ?? (parent === folder ? undefined : nearestIn(parent)),
    );
    byFolder.set(folder, found);
    return found;
  };
  return {
    /** Returns the settings file with a path; `undefined` if there is none. */
    at: (path: string): Promise<SettingsFile | undefined> => readOnce(resolve(path)),
    /** Returns the file that applies; standard input (`-`) belongs to the current folder. */
    nearest: (path: string): Promise<SettingsFile | undefined> =>
      nearestIn(path === '-' ? resolve() : dirname(resolve(path))),
  };
};

/** Returns the path for messages: relative if it is below the current folder. */
export const shownPath = (path: string): string => {
  const fromHere = relative(resolve(), resolve(path));
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
};

/** Returns the path of a file relative to the folder of its settings file, with `/`. */
export const pathBelow = ({ folder }: SettingsFile, path: string): string =>
  path === '-' ? path : relative(folder, resolve(path)).split(sep).join('/');

/** Returns `undefined` if there is no such file; ends the command if it cannot be read. */
const readSettingsFile = async (file: string, io: Io): Promise<SettingsFile | undefined> => {
  const path = shownPath(file);
  const read = await io.readText(path, maxSettingsBytes);
  if (read.kind === 'failure') return isAbsent(read.reason) ? undefined : fail(io, read.reason);
  if (read.broken !== undefined) return fail(io, `${path}: ${read.broken.message}`);
  const { catalog } = await import('../catalog.ts');
  const { readSettings } = await import('../settings/read-settings.ts');
  const reading = readSettings(sourceFile(path, read.text), catalog);
  return { ...reading, path, folder: dirname(resolve(file)) };
};

/** More than a document may have, so that a longer one is a diagnostic. */
const maxSettingsBytes = 4 * 1024 * 1024;

/** A folder above that cannot be searched counts as one without settings. */
const isAbsent = (reason: string): boolean =>
  /: (?:no such file or directory|not a directory|permission denied)$/.test(reason);
