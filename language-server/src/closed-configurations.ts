/**
 * Configurations of the workspace that are not open: read anew each time somebody asks for every place
 * of a name, compiled again only where their text is another one.
 */
import type { WorkspaceFiles } from './files.ts';
import { limits } from './limits.ts';
import { canonicalUri } from './workspace-texts.ts';

export interface ClosedConfigurations<Compiled> {
  read(signal: AbortSignal): Promise<ClosedReading<Compiled>>;
}

export interface ClosedReading<Compiled> {
  /** In the order of their URIs. */
  readonly compiled: readonly Compiled[];
  /** The first that a limit kept from being read, though it may be a configuration. */
  readonly passedOver: PassedOver | undefined;
}

export type PassedOver =
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
  let known: ReadonlyMap<string, Compiled> = new Map();

  const mayBeOne = (uri: string, text: string): boolean =>
    text.includes('AuthenticationConfiguration') || sources.isExpected(uri);

  return {
    async read(signal) {
      const files = sources.files();
      const open = new Set(sources.openUris().map(canonicalUri));
      const found = await files.find([...commonGlobs, ...sources.globs()], signal);
      const uris = found.uris.filter((uri) => !open.has(canonicalUri(uri)));
      const next = new Map<string, Compiled>();
      let passedOver: PassedOver | undefined;
      for (let at = 0; at < uris.length && !signal.aborted; at += readTogether) {
        const some = uris.slice(at, at + readTogether);
        const read = await Promise.all(
          some.map(async (uri) => ({ uri, file: await files.read(uri, limits.closedBytes) })),
        );
        for (const { uri, file } of read) {
          if (file === undefined) continue;
          if (file === 'too long') passedOver ??= { kind: 'too long', uri };
          else if (!mayBeOne(uri, file.text)) continue;
          else if (next.size >= limits.closedConfigurations) {
            passedOver ??= { kind: 'too many', uri };
          } else {
            const compiled = await sources.compile(uri, file.text, known.get(uri));
            if (compiled === 'stopped') passedOver ??= { kind: 'stopped', uri };
            else if (compiled !== undefined) next.set(uri, compiled);
          }
        }
      }
      if (!signal.aborted) known = next;
      if (found.isCut) passedOver ??= { kind: 'not found' };
      return { compiled: [...next.values()], passedOver };
    },
  };
};

const commonGlobs = ['**/*.{json,yaml,yml}'];

/** A workspace may lie behind a slow file system, or be read by the client. */
const readTogether = 16;
