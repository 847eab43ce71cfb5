/** The process: standard streams, files, environment and signals. */
import type { Dirent } from 'node:fs';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { createGitCache } from './git-revision.ts';
import {
  type FileFailure,
  type FileText,
  type FolderEntry,
  type Io,
  maxInputBytes,
  maxThreads,
  type Stream,
} from './io.ts';
import { pluginNameOf } from './program-name.ts';
import type { PipeContent } from './read-pipe.ts';

// Not an import: an ES import of `node:fs` reads all its exports, which loads streams and promises
// and takes a fifth of Node's start.
const fs = process.getBuiltinModule('node:fs');

/** Creates the `Io` of the process; a worker thread passes its own standard error and signal. */
export const nodeIo = (own: Partial<Pick<Io, 'stderr' | 'signal'>> = {}): Io => {
  // Created on demand: most commands write to one stream and do not use signals.
  let stdout: Stream | undefined;
  let { stderr } = own;
  let termination: AbortController | undefined;
  let git: ReturnType<typeof createGitCache> | undefined;
  const output = (): Stream => {
    stdout ??= outputStream();
    return stdout;
  };
  return {
    programName: pluginNameOf(process.argv[1] ?? ''),
    get stdout() {
      return output();
    },
    get stderr() {
      stderr ??= streamOf(process.stderr);
      return stderr;
    },
    readText: async (path, maxBytes) =>
      path === '-'
        ? await readStdin(own.signal ?? termination?.signal)
        : await readTextFile(path, { maxBytes, signal: own.signal ?? termination?.signal }),
    async readRevision(name) {
      const { parseRevisionPath, readRevision } = await import('./git-revision.ts');
      const parsed = parseRevisionPath(name);
      if (parsed === undefined) return undefined;
      const read = await readRevision(parsed);
      return read.kind === 'bytes' ? textOf(name, read.bytes) : read;
    },
    async listRevision(name) {
      const { listRevision, parseRevisionPath } = await import('./git-revision.ts');
      const parsed = parseRevisionPath(name);
      return parsed === undefined ? undefined : listRevision(parsed);
    },
    async findInRevision(name, fileName) {
      const revisions = await import('./git-revision.ts');
      const parsed = revisions.parseRevisionPath(name);
      if (parsed === undefined) return undefined;
      git ??= revisions.createGitCache();
      return revisions.findInRevision(parsed, fileName, git);
    },
    listFolder,
    isFile: (path) =>
      fs.existsSync(path) && fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    otherOwner,
    async replaceText(path, before, after) {
      const { replaceFile } = await import('./replace-file.ts');
      try {
        return await replaceFile(path, before, after);
      } catch (cause) {
        return failureOf(path, cause);
      }
    },
    async writeText(path, text) {
      if (path === '-') {
        output().write(text);
        return undefined;
      }
      const { leavesRepository } = await import('./bounded-paths.ts');
      if (leavesRepository(path))
        return {
          kind: 'failure',
          reason: `write ${escapeUnprintable(path)}: it is a link out of its repository, which is not followed`,
        };
      try {
        fs.writeFileSync(path, text);
        return undefined;
      } catch (cause) {
        return failureOf(path, cause);
      }
    },
    variable: (name) => process.env[name],
    maxThreads,
    get signal() {
      if (own.signal !== undefined) return own.signal;
      termination ??= endOnSignal();
      return termination.signal;
    },
    onHangup(listener) {
      const { isatty } = process.getBuiltinModule('node:tty');
      const hadTerminal = isatty(standardError);
      process.on('SIGHUP', () => {
        // The kernel hangs up a terminal before it sends the signal, so a closed window ends the
        // process.
        if (hadTerminal && !isatty(standardError)) process.kill(process.pid, 'SIGTERM');
        else listener();
      });
    },
    onProcessNotice(listener) {
      process.on('SIGUSR1', () => listener('SIGUSR1 ignored: the inspector stays closed'));
      process.removeAllListeners('warning');
      process.on('warning', ({ name, message }) => listener(`${name}: ${message}`));
    },
  };
};

