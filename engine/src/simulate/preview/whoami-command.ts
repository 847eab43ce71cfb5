/** Builds the command line that gives the same answer as a preview. */
import type { Release } from '../../model/release.ts';
import { releaseWords, shellLine } from '../shell-line.ts';

/** The sample and the options of the command line. */
export interface WhoamiCommand {
  /** The path of the file; `undefined` for standard input. */
  readonly config: string | undefined;
  readonly claims: string | undefined;
  readonly release: Release;
  /** Milliseconds since 1970, if the time is not that of the system clock. */
  readonly now?: number;
  readonly as?: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: ReadonlyMap<string, readonly string[]>;
    readonly roleFiles: readonly string[];
  };
}

/** Returns the command line of `authgraph whoami` that gives the same answer. */
export const whoamiCommand = ({ config, claims, release, now, as }: WhoamiCommand): string =>
  shellLine([
    'authgraph',
    'whoami',
    '--config',
    // Only one file can be standard input.
    config ?? (claims === undefined ? 'authentication.yaml' : '-'),
    '--claims',
    claims ?? '-',
    ...releaseWords(release),
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
