/** Read-only documents with results as text, for screen readers, scripts and diffs. */
import { type EventEmitter, Uri } from 'vscode';
import { resultScheme } from './recognize-document.ts';

/** Number of results that stay readable; the oldest is dropped. */
const maxResults = 60;

export type Results = ReturnType<typeof createResults>;

export const createResults = (changed: Pick<EventEmitter<Uri>, 'fire'>) => {
  const texts = new Map<string, string>();
  return {
    /** Stores a result under a name shown as its title; replaces a result of the same name. */
    put(name: string, text: string): Uri {
      const uri = Uri.from({ scheme: resultScheme, path: `/${name}` });
      const key = uri.toString();
      const before = texts.get(key);
      texts.delete(key);
      texts.set(key, text);
      for (const oldest of texts.keys()) {
        if (texts.size <= maxResults) break;
        texts.delete(oldest);
      }
      if (before !== undefined && before !== text) changed.fire(uri);
      return uri;
    },
    text: (uri: Uri): string =>
      texts.get(uri.toString()) ?? '# This result is no longer available. Run the command again.\n',
  };
};

/** Returns a name that is safe as a file name. */
export const fileNameOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}@._+-]+/gu, '-').slice(0, 80) || 'sample';
