/** Observes VS Code and the extension from outside: connections, programs, files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Outside {
  /** Remote addresses with ports. */
  readonly connections: readonly string[];
  /** Paths of started programs. */
  readonly programs: readonly string[];
}

/** Parses the log of `strace`. */
export const readOutside = (home: string): Outside => {
  const file = join(home, 'outside.log');
  if (!existsSync(file)) throw new Error('nothing was observed: strace is not installed');
  const lines = readFileSync(file, 'utf8').split('\n');
  const connections = lines.flatMap((line) => {
    const [, port, address] =
      /connect\(\d+, \{sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?"([^"]+)"/.exec(line) ?? [];
    return address === undefined ? [] : [`${address}:${port}`];
  });
  const programs = lines.flatMap((line) => {
    const [, path] = /execve\("([^"]+)"/.exec(line) ?? [];
    return path === undefined || line.includes('ENOENT') ? [] : [path];
  });
  return { connections, programs };
};

/** Loopback connections belong to the browser and VS Code; ports identify probes of the test. */
export const isBeyondThisMachine = (address: string): boolean =>
  !/^(127\.|::1:|::ffff:127\.)/.test(address);

/** Returns digests of a folder's files by path. */
export const holdings = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    filesIn(folder).map((file) => [
      relative(folder, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );

/** Returns the files in a folder that contain a text, in the encodings of the browser's storage. */
export const filesWith = (folder: string, text: string): readonly string[] => {
  const spellings = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return filesIn(folder).filter((file) => {
    const bytes = readFileSync(file);
    return spellings.some((spelling) => bytes.includes(spelling));
  });
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
