/** The process itself: standard streams, files, environment, signals. */
import { type FileFailure, type FileText, type Io, maxInputBytes, type Stream } from './io.ts';

// Not imported: an import of `node:fs` by an ES module reads every export of it, and with that loads
// streams and promises, a fifth of the time in which Node starts.
const fs = process.getBuiltinModule('node:fs');

export const nodeIo = (): Io => {
  // Each is made when it is wanted: most commands write to one stream and have no use for signals.
  let stdout: Stream | undefined;
  let stderr: Stream | undefined;
  let termination: AbortController | undefined;
  const output = (): Stream => {
    stdout ??= outputStream();
    return stdout;
  };
  return {
    get stdout() {
      return output();
    },
    get stderr() {
      stderr ??= streamOf(process.stderr);
      return stderr;
    },
    readText: async (path) => (path === '-' ? await readStdin() : await readTextFile(path)),
    async writeText(path, text) {
      if (path === '-') {
        output().write(text);
        return undefined;
      }
      try {
        fs.writeFileSync(path, text);
        return undefined;
      } catch (cause) {
        return failureOf(path, cause);
      }
    },
    variable: (name) => process.env[name],
    get signal() {
      termination ??= endOnSignal();
      return termination.signal;
    },
    onHangup(listener) {
      const { isatty } = process.getBuiltinModule('node:tty');
      const hadTerminal = isatty(standardError);
      process.on('SIGHUP', () => {
        // The kernel hangs a terminal up before it signals: a closed window ends the process.
        if (hadTerminal && !isatty(standardError)) process.kill(process.pid, 'SIGTERM');
        else listener();
      });
    },
    ignoreInspectorSignal() {
      process.on('SIGUSR1', () => {
        stderr ??= streamOf(process.stderr);
        stderr.write('SIGUSR1 ignored: the inspector stays closed\n');
      });
    },
  };
};

const standardError = 2;

/** Only for commands that look at the signal: they take Ctrl-C into their own hands. */
const endOnSignal = (): AbortController => {
  const controller = new AbortController();
  const end = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  return controller;
};

/**
 * Standard output. `process.stdout` loads streams and sockets, an eighth of the time in which Node
 * starts; what is no terminal is written without it, as long as it takes what it is given.
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

/** A file, a pipe, or the device that forgets: everything but a terminal and a closed descriptor. */
const supportsSyncWrite = (descriptor: number): boolean => {
  try {
    const status = fs.fstatSync(descriptor);
    if (status.isFile() || status.isFIFO() || status.isSocket()) return true;
    return status.rdev === fs.statSync('/dev/null').rdev;
  } catch {
    return false;
  }
};

/** Gives back what a full pipe, or one with another fault, did not take. */
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
    // A reader that went away (`| head`) is no failure of ours: the command goes on unheard, and its
    // exit code is what it found. So is a standard error that takes nothing: there is nobody to tell.
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

const readTextFile = async (path: string): Promise<FileText> => {
  try {
    const file = fs.openSync(path, 'r');
    try {
      const status = fs.fstatSync(file);
      if (status.size > maxInputBytes) return tooLarge(path);
      return await textOf(path, status.isFile() ? fs.readFileSync(file) : readBounded(file));
    } finally {
      fs.closeSync(file);
    }
  } catch (cause) {
    return failureOf(path, cause);
  }
};

/** Of a pipe or a device, which may have no end: one byte more than is allowed, at most. */
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

const readStdin = async (): Promise<FileText> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of process.stdin) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size > maxInputBytes) return tooLarge('standard input');
      chunks.push(bytes);
    }
  } catch (cause) {
    return failureOf('standard input', cause);
  }
  return textOf('standard input', Buffer.concat(chunks));
};

const textOf = async (path: string, bytes: Uint8Array): Promise<FileText> => {
  if (bytes.length > maxInputBytes) return tooLarge(path);
  try {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    const { readBytes } = await import('../documents/yaml/read-bytes.ts');
    const read = readBytes(bytes);
    return {
      kind: 'text',
      text: read.text,
      ...(read.kind === 'broken' ? { broken: read.diagnostic } : {}),
    };
  }
};

const tooLarge = (path: string): FileFailure => ({
  kind: 'failure',
  reason: `read ${path}: larger than ${maxInputBytes} bytes`,
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
  return { kind: 'failure', reason: `${syscall} ${path}: ${reason}` };
};

const errnoOf = (cause: unknown): { readonly code: string; readonly syscall: string } => {
  const fields = new Map(typeof cause === 'object' && cause !== null ? Object.entries(cause) : []);
  return {
    code: String(fields.get('code') ?? ''),
    syscall: fields.get('syscall') === 'read' ? 'read' : 'open',
  };
};
