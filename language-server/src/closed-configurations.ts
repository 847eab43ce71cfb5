/**
 * Configurations of the workspace that are not open. They are compiled again only if their text
 * changed.
 */
import type { StopReason } from './compile-guard.ts';
import type { WorkspaceFiles } from './files.ts';
import { canonicalUri } from './input-files.ts';
import { limits } from './limits.ts';

export interface ClosedReadResult<Compiled> {
  /** Sorted by URI. */
  readonly compiled: readonly Compiled[];
  /** Files that are being analyzed. */
  readonly analyzing: readonly AnalyzedFile[];
  /** The first file that was skipped because of a limit although it may be a configuration. */
  readonly skipped: SkippedFile | undefined;
}

/** What is common to all compiled files. */
export interface ClosedFile {
  readonly uri: string;
  /** Present if the analysis of the file was stopped. */
  readonly stopReason?: StopReason;
}

export interface AnalyzedFile {
  readonly uri: string;
  /** Resolves when the analysis has ended. */
  readonly settled: Promise<void>;
}

export type SkippedFile =
  | { readonly kind: 'too long'; readonly uri: string }
  | { readonly kind: 'too many'; readonly uri: string }
  /** The analysis of the file was stopped. */
  | { readonly kind: 'stopped'; readonly uri: string }
  /** The folders hold more files than a search returns. */
  | { readonly kind: 'search truncated' };

export interface ClosedSources<Compiled extends ClosedFile> {
  readonly files: () => WorkspaceFiles;
  /** Globs from the settings, in addition to the common file extensions. */
  readonly globs: () => readonly string[];
  readonly openUris: () => readonly string[];
  /** Whether the settings declare the file to be a configuration. */
  readonly isExpected: (uri: string) => boolean;
  /** Whether the client reports changes of files. */
  readonly isWatched: () => boolean;
  /**
   * Returns `undefined` if the file holds no configuration. May reuse `before`, the result for the
   * previous text.
   */
  readonly compile: (
    uri: string,
    text: string,
    before: Compiled | undefined,
  ) => Compiled | AnalyzedFile | undefined;
  /** Called for a file that was compiled before and is no longer found. */
  readonly forget: (uri: string) => void;
}

/** Globs of the files that may hold configurations. */
export const configurationGlobs = (globs: readonly string[]): readonly string[] => [
  '**/*.{json,yaml,yml}',
  ...globs,
];

export const createClosedConfigurations = <Compiled extends ClosedFile>(
  sources: ClosedSources<Compiled>,
) => {
  let compiledByUri: ReadonlyMap<string, Compiled> = new Map();
  /** Files that were compiled or analyzed by the last read. */
  let knownUris: ReadonlySet<string> = new Set();
  /** Counts changes of files. */
  let generation = 0;
  let last: { readonly of: number; readonly result: Promise<ClosedReadResult<Compiled>> };
  last = { of: -1, result: Promise.resolve({ compiled: [], analyzing: [], skipped: undefined }) };

  /** Reads and compiles all files; other requests are answered in between. */
  const read = async (signal: AbortSignal): Promise<ClosedReadResult<Compiled>> => {
    const files = sources.files();
    const open = new Set(sources.openUris().map(canonicalUri));
    const search = await files.find(configurationGlobs(sources.globs()), signal);
    const uris = search.uris.filter((uri) => !open.has(canonicalUri(uri)));
    const reading = startReading(sources, compiledByUri);
    for (let at = 0; at < uris.length && !signal.aborted; at += readBatchSize) {
      const batch = uris.slice(at, at + readBatchSize);
      const texts = await Promise.all(
        batch.map(async (uri) => ({ uri, file: await files.read(uri, limits.closedBytes) })),
      );
      let turnStarted = performance.now();
      for (const { uri, file } of texts) {
        if (performance.now() - turnStarted > limits.analysisTurnMs) {
          await new Promise<void>((resolve) => setTimeout(resolve, 0));
          turnStarted = performance.now();
        }
        reading.add(uri, file);
      }
    }
    const result = reading.result(search);
    if (signal.aborted) return result;
    compiledByUri = reading.compiledByUri();
    const found = new Set([...compiledByUri.keys(), ...result.analyzing.map(({ uri }) => uri)]);
    for (const uri of knownUris) {
      if (!found.has(uri) && !open.has(canonicalUri(uri))) sources.forget(uri);
    }
    knownUris = found;
    return result;
  };

  const invalidate = (): void => {
    generation += 1;
  };

  return {
    /** Reads the files as they are now. */
    read,
    /** Returns the last result if no file has changed since; callers share a read in progress. */
    recent(): Promise<ClosedReadResult<Compiled>> {
      if (last.of === generation && sources.isWatched()) return last.result;
      const reading = { of: generation, result: read(neverAborted) };
      last = reading;
      const { result } = reading;
      result.then(({ analyzing }) => {
        for (const { settled } of analyzing) void settled.then(invalidate);
      }, invalidate);
      return result;
    },
    /** Records that files may have changed. */
    invalidate,
  };
};

/** Collects the results of the files of one search, up to the limits. */
const startReading = <Compiled extends ClosedFile>(
  sources: Pick<ClosedSources<Compiled>, 'isExpected' | 'compile'>,
  compiledBefore: ReadonlyMap<string, Compiled>,
) => {
  const compiled = new Map<string, Compiled>();
  /** The previous results of files that are being analyzed. */
  const previous = new Map<string, Compiled>();
  const analyzing: AnalyzedFile[] = [];
  let length = 0;
  let isFull = false;
  let skipped: SkippedFile | undefined;
  return {
    add(uri: string, file: Awaited<ReturnType<WorkspaceFiles['read']>>): void {
      if (file === undefined) return;
      if (file === 'too long') {
        skipped ??= { kind: 'too long', uri };
        return;
      }
      const { text } = file;
      if (!text.includes('AuthenticationConfiguration') && !sources.isExpected(uri)) return;
      length += text.length;
      isFull ||= compiled.size + analyzing.length >= limits.closedConfigurations;
      isFull ||= length > limits.closedLength;
      if (isFull) {
        skipped ??= { kind: 'too many', uri };
        return;
      }
      const before = compiledBefore.get(uri);
      const result = sources.compile(uri, text, before);
      if (result === undefined) return;
      if ('settled' in result) {
        analyzing.push(result);
        if (before !== undefined) previous.set(uri, before);
        return;
      }
      if (result.stopReason !== undefined) skipped ??= { kind: 'stopped', uri };
      compiled.set(uri, result);
    },
    compiledByUri: (): ReadonlyMap<string, Compiled> => new Map([...compiled, ...previous]),
    result({ isTruncated }: { readonly isTruncated: boolean }): ClosedReadResult<Compiled> {
      if (isTruncated) skipped ??= { kind: 'search truncated' };
      return { compiled: [...compiled.values()], analyzing, skipped };
    },
  };
};

const neverAborted = new AbortController().signal;

/**
 * Files are read in batches because the file system may be slow or the client may do the reading.
 */
const readBatchSize = 16;
