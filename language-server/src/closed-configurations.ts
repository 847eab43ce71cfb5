/**
 * Configurations of the workspace that are not open: read anew each time somebody asks for every place
 * of a name, compiled again only where their text is another one.
 */
import type { WorkspaceFiles } from './files.ts';
import { limits } from './limits.ts';
import { canonicalUri } from './workspace-texts.ts';

export interface ClosedConfigurations<Compiled> {
  /** In the order of their URIs. */
  read(signal: AbortSignal): Promise<readonly Compiled[]>;
}

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
  ) => Compiled | undefined;
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
      const uris = found.slice(0, limits.found).filter((uri) => !open.has(canonicalUri(uri)));
      const next = new Map<string, Compiled>();
      for (let at = 0; at < uris.length && !signal.aborted; at += readTogether) {
        const some = uris.slice(at, at + readTogether);
        const texts = await Promise.all(some.map((uri) => files.read(uri, limits.closedBytes)));
        for (const file of texts) {
          if (file === undefined || next.size >= limits.closedConfigurations) continue;
          const { uri, text } = file;
          if (!mayBeOne(uri, text)) continue;
          const compiled = sources.compile(uri, text, known.get(uri));
          if (compiled !== undefined) next.set(uri, compiled);
        }
      }
      if (!signal.aborted) known = next;
      return [...next.values()];
    },
  };
};

const commonGlobs = ['**/*.{json,yaml,yml}'];

/** A workspace may lie behind a slow file system, or be read by the client. */
const readTogether = 16;
