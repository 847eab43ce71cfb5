/** The line for a shell that asks the same question as a preview. */
import type { Release } from '../../model/release.ts';
import { releaseWords, shellLine } from '../shell-line.ts';

/** A question about a sample. */
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

/** The command line of `authgraph whoami` that asks the same. */
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
