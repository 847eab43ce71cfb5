/** Prints places of documents for a person to review: the line, and what is marked in it. */
import type { Location, Range } from 'vscode-languageserver';
import { workspaceUri } from './language-client.ts';
import type { MarkedFixture } from './marked.ts';

/** `auth.yaml 7:12-7:16 │ expression: claims.⟦roles⟧`; line ends inside as `↵`. */
export const shownLocation = ({ files }: MarkedFixture, { uri, range }: Location): string => {
  const name = uri.slice(workspaceUri.length + 1);
  return `${name} ${shownRange(files.get(name) ?? '', range)}`;
};

export const shownRange = (text: string, { start, end }: Range): string => {
  const lines = text.split('\n');
  const line = (number: number): string => lines[number] ?? '';
  const marked =
    start.line === end.line
      ? `${line(start.line).slice(0, start.character)}⟦${line(start.line).slice(start.character, end.character)}⟧${line(start.line).slice(end.character)}`
      : `${line(start.line).slice(0, start.character)}⟦${line(start.line).slice(start.character)} … ${line(end.line).slice(0, end.character)}⟧${line(end.line).slice(end.character)}`;
  return `${shownSpan({ start, end })} │ ${marked.trim().replaceAll('\r', '␍').replaceAll('\t', '␉')}`;
};

export const shownSpan = ({ start, end }: Range): string =>
  `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