const standardError = 2;

const otherOwner = (path: string): number | undefined => {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  try {
    // The owner of a symbolic link decides which file is read.
    const owner = fs.lstatSync(path).uid;
    return owner === user || owner === 0 ? undefined : owner;
  } catch {
    return undefined;
  }
};

/** Handles signals; called only by commands that use the abort signal. */
const endOnSignal = (): AbortController => {
  const controller = new AbortController();
  const end = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (process.env.npm_command === 'exec') onParentExit(() => controller.abort());
  return controller;
};

/**
 * Calls the listener when the parent process exits. `npx` runs commands through a shell, which a
 * signal ends without reaching the command.
 */
const onParentExit = (listener: () => void): void => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, parentCheckMs);
  timer.unref();
};

const parentCheckMs = 500;

/**
 * Creates standard output. `process.stdout` loads streams and sockets, an eighth of Node's start,
 * so files and pipes are written directly as long as they accept all bytes.
 */
const outputStream = (): Stream => {
  const descriptor = 1;
  if (!supportsSyncWrite(descriptor)) return streamOf(process.stdout);
  let stream: ByteStream | undefined;
  return {
    write(text) {
      const rest = stream === undefined ? writeNow(descriptor, Buffer.from(text)) : text;
      if (rest.length === 0) return;
      stream ??= streamOf(process.stdout);
      stream.write(rest);
    },
    replaceLine() {
      // Only a terminal has a line to replace.
    },
    isTerminal: false,
    columns: 80,
  };
};

/** Reports whether a descriptor is a file, a pipe, a socket or /dev/null. */
const supportsSyncWrite = (descriptor: number): boolean => {
  try {
    const status = fs.fstatSync(descriptor);
    if (status.isFile() || status.isFIFO() || status.isSocket()) return true;
    return status.rdev === fs.statSync('/dev/null').rdev;
  } catch {
    return false;
  }
};

/**
 * Writes synchronously and returns the bytes that were not written, because a pipe is full or
 * broken.
 */
const writeNow = (descriptor: number, bytes: Uint8Array): Uint8Array => {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(fs.writeSync(descriptor, rest));
    return rest;
  } catch {
    // The stream gets the same error, and handles waiting and reporting.
    return rest;
  }
};

interface ByteStream extends Stream {
  write(text: string | Uint8Array): void;
}

const streamOf = (stream: NodeJS.WriteStream): ByteStream => {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (closed) return;
    closed = true;
    // A reader that exits early (`| head`) is not a failure: the command continues without output
    // and returns its exit code. A closed standard error is ignored because there is no place to
    // report it.
    if (error.code === 'EPIPE' || stream === process.stderr) return;
    const reason = reasons.get(error.code ?? '') ?? error.code ?? 'unknown error';
    process.stderr.write(`error: write standard output: ${reason}\n`);
    process.exit(2);
  });
  return {
    write(text) {
      if (!closed) stream.write(text);
    },
    replaceLine(text) {
      if (!closed) stream.write(`\r${text}\u001b[K`);
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
  };
};

