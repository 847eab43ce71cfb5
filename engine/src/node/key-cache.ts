/**
 * The key cache as a directory with one file per issuer, which is named by the digest of the
 * issuer's URL and replaced atomically. Anyone who can write here can sign tokens for every issuer,
 * so a directory or file that another user could have written is not read.
 */
import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyCache } from '../ports/key-cache.ts';
import type { Log } from '../ports/log.ts';
import {
  isMissing,
  readPrivateFile,
  rejectUntrustedDirectory,
  replaceFile,
  writableByOthers,
} from './private-files.ts';

/**
 * Maximum size of a file: as much as an issuer may serve for its discovery document and its key set
 * together.
 */
const maxCacheFileBytes = 2 * 1024 * 1024;

const privateFile = { forbiddenMode: writableByOthers, maxBytes: maxCacheFileBytes };

/**
 * Options of the key cache, which keeps the keys of issuers across restarts.
 *
 * @example
 * ```ts
 * const options: KeyCacheOptions = { directory: '/var/cache/authgraph', log: nodeLog() };
 * ```
 */
export interface KeyCacheOptions {
  readonly directory: string;
  readonly log?: Log;
}

/**
 * Returns a key cache on disk that only the user of the server can access.
 *
 * @example
 * ```ts
 * const ports = nodePorts({ keyCache: nodeKeyCache({ directory: '/var/cache/authgraph' }) });
 * ```
 */
export const nodeKeyCache = ({ directory, log }: KeyCacheOptions): KeyCache => {
  const pathOf = (issuerUrl: string) => join(directory, `${hash('sha256', issuerUrl)}.json`);
  const warn = (message: string, cause: unknown) =>
    log?.event('warn', message, { directory, reason: reasonOf(cause) });
  const read = async (issuerUrl: string): Promise<string | undefined> => {
    try {
      await rejectUntrustedDirectory(directory, writableByOthers);
      return await readPrivateFile(pathOf(issuerUrl), privateFile);
    } catch (cause) {
      if (!isMissing(cause)) warn('cached keys not read', cause);
      return undefined;
    }
  };
  const write = async (issuerUrl: string, text: string): Promise<void> => {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await rejectUntrustedDirectory(directory, writableByOthers);
      await replacePrivate(pathOf(issuerUrl), text);
    } catch (cause) {
      warn('keys not cached', cause);
    }
  };
  // Calls run one at a time: the later of two writes wins, and a read sees it.
  let tail: Promise<unknown> = Promise.resolve();
  const enqueue = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = tail.then(work);
    tail = done;
    return done;
  };
  return {
    read: (issuerUrl) => enqueue(() => read(issuerUrl)),
    write: (issuerUrl, text) => enqueue(() => write(issuerUrl, text)),
  };
};

const replacePrivate = async (path: string, text: string): Promise<void> => {
  if (Buffer.byteLength(text) > maxCacheFileBytes) throw new Error('the keys are too large');
  await replaceFile(path, text);
};

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : 'unknown');
