/**
 * What open documents are on the disk. A file that is being written reads as empty or as half of it, so a
 * text that is neither the editor's nor known is looked at until two looks in a row find the same. Files
 * outside of the folders are not read at all: they are as the editor opened or saved them.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { limits } from './limits.ts';

export interface SavedContents {
  /** `undefined` where there is no file. */
  read(uri: string): Promise<string | undefined>;
  /** The editor shows the document as it found it. */
  onOpen(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  /** The editor wrote the document as it is now. */
  onSave(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  onClose(uri: string): void;
}

export interface SavedContentsSources {
  readonly document: (uri: string) => Pick<TextDocument, 'getText'> | undefined;
  /** Whether its file may be read. */
  readonly isInFolders: (uri: string) => boolean;
  /** The file as it reads now. */
  readonly file: (uri: string) => Promise<string | undefined>;
}

export const createSavedContents = ({
  document,
  isInFolders,
  file,
}: SavedContentsSources): SavedContents => {
  const contents = new Map<string, SavedContent>();

  const readUntilStable = async (
    uri: string,
    first: string | undefined,
  ): Promise<string | undefined> => {
    let last = first;
    for (let attempt = 1; attempt < limits.savedReadAttempts; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, limits.savedReadIntervalMs));
      const text = await file(uri);
      if (text === last && text?.trim() !== '') return text;
      last = text;
    }
    return last;
  };

  return {
    async read(uri) {
      const before = contents.get(uri);
      if (!isInFolders(uri)) return before?.text;
      // Nothing is unsaved: what the disk reads as meanwhile is of no account.
      if (before?.isSaved === true && before.text === document(uri)?.getText()) return before.text;
      const first = await file(uri);
      if (first !== undefined && first === contents.get(uri)?.text) return first;
      if (first !== undefined && first === document(uri)?.getText()) return first;
      const text = await readUntilStable(uri, first);
      const latest = contents.get(uri);
      if (latest !== before && latest?.isSaved === true) return latest.text;
      if (text === undefined) contents.delete(uri);
      else if (document(uri) !== undefined) contents.set(uri, { text, isSaved: false });
      return text;
    },
    onOpen(document) {
      const { uri } = document;
      if (isInFolders(uri) || uri.startsWith('untitled:')) return;
      const text = document.getText();
      // A file that is yet to be made is opened as an empty one.
      if (text.trim() !== '') contents.set(uri, { text, isSaved: false });
    },
    onSave: (saved) => contents.set(saved.uri, { text: saved.getText(), isSaved: true }),
    onClose: (uri) => contents.delete(uri),
  };
};

interface SavedContent {
  readonly text: string;
  /** By the editor, in this window: not found on the disk. */
  readonly isSaved: boolean;
}
