/** The process itself: standard streams, files, environment, signals. */
import { open, writeFile } from 'node:fs/promises';
import { type FileFailure, type FileText, type Io, maxInputBytes, type Stream } from './io.ts';

export const nodeIo = (): Io => {
  const controller = new AbortController();
  const end = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  // Opening a stream takes milliseconds, and most commands need only one.
  let stdout: Stream | undefined;
  let stderr: Stream | undefined;
  const output = (): Stream => {
    stdout ??= streamOf(process.stdout);
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
    readText: (path) => (path === '-' ? readStdin() : readTextFile(path)),
    async writeText(path, text) {
      if (path === '-') {
        output().write(text);
        return undefined;
      }
      try {
        await writeFile(path, text);
        return undefined;
      } catch (cause) {
        return failureOf(path, cause);
      }
    },
    variable: (name) => process.env[name],
    get signal() {
      // Only commands that look at the signal take Ctrl-C into their own hands.
      if (process.listenerCount('SIGINT') === 0) {
        process.on('SIGINT', end);
        process.on('SIGTERM', end);
      }
      return controller.signal;
    },
  };
};

const streamOf = (stream: NodeJS.WriteStream): Stream => {
  // A reader that went away (`| head`) is no failure of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    write(text) {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
  };
};

const readTextFile = async (path: string): Promise<FileText> => {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > maxInputBytes) return tooLarge(path);
      return textOf(path, await file.readFile());
    } finally {
      await file.close();
    }
  } catch (cause) {
    return failureOf(path, cause);
  }
};

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

const textOf = (path: string, bytes: Uint8Array): FileText =>
  bytes.length > maxInputBytes
    ? tooLarge(path)
    : { kind: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };

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
