/**
 * The texts of the files that may hold configurations and are not open. A file is read again only
 * after the client has reported a change.
 */
import { matcher } from '@authgraph/engine/language';
import { isSkippedDirectory, type WorkspaceFiles } from './files.ts';
import { canonicalUri, type Folders, filesIn } from './folders.ts';
import { limits } from './limits.ts';

/** What is known of one file. */
export type ClosedText =
  | { readonly kind: 'text'; readonly uri: string; readonly text: string }
  /** The file holds no configuration; its text is not stored. */
  | { readonly kind: 'irrelevant'; readonly uri: string }
  | { readonly kind: 'too long'; readonly uri: string }
  /** The texts of other files have reached the limit. */
  | { readonly kind: 'too many'; readonly uri: string };

export interface ClosedTexts {
  /** Sorted by URI. */
  readonly all: readonly ClosedText[];
  /** Whether a limit hides files, or may hide some. */
  readonly isTruncated: boolean;
}

export interface ClosedTextSources {
  readonly files: () => WorkspaceFiles;
  readonly folders: () => Folders;
  /** Globs of the files that may hold configurations. */
  readonly globs: () => readonly string[];
  readonly openUris: () => readonly string[];
  /** Whether the settings declare the file to be a configuration. */
  readonly isExpected: (uri: string) => boolean;
}

/** The result of a search. The keys are canonical URIs, because clients escape differently. */
interface Search {
  readonly files: WorkspaceFiles;
  readonly globs: string;
  readonly texts: ReadonlyMap<string, ClosedText>;
  readonly isTruncated: boolean;
}

interface Changes {
  /** The files that have to be read again, by canonical URI. */
  readonly files: Map<string, string>;
  /** Paths that are no known files, which may be folders. */
  readonly others: Set<string>;
}

export const createClosedTexts = (sources: ClosedTextSources) => {
  let search: Search | undefined;
  /** Files that have to be read again, by canonical URI. */
  let changed = new Map<string, string>();
  /** The changes that were reported while files are being read. */
  const readings = new Set<Changes>();

  const globsText = (): string => sources.globs().join('\n');
  const isCurrent = ({ files, globs }: Search): boolean =>
    files === sources.files() && globs === globsText();
  const openKeys = (): ReadonlySet<string> => new Set(sources.openUris().map(canonicalUri));
  /** Runs a reading; files that change in the meantime have to be read again. */
  const whileReading = async (run: (meanwhile: Changes) => Promise<void>): Promise<void> => {
    const meanwhile: Changes = { files: new Map(), others: new Set() };
    readings.add(meanwhile);
    try {
      await run(meanwhile);
    } finally {
      readings.delete(meanwhile);
    }
  };

  const searchAgain = (signal: AbortSignal): Promise<void> =>
    whileReading(async (meanwhile) => {
      const files = sources.files();
      const globs = globsText();
      const { uris, isTruncated } = await files.find(sources.globs(), signal);
      const open = openKeys();
      const keyedUris = uris.map((uri) => [canonicalUri(uri), uri] as const);
      const closed = new Map(keyedUris.filter(([key]) => !open.has(key)));
      const reading = startReading(sources, new Map());
      const isComplete = await reading.add(closed, files, signal);
      if (signal.aborted) return;
      search = { files, globs, texts: reading.texts, isTruncated: isTruncated || !isComplete };
      // The files of open documents are read when the documents are closed.
      changed = new Map([...keyedUris.filter(([key]) => open.has(key)), ...meanwhile.files]);
      for (const key of filesIn(meanwhile.others, reading.texts.keys())) {
        changed.set(key, reading.texts.get(key)?.uri ?? key);
      }
    });

  /** Reads the files that have changed and are not open. */
  const readChanged = (before: Search): Promise<void> =>
    whileReading(async (meanwhile) => {
      const open = openKeys();
      const due = new Map([...changed].filter(([key]) => !open.has(key)));
      if (due.size === 0) return;
      // There may be room for the texts that were left out.
      if ([...due.keys()].some((key) => before.texts.get(key)?.kind === 'text')) {
        for (const [key, { kind, uri }] of before.texts) if (kind === 'too many') due.set(key, uri);
      }
      const reading = startReading(sources, before.texts);
      const isComplete = await reading.add(due, before.files, neverAborted);
      // If another search has finished in the meantime, the files are read again.
      if (search !== before) return;
      search = {
        ...before,
        texts: new Map([...reading.texts].sort(([, a], [, b]) => (a.uri < b.uri ? -1 : 1))),
        isTruncated: before.isTruncated || !isComplete,
      };
      for (const key of due.keys()) if (!meanwhile.files.has(key)) changed.delete(key);
    });

  const stored = (): ClosedTexts => ({
    all: [...(search?.texts.values() ?? [])],
    isTruncated: search?.isTruncated ?? false,
  });

  return {
    /** Searches and reads all files. */
    async read(signal: AbortSignal): Promise<ClosedTexts> {
      await searchAgain(signal);
      return signal.aborted ? { all: [], isTruncated: false } : stored();
    },
    /** Reads the files that have changed; all of them if other files are searched than before. */
    async update(): Promise<ClosedTexts> {
      if (search === undefined || !isCurrent(search) || changed.size > limits.filesPerSearch) {
        await searchAgain(neverAborted);
      } else await readChanged(search);
      return stored();
    },
    /**
     * Records that files were changed, created or deleted, or folders with all of their files.
     * Returns whether one of them may hold a configuration and is not open.
     */
    change(uris: readonly string[]): boolean {
      const open = openKeys();
      const matches = matcher(sources.globs());
      const mayBeFound = (key: string): boolean => {
        const path = sources.folders().pathOf(key);
        const folders = path?.split('/').slice(0, -1) ?? [];
        return path !== undefined && !folders.some(isSkippedDirectory) && matches(path);
      };
      const uriOf = (key: string): string | undefined =>
        search?.texts.get(key)?.uri ?? changed.get(key);
      let isAffected = false;
      const add = (key: string, uri: string): void => {
        changed.set(key, uri);
        for (const meanwhile of readings) meanwhile.files.set(key, uri);
        isAffected ||= !open.has(key);
      };
      const others = new Set<string>();
      for (const each of uris) {
        const key = canonicalUri(each);
        const known = uriOf(key);
        if (known === undefined) others.add(key);
        if (known !== undefined || mayBeFound(key)) add(key, known ?? each);
      }
      const known = [...(search?.texts.keys() ?? []), ...changed.keys()];
      for (const key of filesIn(others, known)) add(key, uriOf(key) ?? key);
      for (const meanwhile of readings) {
        for (const key of others) meanwhile.others.add(key);
        // Files that have been found and not read yet may be in one of these folders.
        isAffected ||= others.size > 0;
      }
      return isAffected;
    },
  };
};

