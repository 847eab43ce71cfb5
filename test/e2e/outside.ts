/** What VS Code and the extension did, seen from outside: connections, programs, files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Outside {
  /** Addresses beyond this machine, as `inet_addr` and port. */
  readonly connections: readonly string[];
  /** Programs that were started, by path. */
  readonly programs: readonly string[];
}

/** Reads the log of `strace`. */
export const readOutside = (home: string): Outside => {
  const file = join(home, 'outside.log');
  if (!existsSync(file)) throw new Error('nothing was observed: strace is not there');
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

/** Loopback addresses are the browser and VS Code themselves; the port tells a probe of ours. */
export const isBeyondThisMachine = (address: string): boolean =>
  !/^(127\.|::1:|::ffff:127\.)/.test(address);

/** Digests by path: what a folder holds. */
export const holdings = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    filesIn(folder).map((file) => [
      relative(folder, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );

/** Files under a folder that hold a text, in the encodings that a browser's storage has. */
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
