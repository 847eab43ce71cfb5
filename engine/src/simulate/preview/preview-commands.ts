/** Lines for a shell that ask what the graph, the preview of a change and the doctor show. */
import type { Release } from '../../model/release.ts';
import { releaseWords, shellLine } from '../shell-line.ts';

export interface GraphCommand {
  /** Path of the file; `undefined`: it comes over standard input. */
  readonly config: string | undefined;
  /** Whose way is shown; a path that is `undefined` is standard input too. */
  readonly claims: 'none' | { readonly path: string | undefined };
  readonly release: Release;
}

/** The command line of `authgraph graph` that shows the same. */
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

/** A question about a change of the configuration. */
export interface ChangeCommand {
  readonly config: string;
  /** Paths, one at least. */
  readonly claims: readonly string[];
  /** The file as it was saved, beside an edit over standard input; or a text that Git may know. */
  readonly before: 'saved' | { readonly revision: string | undefined };
  readonly release: Release;
}

/** The command line of `authgraph diff` that asks the same. */
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
  /** Path of the file; `undefined`: it comes over standard input. */
  readonly config: string | undefined;
  /** The only one that is asked. */
  readonly issuer: string | undefined;
  readonly release: Release;
}

/** The command line of `authgraph doctor` that asks the same. */
export const doctorCommand = ({ config, issuer, release }: DoctorCommand): string =>
  shellLine([
    'authgraph',
    'doctor',
    '--config',
    config ?? '-',
    ...(issuer === undefined ? [] : ['--issuer', issuer]),
    ...releaseWords(release),
  ]);
