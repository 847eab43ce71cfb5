/**
 * Reads a file of a Git revision, named as Git names it: `HEAD:auth.yaml`, `origin/main:./auth.yaml`. The repository
 * may be untrusted: none of its settings can start a program.
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { findProgram } from '../client/server/find-program.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import { type FileFailure, maxInputBytes } from './io.ts';

/** A file of a revision: `HEAD` and `auth.yaml`. */
export interface RevisionPath {
  readonly revision: string;
  readonly path: string;
}

/**
 * Parses `REVISION:PATH`; returns `undefined` for anything else, such as a path with a drive letter
 * and a revision that Git would read as an option.
 */
export const parseRevisionPath = (text: string): RevisionPath | undefined => {
  const [, revision = '', path = ''] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  const isDrive = /^[a-z]$/i.test(revision) && /^[\\/]/.test(path);
  if (revision === '' || isDrive || revision.startsWith('-') || text.includes('\0')) {
    return undefined;
  }
  return { revision, path };
};

/** Returns the content of the file in the repository of a folder. */
export const readRevision = (
  { revision, path }: RevisionPath,
  folder = process.cwd(),
): Promise<{ readonly kind: 'bytes'; readonly bytes: Uint8Array } | FileFailure> => {
  const name = `${revision}:${path}`;
  // Windows would look for git in the current directory, which is untrusted.
  const git = findProgram('git', process.env);
  if (git === undefined) return Promise.resolve(failureOf(name, { code: 'ENOENT' }, noLog));
  const options = {
    cwd: folder,
    encoding: 'buffer',
    env: gitEnvironment(process.env),
    maxBuffer: maxInputBytes + 1,
    timeout: deadlineMs,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    execFile(git, [...safeSettings, 'cat-file', 'blob', name], options, (error, bytes, log) => {
      resolve(error === null ? { kind: 'bytes', bytes } : failureOf(name, error, log));
    });
  });
};

const deadlineMs = 30_000;

/**
 * Settings that win over those of the repository. `cat-file` runs no pager, no filter, no text
 * conversion and no hook. A repository inside of a working tree is used only if `GIT_DIR` names it.
 */
const safeSettings = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'protocol.allow=never',
];

/** What a hook or a user sets to select the repository. */
const repositoryVariables: ReadonlySet<string> = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/**
 * Returns the environment for Git. Objects that a partial clone lacks are not fetched: the remote is
 * a setting of the repository and can name a program.
 */
const gitEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !name.toUpperCase().startsWith('GIT_') || repositoryVariables.has(name),
    ),
  ),
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
});

const noLog = new Uint8Array();

const failureOf = (
  name: string,
  error: Pick<ExecFileException, 'code'>,
  log: Uint8Array,
): FileFailure => {
  const failure = (reason: string, help?: string): FileFailure => ({
    kind: 'failure',
    reason: `read ${escapeUnprintable(name)} from Git: ${reason}`,
    ...(help === undefined ? {} : { help }),
  });
  if (error.code === 'ENOENT') return failure('the program git is not installed');
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return { ...failure(`larger than ${maxInputBytes} bytes`), isTooLarge: true };
  }
  const [first = 'git failed'] = new TextDecoder().decode(log.subarray(0, maxLogBytes)).split('\n');
  const reason = escapeUnprintable(first.replace(/^fatal: /, '').trim());
  return failure(
    reason === '' ? 'git failed' : reason,
    'The form is REVISION:PATH with a path from the top of the repository, or REVISION:./PATH from the current folder.',
  );
};

/** Exceeds any message of Git. */
const maxLogBytes = 4096;
