/**
 * What open documents are on the disk. A file that is being written reads as empty or as half of it, so a
 * text that is neither the editor's nor known is looked at until two looks in a row find the same. Files
 * outside of the folders are not read at all: they are as the editor opened or saved them.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { limits } from './limits.ts';

export interface SavedTexts {
  /** `undefined` where there is no file. */
  read(uri: string): Promise<string | undefined>;
  /** The editor shows the document as it found it. */
  opened(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  /** The editor wrote the document as it is now. */
  saved(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  close(uri: string): void;
}

export interface SavedTextsSources {
  readonly document: (uri: string) => Pick<TextDocument, 'getText'> | undefined;
  /** Whether its file may be read. */
  readonly isInFolders: (uri: string) => boolean;
  /** The file as it reads now. */
  readonly file: (uri: string) => Promise<string | undefined>;
}

export const createSavedTexts = ({
  document,
  isInFolders,
  file,
}: SavedTextsSources): SavedTexts => {
  const known = new Map<string, KnownText>();

  const stableText = async (
    uri: string,
    first: string | undefined,
  ): Promise<string | undefined> => {
    let last = first;
    for (let look = 1; look < limits.savedLooks; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, limits.savedLookMs));
      const text = await file(uri);
      if (text === last && text?.trim() !== '') return text;
      last = text;
    }
    return last;
  };

  return {
    async read(uri) {
      const before = known.get(uri);
      if (!isInFolders(uri)) return before?.text;
      // Nothing is unsaved: what the disk reads as meanwhile is of no account.
      if (before?.isSaved === true && before.text === document(uri)?.getText()) return before.text;
      const first = await file(uri);
      if (first !== undefined && first === known.get(uri)?.text) return first;
      if (first !== undefined && first === document(uri)?.getText()) return first;
      const text = await stableText(uri, first);
      const meanwhile = known.get(uri);
      if (meanwhile !== before && meanwhile?.isSaved === true) return meanwhile.text;
      if (text === undefined) known.delete(uri);
      else if (document(uri) !== undefined) known.set(uri, { text, isSaved: false });
      return text;
    },
    opened(opened) {
      const { uri } = opened;
      if (isInFolders(uri) || uri.startsWith('untitled:')) return;
      const text = opened.getText();
      // A file that is yet to be made is opened as an empty one.
      if (text.trim() !== '') known.set(uri, { text, isSaved: false });
    },
    saved: (saved) => known.set(saved.uri, { text: saved.getText(), isSaved: true }),
    close: (uri) => known.delete(uri),
  };
};

interface KnownText {
  readonly text: string;
  /** By the editor, in this window: not found on the disk. */
  readonly isSaved: boolean;
}
