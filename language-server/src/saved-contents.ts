/**
 * The contents of open documents on disk. A file that is being written may read as empty or
 * truncated, so contents that match neither the editor nor the last known contents are read until
 * two reads agree. Files outside of the workspace folders are not read; their contents are those
 * the editor opened or saved.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { limits } from './limits.ts';

export interface SavedContents {
  /** Returns `undefined` if there is no file. */
  read(uri: string): Promise<string | undefined>;
  /** Called when the editor opened a document. */
  onOpen(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  /** Called when the editor saved a document. */
  onSave(document: Pick<TextDocument, 'uri' | 'getText'>): void;
  onClose(uri: string): void;
}

export interface SavedContentsSources {
  readonly document: (uri: string) => Pick<TextDocument, 'getText'> | undefined;
  /** Whether the file may be read. */
  readonly isInFolders: (uri: string) => boolean;
  /** Reads the file. */
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
      // The document has no unsaved changes, so the file need not be read.
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
      // A file that does not exist yet is opened empty.
      if (text.trim() !== '') contents.set(uri, { text, isSaved: false });
    },
    onSave: (saved) => contents.set(saved.uri, { text: saved.getText(), isSaved: true }),
    onClose: (uri) => contents.delete(uri),
  };
};

interface SavedContent {
  readonly text: string;
  /** Whether the contents were saved by the editor in this session rather than read from disk. */
  readonly isSaved: boolean;
}
