/** Documents that show our answers as text: for screen readers, scripts and comparisons. */
import { type EventEmitter, Uri } from 'vscode';
import { resultScheme } from './recognize-document.ts';

/** Answers that stay readable; older ones are forgotten. */
const maxResults = 60;

export interface Results {
  /** Keeps a text under a name that tells the reader what it is; the same name replaces it. */
  put(name: string, text: string): Uri;
  text(uri: Uri): string;
}

export const createResults = (changed: Pick<EventEmitter<Uri>, 'fire'>): Results => {
  const texts = new Map<string, string>();
  return {
    put(name, text) {
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
    text: (uri) => texts.get(uri.toString()) ?? '# This answer is gone: ask again.\n',
  };
};

/** A name of a file without anything that would make it a path. */
export const fileNameOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}@._+-]+/gu, '-').slice(0, 80) || 'sample';
