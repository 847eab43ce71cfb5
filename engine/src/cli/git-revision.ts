/**
 * Reads a file of a Git revision, named as Git names it: `HEAD:auth.yaml`, `origin/main:./auth.yaml`, and lists the
 * files of a folder. The repository may be untrusted: none of its settings can start a program.
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { findProgram } from '../client/server/find-program.ts';
import { once } from '../source/once.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import {
  type FileFailure,
  type FoundInRevision,
  maxInputBytes,
  type RevisionListing,
} from './io.ts';
import { isFoundBelow, maxFiles } from './walk-folder.ts';

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

/**
 * Returns the content of the file in the repository of a folder. Git follows symbolic links, but only to files of the
 * same revision.
 */
export const readRevision = async (
  { revision, path }: RevisionPath,
  folder = process.cwd(),
): Promise<GitOutput | FileFailure> => {
  const name = `${revision}:${path}`;
  // The name is one line of the input, or ends with a NUL byte if it has lines of its own.
  const [options, end] = name.includes('\n') ? [['-z'], '\0'] : [[], '\n'];
  const args = ['cat-file', '--batch', '--follow-symlinks', ...options];
  const printed = await runGit(args, { name, folder, input: name + end });
  if (printed.kind === 'failure') return printed;
  const { header, content } = batchReply(printed.bytes);
  if (/^[\da-f]{40,64} blob \d+$/.test(header)) {
    return content.length > maxInputBytes
      ? failureOf(name, { code: tooMuchOutput }, noLog)
      : { kind: 'bytes', bytes: content };
  }
  const explained = await runGit(['cat-file', '-e', name], { name, folder });
  if (explained.kind === 'failure') return explained;
  const [, type = ''] = /^[\da-f]{40,64} (\w+) \d+$/.exec(header) ?? [];
  const problem = type === '' ? linkProblems.get(header.replace(/ .*/s, '')) : 'is a directory';
  return {
    kind: 'failure',
    reason: failedRead(name, problem ?? 'not a file'),
    help: 'Symbolic links are followed to files of the same revision. Name a file.',
  };
};

/** Splits the reply about one object: a line about it, its content, and a line break. */
const batchReply = (
  bytes: Uint8Array,
): { readonly header: string; readonly content: Uint8Array } => {
  const end = bytes.indexOf(lineFeed);
  return {
    header: new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))),
    content: bytes.subarray(end + 1, -1),
  };
};

const lineFeed = 0x0a;

/** What is wrong with a symbolic link, by the first word of the reply. */
const linkProblems: ReadonlyMap<string, string> = new Map([
  ['symlink', 'a symbolic link leads out of the repository'],
  ['dangling', 'a symbolic link leads to a file that does not exist in the revision'],
  ['loop', 'too many levels of symbolic links'],
  ['notdir', 'not a directory'],
]);

/**
 * Lists the YAML and JSON files below a folder of the revision, except for symbolic links and for those that
 * `walkFolder` skips; returns `undefined` for the name of a file.
 */
export const listRevision = async (
  { revision, path }: RevisionPath,
  folder = process.cwd(),
): Promise<RevisionListing | FileFailure | undefined> => {
  const name = `${revision}:${path}`;
  const type = await runGit(['cat-file', '-t', name], { name, folder });
  if (type.kind === 'failure') {
    const isKnown = await runGit(['cat-file', '-e', `${revision}^{tree}`], { name, folder });
    return isKnown.kind === 'failure' ? type : { ...type, isAbsent: true };
  }
  if (new TextDecoder().decode(type.bytes).trim() !== 'tree') return undefined;
  const listed = await runGit(['ls-tree', '--full-tree', '-r', '-z', name], { name, folder });
  if (listed.kind === 'failure') return listed;
  const blobByPath = new Map<string, string>();
  for (const { isLink, blob, file } of entriesOf(listed.bytes)) {
    if (isLink || !isFoundBelow(file)) continue;
    if (blobByPath.size === maxFiles)
      return {
        kind: 'failure',
        reason: `${escapeUnprintable(name)}: more than ${maxFiles} YAML and JSON files`,
        isTooLarge: true,
      };
    blobByPath.set(file, blob);
  }
  return { kind: 'listing', blobByPath };
};