/** Returns `undefined` for anything but a folder, also for a name that does not exist. */
const listFolder: Io['listFolder'] = (path) => {
  if (path === '-') return undefined;
  try {
    if (!fs.statSync(path).isDirectory()) return undefined;
    return fs
      .readdirSync(path, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, kind: kindOf(entry, path) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    return errnoOf(cause).code === 'ENOENT' ? undefined : failureOf(path, cause);
  }
};

const kindOf = (entry: Dirent, folder: string): FolderEntry['kind'] => {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  const path = `${folder}/${entry.name}`;
  if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'other';
  // A link of an untrusted folder must not lead to a file elsewhere, which --fix would change.
  const above = fs.realpathSync(folder).replace(/[\\/]$/, '');
  return /^[\\/]/.test(withoutPrefix(fs.realpathSync(path), above)) ? 'file' : 'other';
};

/** Returns the rest of the text; empty if it does not start with the prefix. */
const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : '';

interface ReadOptions {
  readonly maxBytes: number | undefined;
  /** Ends the reading of a pipe, if the process handles signals. */
  readonly signal: AbortSignal | undefined;
}

const readTextFile = async (path: string, { maxBytes, signal }: ReadOptions): Promise<FileText> => {
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  try {
    // Opening a pipe that has no writer would block the process.
    const file = fs.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
    const status = fs.fstatSync(file);
    if (maxBytes === undefined && status.isFIFO()) {
      const { readNamedPipe } = await import('./read-pipe.ts');
      const content = await readNamedPipe(file, { maxBytes: maxInputBytes, signal });
      return await textOfPipe(path, content);
    }
    try {
      if (maxBytes !== undefined && !status.isFile() && !status.isDirectory())
        return { kind: 'failure', reason: `read ${escapeUnprintable(path)}: not a regular file` };
      const most = maxBytes ?? maxInputBytes;
      if (status.size > most) return tooLarge(path, most);
      return await textOf(path, status.isFile() ? fs.readFileSync(file) : readDevice(path));
    } finally {
      fs.closeSync(file);
    }
  } catch (cause) {
    return failureOf(path, cause);
  }
};

const textOfPipe = async (path: string, content: PipeContent): Promise<FileText> => {
  switch (content.kind) {
    case 'bytes':
      return await textOf(path, content.bytes);
    case 'interrupted':
      return { kind: 'failure', reason: `read ${escapeUnprintable(path)}: interrupted` };
    case 'too large':
      return tooLarge(path, maxInputBytes);
  }
};

const readDevice = (path: string): Uint8Array => {
  // Opened again, so that reading waits.
  const file = fs.openSync(path, 'r');
  try {
    return readBounded(file);
  } finally {
    fs.closeSync(file);
  }
};

/** Reads a device, which may be endless, up to one byte more than the limit. */
const readBounded = (file: number): Uint8Array => {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= maxInputBytes; ) {
    const chunk = Buffer.alloc(Math.min(chunkSize, maxInputBytes + 1 - size));
    const length = fs.readSync(file, chunk);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    size += length;
  }
  return Buffer.concat(chunks);
};

const chunkSize = 64 * 1024;

const readStdin = async (signal: AbortSignal | undefined): Promise<FileText> => {
  const { readPipe } = await import('./read-pipe.ts');
  try {
    const content = await readPipe(process.stdin, { maxBytes: maxInputBytes, signal });
    return await textOfPipe('standard input', content);
  } catch (cause) {
    return failureOf('standard input', cause);
  }
};

const textOf = async (path: string, bytes: Uint8Array): Promise<FileText> => {
  if (bytes.length > maxInputBytes) return tooLarge(path, maxInputBytes);
  try {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    const { readBytes } = await import('../documents/yaml/read-bytes.ts');
    const read = readBytes(bytes);
    return {
      kind: 'text',
      text: read.text,
      bytes,
      ...(read.kind === 'broken' ? { broken: read.diagnostic } : {}),
    };
  }
};

const tooLarge = (path: string, maxBytes: number): FileFailure => ({
  kind: 'failure',
  reason: `read ${escapeUnprintable(path)}: larger than ${maxBytes} bytes`,
  isTooLarge: true,
});

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
  ['EMFILE', 'too many open files'],
  ['ENOSPC', 'no space left on device'],
  ['EROFS', 'read-only file system'],
]);

const failureOf = (path: string, cause: unknown): FileFailure => {
  const { code, syscall } = errnoOf(cause);
  const reason = reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
  return { kind: 'failure', reason: `${syscall} ${escapeUnprintable(path)}: ${reason}` };
};

const errnoOf = (cause: unknown): { readonly code: string; readonly syscall: string } => {
  const fields = new Map(typeof cause === 'object' && cause !== null ? Object.entries(cause) : []);
  return {
    code: String(fields.get('code') ?? ''),
    syscall: fields.get('syscall') === 'read' ? 'read' : 'open',
  };
};
