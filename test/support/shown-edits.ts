/** Prints the changes of edits to documents: removed and added lines. */
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { workspaceUri } from './language-client.ts';
import type { MarkedFixture } from './marked.ts';

/** Prints the edits of each document, in the order of the fixture. */
export const shownWorkspaceEdit = ({ files }: MarkedFixture, { changes }: WorkspaceEdit): string =>
  [...files]
    .flatMap(([name, text]) => {
      const edits = changes?.[`${workspaceUri}/${name}`];
      return edits === undefined ? [] : [`${name}\n${shownEdits(text, edits)}`];
    })
    .join('\n');

/** Returns the lines that the edits change. */
export const shownEdits = (text: string, edits: readonly TextEdit[]): string => {
  const after = edited(text, edits);
  if (after === text) return 'no change';
  const old = text.split('\n');
  const now = after.split('\n');
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - same &&
    old.at(-1 - tail) === now.at(-1 - tail)
  ) {
    tail += 1;
  }
  const gone = old.slice(same, old.length - tail);
  const come = now.slice(same, now.length - tail);
  if (gone.length !== come.length) return [...lines('-', gone), ...lines('+', come)].join('\n');
  return gone
    .flatMap((line, index) =>
      line === come[index] ? [] : [...lines('-', [line]), ...lines('+', [come[index] ?? ''])],
    )
    .join('\n');
};

/** Applies the edits to a document. */
export const edited = (text: string, edits: readonly TextEdit[]): string =>
  TextDocument.applyEdits(TextDocument.create('file:///text', 'yaml', 1, text), [...edits]);

const lines = (sign: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `${sign} ${text.replaceAll('\r', '␍')}`);
