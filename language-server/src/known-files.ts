/** Files that the server reads beside what is open: found once, read again when the client tells. */
import type { WorkspaceFiles } from './files.ts';

export interface KnownFile {
  readonly uri: string;
  /** `undefined` where it cannot be read, is too long or is no text. */
  readonly text: string | undefined;
}

export interface KnownFiles {
  /** By URI, as the last search found them. */
  readonly all: ReadonlyMap<string, KnownFile>;
  /** There are, or may be, others that a limit kept from being found or read. */
  readonly isCut: boolean;
  /** No search has ended since the start: what is known is not what there is. */
  readonly isUnread: boolean;
  /** Looks for files anew; a search that is under way ends. */
  search(): Promise<void>;
  /** Reads again what was changed, made or deleted. */
  reread(uris: readonly string[]): Promise<void>;
  /** Resolves when no search is under way any more. */
  settled(): Promise<void>;
  /** Resolves when a search has ended since the start, at the latest after `mostWaitMs`. */
  searched(): Promise<void>;
  /** The same for a search that is under way now: false where it does not end in that time. */
  complete(): Promise<boolean>;
}

export interface KnownFilesSources {
  readonly files: () => WorkspaceFiles;
  readonly globs: () => readonly string[];
  /** Whether a URI is one that the search would find. */
  readonly wanted: (uri: string) => boolean;
  readonly mostFiles: number;
  readonly mostBytes: number;
  readonly mostWaitMs: number;
  /** Told after something was found or read. */
  readonly changed: () => void;
}

export const createKnownFiles = (sources: KnownFilesSources): KnownFiles => {
  let all = new Map<string, KnownFile>();
  let isCut = false;
  let searching = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let isSearched = false;
  let isUnread = true;

  const read = async (uri: string): Promise<KnownFile> => {
    const file = await sources.files().read(uri, sources.mostBytes);
    return { uri, text: typeof file === 'object' ? file.text : undefined };
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const found = new Map<string, KnownFile>();
    const search = await sources.files().find(sources.globs(), signal);
    for (const uri of search.uris.slice(0, sources.mostFiles)) {
      // One after the other: a workspace may lie behind a slow file system.
      found.set(uri, await read(uri));
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    all = found;
    isCut = search.isCut || search.uris.length > sources.mostFiles;
    isUnread = false;
    sources.changed();
  };
  const failed = (signal: AbortSignal): void => {
    if (signal.aborted || !isUnread) return;
    isUnread = false;
    sources.changed();
  };

  /** Another search may have begun instead of the one that was waited for. */
  const settled = async (): Promise<void> => {
    for (let waited: unknown; waited !== last; ) {
      waited = last;
      await last;
    }
  };

  const complete = async (): Promise<boolean> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), sources.mostWaitMs);
    });
    const isComplete = await Promise.race([settled().then(() => true), late]);
    clearTimeout(timer);
    return isComplete;
  };

  const searched = async (): Promise<void> => {
    if (isSearched) return;
    await complete();
    // Who waited once in vain does not wait again.
    isSearched = true;
  };

  const rereadAll = async (uris: readonly string[]): Promise<void> => {
    const wanted = uris.filter(sources.wanted);
    if (wanted.length === 0) return;
    await settled();
    const fresh = await Promise.all(wanted.slice(0, sources.mostFiles).map(read));
    const next = new Map(all);
    for (const file of fresh) {
      if (file.text === undefined) next.delete(file.uri);
      else if (next.has(file.uri) || next.size < sources.mostFiles) next.set(file.uri, file);
      else isCut = true;
    }
    isCut ||= wanted.length > sources.mostFiles;
    all = new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
    sources.changed();
  };

  return {
    get all() {
      return all;
    },
    get isCut() {
      return isCut;
    },
    get isUnread() {
      return isUnread;
    },
    search() {
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      last = run(signal).catch(() => failed(signal));
      return last;
    },
    settled,
    searched,
    complete,
    // Nobody waits for it: what cannot be read stays as it was.
    reread: (uris) => rereadAll(uris).catch(() => undefined),
  };
};
