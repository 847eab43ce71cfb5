/** Finds the settings file (`.authgraph.yaml`) that applies to a file, and reads each one once. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { toPrintable } from '../diagnostics/printable.ts';
import type { SettingsReading } from '../settings/read-settings.ts';
import { settingsFileName } from '../settings/settings.ts';
import { sourceFile } from '../source/source-file.ts';
import { boundedFolder, resolveBounded, shownPath } from './bounded-paths.ts';
import { fail } from './command.ts';
import type { FoundInRevision, Io } from './io.ts';
import { warnOnce } from './warn-once.ts';

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
  /** `user` is another user whose files are trusted, since the file to which they apply is theirs. */
  const nearestIn = (
    folder: string,
    user: number | undefined,
  ): Promise<SettingsFile | undefined> => {
    const key = `${user ?? ''} ${folder}`;
    const known = byFolder.get(key);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const path = join(folder, settingsFileName);
    const own = isTrusted(path, user, io) ? readOnce(path) : Promise.resolve(undefined);
    const found = own.then(
      (file) => file ?? (parent === folder ? undefined : nearestIn(parent, user)),
    );
    byFolder.set(key, found);
    return found;
  };
  const nearest = (path: string): Promise<SettingsFile | undefined> => {
    const folder = path === '-' ? resolve() : dirname(resolve(path));
    return nearestIn(folder, io.otherOwner(shownPath(folder)));
  };
  const nearestInRevision = async (
    path: string,
    inWorkingTree: string,
  ): Promise<SettingsFile | undefined> => {
    const found = await io.findInRevision(path, settingsFileName);
    if (found === undefined) return nearest(inWorkingTree);
    const { name, target, top, unusable } = found;
    for (const link of unusable) warnUnused(link, 'is a link to no file of its revision', io);
    if (name === undefined || target === undefined)
      return top === undefined ? undefined : nearest(top);
    const known = byPath.get(name) ?? readRevisionSettings({ name, target, top }, io);
    byPath.set(name, known);
    return known;
  };
  return {
    /** Returns the settings file with a path; `undefined` if there is none. */
    at: (path: string): Promise<SettingsFile | undefined> => readOnce(resolve(path)),
    /** Returns the file that applies; standard input (`-`) belongs to the current folder. */
    nearest,
    /**
     * Returns the file that applies to a configuration; for one of a Git revision, that of the
     * revision. Only files above the repository belong to no revision.
     */
    async ofConfiguration(path: string): Promise<SettingsFile | undefined> {
      const inWorkingTree = await pathInWorkingTree(path, io);
      if (inWorkingTree === path) return nearest(path);
      const key = path.slice(0, Math.max(path.lastIndexOf('/'), path.indexOf(':')) + 1);
      const found = byFolder.get(key) ?? nearestInRevision(path, inWorkingTree);
      byFolder.set(key, found);
      return found;
    },
  };
};

/** Returns the path of a file; for one of a Git revision, its path in the working tree. */
export const pathInWorkingTree = async (path: string, io: Io): Promise<string> => {
  if (!path.includes(':')) return path;
  if (dirname(path) !== '.' && io.listFolder(dirname(path)) !== undefined) return path;
  const { parseRevisionPath } = await import('./git-revision.ts');
  return parseRevisionPath(path)?.path ?? path;
};

/** Returns whether a settings file applies that was found and not named; prints why it does not. */
const isTrusted = (file: string, user: number | undefined, io: Io): boolean => {
  const path = shownPath(file);
  const reason = reasonForDistrust(path, user, io);
  if (reason !== undefined) warnUnused(path, reason, io);
  return reason === undefined;
};

/** Prints why a file is not used; once, since commands look for settings several times. */
const warnUnused = (path: string, reason: string, io: Io): void =>
  warnOnce(`warning: ${toPrintable(path)} is not used, because it ${reason}\n`, io);

/**
 * A settings file belongs to the current user, to root, or to the owner of the folder with the file to
 * which it applies. Otherwise any user could suppress diagnostics for files below a folder that all may
 * write, such as /tmp. It is no link out of its repository: diagnostics quote the lines of the file.
 */
const reasonForDistrust = (path: string, user: number | undefined, io: Io): string | undefined => {
  const owner = io.otherOwner(path);
  if (owner !== undefined && owner !== user) return `belongs to another user (${owner})`;
  return resolveBounded(boundedFolder(path), basename(path)).kind === 'outside'
    ? 'is a link out of its repository'
    : undefined;
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
  return settingsOf(read.text, { path, folder: dirname(resolve(file)) });
};

/** Returns the settings of a revision. Its mistakes cannot be fixed, so they are only warnings. */
const readRevisionSettings = async (
  { name, target, top }: Required<Pick<FoundInRevision, 'name' | 'target' | 'top'>>,
  io: Io,
): Promise<SettingsFile | undefined> => {
  const warn = (mistake: string) => io.stderr.write(`warning: ${toPrintable(mistake)}\n`);
  const read = await io.readRevision(target);
  if (read === undefined) return undefined;
  const folder = resolve(top ?? '', dirname(name.slice(name.indexOf(':') + 1)));
  const place = { path: name, folder };
  if (read.kind === 'failure') {
    if (read.isTooLarge !== true) return fail(io, read.reason, read.help);
    warn(read.reason);
    return settingsOf('', place);
  }
  if (read.broken !== undefined) {
    warn(`${name}: ${read.broken.message}`);
    return settingsOf('', place);
  }
  const file = await settingsOf(read.text, place);
  const [mistake] = file.diagnostics;
  if (mistake === undefined) return file;
  const { formatLocation } = await import('../diagnostics/render.ts');
  warn(`${formatLocation(file.source, mistake.span.start)}: ${mistake.message}`);
  return { ...file, diagnostics: [] };
};

const settingsOf = async (
  text: string,
  place: Pick<SettingsFile, 'path' | 'folder'>,
): Promise<SettingsFile> => {
  const { catalog } = await import('../catalog.ts');
  const { readSettings } = await import('../settings/read-settings.ts');
  return { ...readSettings(sourceFile(place.path, text), catalog), ...place };
};

/** More than a document may have, so that a longer one is a diagnostic. */
const maxSettingsBytes = 4 * 1024 * 1024;

/** A folder above that cannot be searched counts as one without settings. */
const isAbsent = (reason: string): boolean =>
  /: (?:no such file or directory|not a directory|permission denied)$/.test(reason);
