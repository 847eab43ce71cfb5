/** Files that the server reads beside what is open: found once, read again when the client tells. */
import type { WorkspaceFiles } from './files.ts';

export interface CachedFile {
  readonly uri: string;
  /** `undefined` where it cannot be read, is too long or is no text. */
  readonly text: string | undefined;
}

export interface FileCache {
  /** By URI, as the last search found them. */
  readonly all: ReadonlyMap<string, CachedFile>;
  /** There are, or may be, others that a limit kept from being found or read. */
  readonly isTruncated: boolean;
  /** No search has ended since the start: what is known is not what there is. */
  readonly isSearchPending: boolean;
  /** Looks for files anew; a search that is under way ends. */
  search(): Promise<void>;
  /** Reads again what was changed, made or deleted. */
  reread(uris: readonly string[]): Promise<void>;
  /** Resolves when no search is under way any more. */
  whenIdle(): Promise<void>;
  /** Resolves when a search has ended since the start, at the latest after `mostWaitMs`. */
  whenSearched(): Promise<void>;
  /** The same for a search that is under way now: false where it does not end in that time. */
  waitForSearch(): Promise<boolean>;
}

export interface FileCacheSources {
  readonly files: () => WorkspaceFiles;
  readonly globs: () => readonly string[];
  /** Whether a URI is one that the search would find. */
  readonly isWanted: (uri: string) => boolean;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxWaitMs: number;
  /** Told after something was found or read. */
  readonly onChange: () => void;
}

export const createFileCache = (sources: FileCacheSources): FileCache => {
  let all = new Map<string, CachedFile>();
  let isTruncated = false;
  let searching = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let hasWaited = false;
  let isSearchPending = true;

  const read = async (uri: string): Promise<CachedFile> => {
    const file = await sources.files().read(uri, sources.maxBytes);
    return { uri, text: typeof file === 'object' ? file.text : undefined };
  };

  const runSearch = async (signal: AbortSignal): Promise<void> => {
    const found = new Map<string, CachedFile>();
    const search = await sources.files().find(sources.globs(), signal);
    for (const uri of search.uris.slice(0, sources.maxFiles)) {
      // One after the other: a workspace may lie behind a slow file system.
      found.set(uri, await read(uri));
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    all = found;
    isTruncated = search.isTruncated || search.uris.length > sources.maxFiles;
    isSearchPending = false;
    sources.onChange();
  };
  const markFailed = (signal: AbortSignal): void => {
    if (signal.aborted || !isSearchPending) return;
    isSearchPending = false;
    sources.onChange();
  };

  /** Another search may have begun instead of the one that was waited for. */
  const whenIdle = async (): Promise<void> => {
    for (let waited: unknown; waited !== last; ) {
      waited = last;
      await last;
    }
  };

  const complete = async (): Promise<boolean> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), sources.maxWaitMs);
    });
    const isComplete = await Promise.race([whenIdle().then(() => true), late]);
    clearTimeout(timer);
    return isComplete;
  };

  const whenSearched = async (): Promise<void> => {
    if (hasWaited) return;
    await complete();
    // Who waited once in vain does not wait again.
    hasWaited = true;
  };

  const rereadAll = async (uris: readonly string[]): Promise<void> => {
    const wanted = uris.filter(sources.isWanted);
    if (wanted.length === 0) return;
    await whenIdle();
    const fresh = await Promise.all(wanted.slice(0, sources.maxFiles).map(read));
    const next = new Map(all);
    for (const file of fresh) {
      if (file.text === undefined) next.delete(file.uri);
      else if (next.has(file.uri) || next.size < sources.maxFiles) next.set(file.uri, file);
      else isTruncated = true;
    }
    isTruncated ||= wanted.length > sources.maxFiles;
    all = new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
    sources.onChange();
  };

  return {
    get all() {
      return all;
    },
    get isTruncated() {
      return isTruncated;
    },
    get isSearchPending() {
      return isSearchPending;
    },
    search() {
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      last = runSearch(signal).catch(() => markFailed(signal));
      return last;
    },
    whenIdle,
    whenSearched,
    waitForSearch: complete,
    // Nobody waits for it: what cannot be read stays as it was.
    reread: (uris) => rereadAll(uris).catch(() => undefined),
  };
};
