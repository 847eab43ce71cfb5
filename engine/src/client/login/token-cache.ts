/**
 * Tokens on disk, one file per issuer, its certificate authorities, client and kind of token. They let their reader act as the
 * user: the files have mode 0600 in a directory of mode 0700, and others are not used.
 */
import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reveal, secret } from '../../model/secret.ts';
import {
  accessibleToOthers,
  isMissing,
  readPrivateFile,
  rejectUntrustedDirectory,
  replaceFile,
} from '../../node/private-files.ts';
import { type LockOptions, withCacheLock } from './cache-lock.ts';
import { LoginError, type LoginSettings, type LoginTokens } from './login-settings.ts';

export interface TokenCache {
  /** Returns the cached tokens, which may have expired; `undefined` if there are none. */
  read(): Promise<LoginTokens | undefined>;
  /** Returns whether the file is new. */
  write(tokens: LoginTokens): Promise<boolean>;
  /** Runs the work while no other process logs in for this file. */
  lock<Value>(options: LockOptions, work: () => Promise<Value>): Promise<Value>;
  /** The file, for messages. */
  readonly path: string;
}

const maxFileBytes = 1024 * 1024;
const privateFile = { forbiddenMode: accessibleToOthers, maxBytes: maxFileBytes };

/** Returns the cache of these settings; its methods reject with a `LoginError`. */
export const tokenCache = (directory: string, settings: LoginSettings): TokenCache => {
  const path = join(directory, `${cacheKey(settings)}.json`);
  const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (cause) {
      throw cause instanceof LoginError ? cause : cacheError(cause, { directory, path });
    }
  };
  const readText = async (): Promise<string | undefined> => {
    try {
      await rejectUntrustedDirectory(directory, accessibleToOthers);
      return await readPrivateFile(path, privateFile);
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw cause;
    }
  };
  return {
    path,
    lock: (options, work) =>
      guarded(async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await rejectUntrustedDirectory(directory, accessibleToOthers);
        return await withCacheLock(`${path}.lock`, options, work);
      }),
    read: () => guarded(async () => tokensOf(await readText())),
    write: (tokens) =>
      guarded(async () => {
        const isNew = (await readText()) === undefined;
        await replaceFile(path, textOf(tokens));
        return isNew;
      }),
  };
};

const cacheKey = (settings: LoginSettings): string => {
  const { issuer, clientId, grant, tokenType, scopes, parameters } = settings;
  const { certificateAuthority = '' } = settings;
  const parts = [issuer, clientId, grant, tokenType, scopes.toSorted(), [...parameters]];
  // A token that was received over a connection with another authority is not used.
  if (certificateAuthority !== '') parts.push(certificateAuthority);
  return hash('sha256', JSON.stringify(parts));
};

const cacheError = (
  cause: unknown,
  { directory, path }: { readonly directory: string; readonly path: string },
): LoginError => {
  const reason = cause instanceof Error ? cause.message : 'unknown error';
  return new LoginError(`token cache ${JSON.stringify(directory)}: ${reason}`, {
    help: `The directory and ${JSON.stringify(path)} must belong to you, with mode 0700 and 0600.`,
  });
};

/** Version of the content of a file. */
const formatVersion = 1;

const textOf = ({ token, expiresAt, refreshToken }: LoginTokens): string =>
  `${JSON.stringify({
    version: formatVersion,
    token: reveal(token),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(refreshToken === undefined ? {} : { refreshToken: reveal(refreshToken) }),
  })}\n`;

/** Returns `undefined` for text of another version or program, which is replaced. */
const tokensOf = (text: string | undefined): LoginTokens | undefined => {
  const data = text === undefined ? undefined : parse(text);
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(data));
  const [token, expiresAt, refreshToken] = ['token', 'expiresAt', 'refreshToken'].map((name) =>
    fields.get(name),
  );
  if (fields.get('version') !== formatVersion || typeof token !== 'string') return undefined;
  return {
    token: secret(token),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    refreshToken: typeof refreshToken === 'string' ? secret(refreshToken) : undefined,
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
