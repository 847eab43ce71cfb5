/** The line for a shell that asks the same question as a preview. */
import { newestRelease, type Release, releaseName } from '../model/release.ts';

export interface WhoamiCommand {
  /** Path of the file; `undefined`: it comes over standard input. */
  readonly config: string | undefined;
  readonly claims: string | undefined;
  readonly release: Release;
  /** Milliseconds since 1970, where the clock is not that of the machine. */
  readonly now?: number;
  readonly as?: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: ReadonlyMap<string, readonly string[]>;
    readonly roleFiles: readonly string[];
  };
}

export const whoamiCommand = ({ config, claims, release, now, as }: WhoamiCommand): string =>
  shellLine([
    'authgraph',
    'whoami',
    '--config',
    // Only one file can be standard input.
    config ?? (claims === undefined ? 'authentication.yaml' : '-'),
    '--claims',
    claims ?? '-',
    ...(release === newestRelease ? [] : ['--target-version', releaseName(release)]),
    ...(now === undefined ? [] : ['--now', new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')]),
    ...(as === undefined ? [] : actingArguments(as)),
    '--explain',
  ]);

const actingArguments = (as: NonNullable<WhoamiCommand['as']>): readonly string[] => [
  '--as',
  as.username,
  ...(as.uid === '' ? [] : ['--as-uid', as.uid]),
  ...as.groups.flatMap((group) => ['--as-group', group]),
  ...[...as.extra].flatMap(([key, values]) =>
    values.flatMap((value) => ['--as-user-extra', `${key}=${value}`]),
  ),
  ...as.roleFiles.flatMap((path) => ['--rbac-file', path]),
];

/** Words for a POSIX shell; names of Windows files also for its own. */
const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

const shellWord = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Its files have no double quotes in their names, its shells no other ones in common.
  if (/^[A-Za-z]:\\[^$`"%!]*$/.test(word)) return /^[\w:\\.-]+$/.test(word) ? word : `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
};
