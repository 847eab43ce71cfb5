/**
 * Caches files that the server reads in addition to open documents: found by a search, and read
 * again when the client reports a change.
 */
import type { WorkspaceFiles } from './files.ts';
import { canonicalUri, filesIn } from './folders.ts';

export interface CachedFile {
  readonly uri: string;
  /** `undefined` if the file is too long, cannot be read or is not text. */
  readonly text: string | undefined;
  readonly isTooLong?: boolean;
}

export type FileCache = ReturnType<typeof createFileCache>;

export interface FileCacheSources {
  readonly files: () => WorkspaceFiles;
  readonly globs: () => readonly string[];
  /** Whether the search would find a URI. */
  readonly isWanted: (uri: string) => boolean;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxWaitMs: number;
  /** Called after the cache changed. */
  readonly onChange: () => void;
}

export const createFileCache = (sources: FileCacheSources) => {
  let all = new Map<string, CachedFile>();
  let isTruncated = false;
  let searching = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let hasWaited = false;
  let isSearchPending = true;

  const read = async (uri: string): Promise<CachedFile> => {
    const file = await sources.files().read(uri, sources.maxBytes);
    return typeof file === 'object'
      ? { uri, text: file.text }
      : { uri, text: undefined, isTooLong: file === 'too long' };
  };

  const runSearch = async (signal: AbortSignal): Promise<void> => {
    const fileByUri = new Map<string, CachedFile>();
    const search = await sources.files().find(sources.globs(), signal);
    for (const uri of search.uris.slice(0, sources.maxFiles)) {
      // Files are read one at a time because the file system may be slow.
      fileByUri.set(canonicalUri(uri), await read(uri));
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    all = fileByUri;
    isTruncated = search.isTruncated || search.uris.length > sources.maxFiles;
    isSearchPending = false;
    sources.onChange();
  };
  const markFailed = (signal: AbortSignal): void => {
    if (signal.aborted || !isSearchPending) return;
    isSearchPending = false;
    sources.onChange();
  };

  /** Resolves when no search is in progress; a new one may replace the one that was awaited. */
  const whenIdle = async (): Promise<void> => {
    for (let waited: unknown; waited !== last; ) {
      waited = last;
      await last;
    }
  };

  /** Waits for the search in progress; returns false if it takes longer than `maxWaitMs`. */
  const waitForSearch = async (): Promise<boolean> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), sources.maxWaitMs);
    });
    const isComplete = await Promise.race([whenIdle().then(() => true), late]);
    clearTimeout(timer);
    return isComplete;
  };

  /** Resolves when the first search has finished, or after `maxWaitMs`. */
  const whenSearched = async (): Promise<void> => {
    if (hasWaited) return;
    await waitForSearch();
    // Only the first caller waits for a search that does not finish.
    hasWaited = true;
  };

  const rereadAll = async (uris: readonly string[]): Promise<void> => {
    await whenIdle();
    const changed = new Map(uris.map((uri) => [canonicalUri(uri), uri]));
    const wanted = new Map([...changed].filter(([, uri]) => sources.isWanted(uri)));
    for (const key of filesIn(changed.keys(), all.keys())) wanted.set(key, key);
    if (wanted.size === 0) return;
    const fresh = await Promise.all(
      [...wanted].slice(0, sources.maxFiles).map(async ([key, uri]) => ({
        key,
        file: await read(all.get(key)?.uri ?? uri),
      })),
    );
    const next = new Map(all);
    for (const { key, file } of fresh) {
      if (file.text === undefined && file.isTooLong !== true) next.delete(key);
      else if (next.has(key) || next.size < sources.maxFiles) next.set(key, file);
      else isTruncated = true;
    }
    isTruncated ||= wanted.size > sources.maxFiles;
    all = new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
    sources.onChange();
  };

  return {
    /** The files of the last search, by canonical URI, because clients escape differently. */
    get all(): ReadonlyMap<string, CachedFile> {
      return all;
    },
    /** Whether a limit hides files, or may hide some. */
    get isTruncated(): boolean {
      return isTruncated;
    },
    /** Whether no search has finished since the start, so that the cache is incomplete. */
    get isSearchPending(): boolean {
      return isSearchPending;
    },
    /** Searches again; a search in progress is aborted. */
    search(): Promise<void> {
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      last = runSearch(signal).catch(() => markFailed(signal));
      return last;
    },
    whenIdle,
    whenSearched,
    waitForSearch,
    /** Stores the text that the editor saved, which is valid until the file is read again. */
    store(uri: string, text: string): void {
      const key = canonicalUri(uri);
      const known = all.get(key);
      if (known === undefined || text.length > sources.maxBytes) return;
      all = new Map(all).set(key, { uri: known.uri, text });
    },
    /**
     * Reads changed, created and deleted files again, and all files of such folders. The result is
     * not awaited; files that cannot be read keep their previous state.
     */
    reread: (uris: readonly string[]): Promise<void> => rereadAll(uris).catch(() => undefined),
  };
};