/** Creates a cache of what Git prints about the repository of a folder. */
export const createGitCache = (folder = process.cwd()): GitCache => {
  const entries = new Map<string, Promise<GitEntries>>();
  return {
    folder,
    place: once(async () => {
      // In a bare repository, the command fails, and all paths are from the top.
      const args = ['rev-parse', '--show-prefix', '--show-toplevel'];
      const where = await runGit(args, { name: folder, folder });
      const [prefix = '', top] = where.kind === 'bytes' ? linesOf(where.bytes) : [];
      return { prefix, top };
    }),
    entriesNamed(fileName, revision) {
      const key = `${revision}:${fileName}`;
      const known = entries.get(key) ?? listEntries({ revision, folder, fileName });
      entries.set(key, known);
      return known;
    },
  };
};

interface GitCache {
  readonly folder: string;
  readonly place: () => Promise<{ readonly prefix: string; readonly top: string | undefined }>;
  /** Returns the files with a name in all folders of a revision. */
  readonly entriesNamed: (fileName: string, revision: string) => Promise<GitEntries>;
}

/** Files by path. */
type GitEntries = ReadonlyMap<string, GitEntry> | FileFailure;

/** Lists the files with a name in a revision: those with given paths, or in all folders. */
const listEntries = async (
  { revision, folder, fileName }: Record<'revision' | 'folder' | 'fileName', string>,
  paths?: readonly string[],
): Promise<GitEntries> => {
  const some = paths === undefined ? ['-r', `${revision}^{tree}`] : [`${revision}^{tree}`, '--'];
  const args = ['ls-tree', '--full-tree', '-z', ...some, ...(paths ?? [])];
  const listed = await runGit(args, { name: revision, folder });
  if (listed.kind === 'failure') return listed;
  const named = entriesOf(listed.bytes).filter(({ file }) => posix.basename(file) === fileName);
  return new Map(named.map((entry) => [entry.file, entry]));
};

/**
 * Finds the nearest file with a name: in the folder of a file of the revision, or above it. Returns
 * `undefined` if there is no such revision.
 */
export const findInRevision = async (
  { revision, path }: RevisionPath,
  fileName: string,
  git = createGitCache(),
): Promise<FoundInRevision | undefined> => {
  const { prefix, top } = await git.place();
  const isRelative = /^\.\.?(?:\/|$)/.test(path);
  const whole = posix.normalize(isRelative ? `${prefix}${path}` : path);
  const paths: string[] = [];
  for (let above = posix.dirname(whole); paths.length < maxFoldersAbove; ) {
    paths.push(posix.join(above, fileName));
    if (above === '.') break;
    above = posix.dirname(above);
  }
  const { folder } = git;
  const all = await git.entriesNamed(fileName, revision);
  const isTooLarge = 'reason' in all && all.isTooLarge === true;
  const entries = isTooLarge ? await listEntries({ revision, folder, fileName }, paths) : all;
  if ('reason' in entries) return undefined;
  const unusable: string[] = [];
  for (const one of paths) {
    const entry = entries.get(one);
    if (entry === undefined) continue;
    const target = entry.isLink ? await linkTarget(entry, { revision, folder }) : one;
    const name = `${revision}:${one}`;
    if (target !== undefined) return { top, name, target: `${revision}:${target}`, unusable };
    unusable.push(name);
  }
  return { top, unusable };
};

/** Returns the path of the file to which a symbolic link leads; `undefined` if it is not a file of the revision. */
const linkTarget = async (
  { file, blob }: GitEntry,
  { revision, folder }: Record<'revision' | 'folder', string>,
): Promise<string | undefined> => {
  const read = await runGit(['cat-file', 'blob', blob], { name: file, folder });
  if (read.kind === 'failure' || read.bytes.length > maxTargetBytes) return undefined;
  const written = new TextDecoder().decode(read.bytes);
  const target = posix.join(posix.dirname(file), written);
  const isOutside = written.startsWith('/') || target.startsWith('../') || target.includes('\0');
  if (isOutside) return undefined;
  const fileName = posix.basename(target);
  const entries = await listEntries({ revision, folder, fileName }, [target]);
  return 'reason' in entries || entries.get(target)?.isLink !== false ? undefined : target;
};

