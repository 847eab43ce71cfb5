/**
 * Configurations of the workspace that are not open: read anew each time somebody asks for every place
 * of a name, compiled again only where their text is another one.
 */
import type { WorkspaceFiles } from './files.ts';
import { limits } from './limits.ts';
import { canonicalUri } from './input-files.ts';

export interface ClosedConfigurations<Compiled> {
  read(signal: AbortSignal): Promise<ClosedReadResult<Compiled>>;
}

export interface ClosedReadResult<Compiled> {
  /** In the order of their URIs. */
  readonly compiled: readonly Compiled[];
  /** The first that a limit kept from being read, though it may be a configuration. */
  readonly skipped: SkippedFile | undefined;
}

export type SkippedFile =
  | { readonly kind: 'too long'; readonly uri: string }
  | { readonly kind: 'too many'; readonly uri: string }
  /** Its analysis was stopped. */
  | { readonly kind: 'stopped'; readonly uri: string }
  /** The folders hold more files than are looked for. */
  | { readonly kind: 'not found' };

export interface ClosedSources<Compiled> {
  readonly files: () => WorkspaceFiles;
  /** Globs of the settings beside those that configurations commonly match. */
  readonly globs: () => readonly string[];
  readonly openUris: () => readonly string[];
  /** Whether the settings call the file a configuration. */
  readonly isExpected: (uri: string) => boolean;
  /** `undefined` where the file holds none. What it gave for the text before may be kept. */
  readonly compile: (
    uri: string,
    text: string,
    before: Compiled | undefined,
  ) => Promise<Compiled | 'stopped' | undefined>;
}

export const createClosedConfigurations = <Compiled>(
  sources: ClosedSources<Compiled>,
): ClosedConfigurations<Compiled> => {
  let compiledByUri: ReadonlyMap<string, Compiled> = new Map();

  const mayBeConfiguration = (uri: string, text: string): boolean =>
    text.includes('AuthenticationConfiguration') || sources.isExpected(uri);

  return {
    async read(signal) {
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
      if (search.isTruncated) skipped ??= { kind: 'not found' };
      return { compiled: [...next.values()], skipped };
    },
  };
};

const commonGlobs = ['**/*.{json,yaml,yml}'];

/** A workspace may lie behind a slow file system, or be read by the client. */
const readBatchSize = 16;
