/**
 * The contents of documents on disk. A file that is being written may read as empty or truncated, so
 * contents of an open document that match neither the editor nor the last known contents are read
 * until two reads agree. Files outside of the workspace folders are not read; their contents are those
 * the editor opened or saved.
 */
import type { TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { EditorState } from './editor-state.ts';
import { limits } from './limits.ts';

/** Bytes of a saved document: the longest text at three bytes per UTF-16 code unit. */
const maxSavedBytes = 3 * limits.documentLength;

type SavedDocument = Pick<TextDocument, 'uri' | 'getText'>;

export type SavedContents = ReturnType<typeof createSavedContents>;

export const createSavedContents = (
  state: Pick<EditorState, 'files' | 'folders'>,
  documents: Pick<TextDocuments<TextDocument>, 'get'>,
) => {
  const contents = new Map<string, SavedContent>();
  const textOf = (uri: string): string | undefined => documents.get(uri)?.getText();
  /** Files outside of the workspace folders are not read. */
  const isReadable = (uri: string): boolean => state.folders.pathOf(uri) !== undefined;
  const readFile = async (uri: string): Promise<string | undefined> => {
    const file = await state.files.read(uri, maxSavedBytes);
    return typeof file === 'object' ? file.text : undefined;
  };

  const readUntilStable = async (
    uri: string,
    first: string | undefined,
  ): Promise<string | undefined> => {
    let last = first;
    for (let attempt = 1; attempt < limits.savedReadAttempts; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, limits.savedReadIntervalMs));
      const text = await readFile(uri);
      if (text === last && text?.trim() !== '') return text;
      last = text;
    }
    return last;
  };

  return {
    /** Returns `undefined` if there is no file. */
    async read(uri: string): Promise<string | undefined> {
      const before = contents.get(uri);
      if (!isReadable(uri)) return before?.text;
      // The document has no unsaved changes, so the file need not be read.
      if (before?.isSaved === true && before.text === textOf(uri)) return before.text;
      const first = await readFile(uri);
      if (first !== undefined && first === contents.get(uri)?.text) return first;
      const open = textOf(uri);
      if (open === undefined || first === open) return first;
      const text = await readUntilStable(uri, first);
      const latest = contents.get(uri);
      if (latest !== before && latest?.isSaved === true) return latest.text;
      if (text === undefined) contents.delete(uri);
      else if (textOf(uri) !== undefined) contents.set(uri, { text, isSaved: false });
      return text;
    },
    /** Called when the editor opened a document. */
    onOpen(document: SavedDocument): void {
      const { uri } = document;
      if (isReadable(uri) || uri.startsWith('untitled:')) return;
      const text = document.getText();
      // A file that does not exist yet is opened empty.
      if (text.trim() !== '') contents.set(uri, { text, isSaved: false });
    },
    /** Called when the editor saved a document. */
    onSave: (saved: SavedDocument) =>
      contents.set(saved.uri, { text: saved.getText(), isSaved: true }),
    onClose: (uri: string) => contents.delete(uri),
  };
};

interface SavedContent {
  readonly text: string;
  /** Whether the contents were saved by the editor in this session rather than read from disk. */
  readonly isSaved: boolean;
}