/** The maximum size of a path on Linux. */
const maxTargetBytes = 4096;

/** More folders than a path of a working tree has. */
const maxFoldersAbove = 512;

const linesOf = (bytes: Uint8Array): readonly string[] =>
  new TextDecoder().decode(bytes).split('\n');

interface GitEntry {
  readonly isLink: boolean;
  readonly blob: string;
  readonly file: string;
}

/** Parses what `ls-tree -z` prints; submodules are left out. */
const entriesOf = (bytes: Uint8Array): readonly GitEntry[] =>
  new TextDecoder()
    .decode(bytes)
    .split('\0')
    .flatMap((line) => {
      const [, type, blob = '', file = ''] =
        /^1([02])0\d{3} blob ([\da-f]+)\t(.+)$/s.exec(line) ?? [];
      return file === '' ? [] : [{ isLink: type === '2', blob, file }];
    });

/** Returns whether Git gives the ID to this content; a repository uses SHA-1 or SHA-256. */
export const isContentOf = (blob: string, content: Uint8Array): boolean => {
  const hash = createHash(blob.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === blob;
};

interface GitOutput {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** Runs Git in the repository of a folder; `name` is what is read. */
const runGit = (
  args: readonly string[],
  {
    name,
    folder,
    input,
  }: { readonly name: string; readonly folder: string; readonly input?: string },
): Promise<GitOutput | FileFailure> => {
  // Windows would look for git in the current directory, which is untrusted.
  const git = findProgram('git', process.env);
  if (git === undefined) return Promise.resolve(failureOf(name, { code: 'ENOENT' }, noLog));
  const options = {
    cwd: folder,
    encoding: 'buffer',
    env: gitEnvironment(process.env),
    maxBuffer: maxInputBytes + maxHeaderBytes,
    timeout: deadlineMs,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    const { stdin } = execFile(git, [...safeSettings, ...args], options, (error, bytes, log) => {
      resolve(error === null ? { kind: 'bytes', bytes } : failureOf(name, error, log));
    });
    // A program that ends without reading its input is reported by the callback.
    stdin?.on('error', () => {});
    stdin?.end(input);
  });
};

const deadlineMs = 30_000;

/** Exceeds what Git prints before and after the content of an object. */
const maxHeaderBytes = 256;

const tooMuchOutput = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';

/**
 * Settings that win over those of the repository. `cat-file` and `ls-tree` run no pager, no filter, no text
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
    reason: failedRead(name, reason),
    ...(help === undefined ? {} : { help }),
  });
  if (error.code === 'ENOENT') return failure('the program git is not installed');
  if (error.code === tooMuchOutput) {
    return { ...failure(`larger than ${maxInputBytes} bytes`), isTooLarge: true };
  }
  const [first = 'git failed'] = new TextDecoder().decode(log.subarray(0, maxLogBytes)).split('\n');
  const reason = escapeUnprintable(first.replace(/^fatal: /, '').trim());
  const { revision, path } = parseRevisionPath(name) ?? { revision: '', path: '' };
  // A path from the top has no slash at its start, but a URL has.
  if (reason.startsWith('invalid object name ') && !path.startsWith('/')) {
    return failure(
      `there is no revision ${escapeUnprintable(revision)} in the repository`,
      `Run git fetch, or name a local branch, such as main:${escapeUnprintable(path)}.`,
    );
  }
  return failure(
    reason === '' ? 'git failed' : reason,
    'The form is REVISION:PATH with a path from the top of the repository, or REVISION:./PATH from the current folder.',
  );
};

const failedRead = (name: string, reason: string): string =>
  `read ${escapeUnprintable(name)} from Git: ${reason}`;

/** Exceeds any message of Git. */
const maxLogBytes = 4096;
