/**
 * Configurations of the workspace that are not open. They are read again for each request that
 * needs every place of a name, and compiled again only if their text changed.
 */
import type { WorkspaceFiles } from './files.ts';
import { canonicalUri } from './input-files.ts';
import { limits } from './limits.ts';

export interface ClosedReadResult<Compiled> {
  /** Sorted by URI. */
  readonly compiled: readonly Compiled[];
  /** The first file that was skipped because of a limit although it may be a configuration. */
  readonly skipped: SkippedFile | undefined;
}

export type SkippedFile =
  | { readonly kind: 'too long'; readonly uri: string }
  | { readonly kind: 'too many'; readonly uri: string }
  /** The analysis of the file was stopped. */
  | { readonly kind: 'stopped'; readonly uri: string }
  /** The folders hold more files than a search returns. */
  | { readonly kind: 'search truncated' };

export interface ClosedSources<Compiled> {
  readonly files: () => WorkspaceFiles;
  /** Globs from the settings, in addition to the common file extensions. */
  readonly globs: () => readonly string[];
  readonly openUris: () => readonly string[];
  /** Whether the settings declare the file to be a configuration. */
  readonly isExpected: (uri: string) => boolean;
  /**
   * Returns `undefined` if the file holds no configuration. May reuse `before`, the result for the
   * previous text.
   */
  readonly compile: (
    uri: string,
    text: string,
    before: Compiled | undefined,
  ) => Promise<Compiled | 'stopped' | undefined>;
}

export const createClosedConfigurations = <Compiled>(sources: ClosedSources<Compiled>) => {
  let compiledByUri: ReadonlyMap<string, Compiled> = new Map();

  const mayBeConfiguration = (uri: string, text: string): boolean =>
    text.includes('AuthenticationConfiguration') || sources.isExpected(uri);

  return {
    async read(signal: AbortSignal): Promise<ClosedReadResult<Compiled>> {
      const files = sources.files();
      const open = new Set(sources.openUris().map(canonicalUri));
      const search = await files.find([...commonGlobs, ...sources.globs()], signal);
      const uris = search.uris.filter((uri) => !open.has(canonicalUri(uri)));
      const next = new Map<string, Compiled>();
      let skipped: SkippedFile | undefined;
      for (let at = 0; at < uris.length && !signal.aborted; at += readBatchSize) {
        const batch = uris.slice(at, at + readBatchSize);
        const read = await Promise.all(
          batch.map(async (uri) => ({ uri, file: await files.read(uri, limits.closedBytes) })),
        );
        for (const { uri, file } of read) {
          if (file === undefined) continue;
          if (file === 'too long') skipped ??= { kind: 'too long', uri };
          else if (!mayBeConfiguration(uri, file.text)) continue;
          else if (next.size >= limits.closedConfigurations) {
            skipped ??= { kind: 'too many', uri };
          } else {
            const compiled = await sources.compile(uri, file.text, compiledByUri.get(uri));
            if (compiled === 'stopped') skipped ??= { kind: 'stopped', uri };
            else if (compiled !== undefined) next.set(uri, compiled);
          }
        }
      }
      if (!signal.aborted) compiledByUri = next;
      if (search.isTruncated) skipped ??= { kind: 'search truncated' };
      return { compiled: [...next.values()], skipped };
    },
  };
};

const commonGlobs = ['**/*.{json,yaml,yml}'];

/**
 * Files are read in batches because the file system may be slow or the client may do the reading.
 */
const readBatchSize = 16;
