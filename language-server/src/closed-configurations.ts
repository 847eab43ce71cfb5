/**
 * Configurations of the workspace that are not open. They are compiled again only if their text
 * changed.
 */
import {
  type ClosedText,
  type ClosedTextSources,
  type ClosedTexts,
  createClosedTexts,
} from './closed-texts.ts';
import type { StopReason } from './compile-guard.ts';
import { canonicalUri } from './folders.ts';
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
  /** The folders hold more files than a search returns or reads. */
  | { readonly kind: 'search truncated' };

export interface ClosedSources<Compiled extends ClosedFile> extends ClosedTextSources {
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
  const texts = createClosedTexts(sources);
  let compiledByUri: ReadonlyMap<string, Compiled> = new Map();
  /** Files that were compiled or analyzed by the last read. */
  let knownUris: ReadonlySet<string> = new Set();
  /** Counts changes of files. */
  let generation = 0;
  let last: { readonly of: number; readonly result: Promise<ClosedReadResult<Compiled>> };
  last = { of: -1, result: Promise.resolve({ compiled: [], analyzing: [], skipped: undefined }) };

  /** Compiles the files that are not open; other requests are answered in between. */
  const compile = async (
    closed: ClosedTexts,
    signal: AbortSignal,
  ): Promise<ClosedReadResult<Compiled>> => {
    const open = new Set(sources.openUris().map(canonicalUri));
    const compiling = startCompiling(sources, compiledByUri);
    let turnStarted = performance.now();
    for (const file of closed.all) {
      if (signal.aborted) break;
      if (file.kind === 'irrelevant' || open.has(canonicalUri(file.uri))) continue;
      if (performance.now() - turnStarted > limits.analysisTurnMs) {
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        turnStarted = performance.now();
      }
      compiling.add(file);
    }
    const result = compiling.result(closed);
    if (signal.aborted) return result;
    compiledByUri = compiling.compiledByUri();
    const currentUris = new Set([
      ...compiledByUri.keys(),
      ...result.analyzing.map(({ uri }) => uri),
    ]);
    for (const uri of knownUris) {
      if (!currentUris.has(uri) && !open.has(canonicalUri(uri))) sources.forget(uri);
    }
    knownUris = currentUris;
    return result;
  };
  /** Reads and compiles all files as they are now. */
  const read = async (signal: AbortSignal): Promise<ClosedReadResult<Compiled>> =>
    compile(await texts.read(signal), signal);
  const update = async (): Promise<ClosedReadResult<Compiled>> =>
    compile(await texts.update(), neverAborted);

  const invalidate = (): void => {
    generation += 1;
  };

  return {
    read,
    /**
     * Returns the last result if nothing has changed since, and otherwise reads the files that have
     * changed; callers share a read in progress.
     */
    recent(): Promise<ClosedReadResult<Compiled>> {
      if (last.of === generation && sources.isWatched()) return last.result;
      const result = sources.isWatched()
        ? last.result.catch(() => undefined).then(update)
        : read(neverAborted);
      last = { of: generation, result };
      result.then(({ analyzing }) => {
        for (const { settled } of analyzing) void settled.then(invalidate);
      }, invalidate);
      return result;
    },
    /** Records that open documents or settings have changed, and no files. */
    invalidate,
    /**
     * Records that files were changed, created or deleted. Returns whether one of them may hold a
     * configuration and is not open.
     */
    change(uris: readonly string[]): boolean {
      const isAffected = texts.change(uris);
      if (isAffected) invalidate();
      return isAffected;
    },
  };
};

/** Collects the results of the files of one search, up to the limits. */
const startCompiling = <Compiled extends ClosedFile>(
  { compile }: Pick<ClosedSources<Compiled>, 'compile'>,
  compiledBefore: ReadonlyMap<string, Compiled>,
) => {
  const compiled = new Map<string, Compiled>();
  /** The previous results of files that are being analyzed. */
  const previous = new Map<string, Compiled>();
  const analyzing: AnalyzedFile[] = [];
  let skipped: SkippedFile | undefined;
  return {
    add(file: Exclude<ClosedText, { readonly kind: 'irrelevant' }>): void {
      const { kind, uri } = file;
      if (kind !== 'text') {
        skipped ??= { kind, uri };
        return;
      }
      if (compiled.size + analyzing.length >= limits.closedConfigurations) {
        skipped ??= { kind: 'too many', uri };
        return;
      }
      const { text } = file;
      const before = compiledBefore.get(uri);
      const result = compile(uri, text, before);
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
