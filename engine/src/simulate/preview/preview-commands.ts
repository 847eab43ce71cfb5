/** Builds command lines that show the same as the graph, the preview of a change and the doctor. */
import type { Release } from '../../model/release.ts';
import { releaseWords, shellLine } from '../shell-line.ts';

export interface GraphCommand {
  /** The path of the file; `undefined` for standard input. */
  readonly config: string | undefined;
  /**
   * The claims whose path through the graph is shown; an `undefined` path is standard input too.
   */
  readonly claims: 'none' | { readonly path: string | undefined };
  readonly release: Release;
}

/** Returns the command line of `authgraph graph` that shows the same. */
export const graphCommand = ({ config, claims, release }: GraphCommand): string => {
  const fromStdin = claims !== 'none' && claims.path === undefined;
  return shellLine([
    'authgraph',
    'graph',
    ...(claims === 'none' ? [] : ['--claims', claims.path ?? '-']),
    ...releaseWords(release),
    // Only one file can be standard input.
    config ?? (fromStdin ? 'authentication.yaml' : '-'),
  ]);
};

/** A comparison of two versions of the configuration. */
export interface ChangeCommand {
  readonly config: string;
  /** The paths of the samples, at least one. */
  readonly claims: readonly string[];
  /**
   * The version to compare with: the saved file (the edited one is standard input), or a Git
   * revision.
   */
  readonly before: 'saved' | { readonly revision: string | undefined };
  readonly release: Release;
}

/** Returns the command line of `authgraph diff` for the same comparison. */
export const changeCommand = ({ config, claims, before, release }: ChangeCommand): string => {
  const compare = shellLine([
    'authgraph',
    'diff',
    ...(before === 'saved' ? [config, '-'] : ['-', config]),
    ...claims.flatMap((path) => ['--claims', path]),
    ...releaseWords(release),
  ]);
  if (before === 'saved' || before.revision === undefined) return compare;
  const [, folder = '.', name = config] = /^(.*)[\\/]([^\\/]+)$/.exec(config) ?? [];
  const show = ['git', '-C', folder || '/', 'show', `${before.revision}:./${name}`];
  return `${shellLine(show)} | ${compare}`;
};

export interface DoctorCommand {
  /** The path of the file; `undefined` for standard input. */
  readonly config: string | undefined;
  /** The only issuer to check; `undefined` for all. */
  readonly issuer: string | undefined;
  readonly release: Release;
}

/** Returns the command line of `authgraph doctor` for the same check. */
export const doctorCommand = ({ config, issuer, release }: DoctorCommand): string =>
  shellLine([
    'authgraph',
    'doctor',
    '--config',
    config ?? '-',
    ...(issuer === undefined ? [] : ['--issuer', issuer]),
    ...releaseWords(release),
  ]);