/** Reads files up to the limits. */
const startReading = (
  { isExpected }: Pick<ClosedTextSources, 'isExpected'>,
  before: ReadonlyMap<string, ClosedText>,
) => {
  const texts = new Map(before);
  /** UTF-16 code units of the stored texts, and of all texts that were read. */
  let storedLength = 0;
  let readLength = 0;
  for (const each of before.values()) storedLength += lengthOf(each);
  const textOf = (
    uri: string,
    file: Awaited<ReturnType<WorkspaceFiles['read']>>,
  ): ClosedText | undefined => {
    if (file === undefined) return undefined;
    if (file === 'too long') return { kind: 'too long', uri };
    const { text } = file;
    readLength += text.length;
    if (!text.includes('AuthenticationConfiguration') && !isExpected(uri)) {
      return { kind: 'irrelevant', uri };
    }
    return storedLength + text.length > limits.closedLength
      ? { kind: 'too many', uri }
      : { kind: 'text', uri, text };
  };
  return {
    texts: texts as ReadonlyMap<string, ClosedText>,
    /** Returns false if a limit was reached, so that some of the files are unknown. */
    async add(
      uris: ReadonlyMap<string, string>,
      files: WorkspaceFiles,
      signal: AbortSignal,
    ): Promise<boolean> {
      const waiting = [...uris];
      let isComplete = true;
      for (let at = 0; at < waiting.length && !signal.aborted; at += readBatchSize) {
        const isFull = readLength >= limits.closedReadLength;
        const batch = waiting.slice(at, at + readBatchSize);
        const read = await Promise.all(
          batch.map(async ([key, uri]) => ({
            ...{ key, uri },
            file: isFull ? undefined : await files.read(uri, limits.closedBytes),
          })),
        );
        if (isFull) isComplete = false;
        for (const { key, uri, file } of read) {
          const known = texts.get(key);
          if (known !== undefined) storedLength -= lengthOf(known);
          texts.delete(key);
          const text = textOf(uri, file);
          if (text === undefined) continue;
          if (texts.size >= limits.filesPerSearch) {
            isComplete = false;
            continue;
          }
          texts.set(key, text);
          storedLength += lengthOf(text);
        }
      }
      return isComplete;
    },
  };
};

const lengthOf = (file: ClosedText): number => (file.kind === 'text' ? file.text.length : 0);

const neverAborted = new AbortController().signal;

/**
 * Files are read in batches because the file system may be slow or the client may do the reading.
 */
const readBatchSize = 16;
