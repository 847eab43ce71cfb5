/** Items of completion: their texts as snippets, escaped for the style of the scalar around them. */
import {
  escapeInvisible,
  canBePlainScalar,
  type LooseScalar,
  type Span,
  type TextEdit,
} from '@authgraph/engine/language';
import {
  type CompletionItem,
  InsertTextFormat,
  InsertTextMode,
  type MarkupContent,
  type TextEdit as ProtocolEdit,
} from 'vscode-languageserver';
import type { Places } from '../to-protocol.ts';

/** Text, and stops with what stands in them at first. */
export type SnippetPiece = string | { readonly stop: string };

export interface ItemParts extends Pick<CompletionItem, 'kind' | 'data' | 'detail'> {
  readonly label: string;
  /** Shown behind the label: `(x, condition)`. */
  readonly signature?: string;
  /** Shown at the right edge: a value, a release. */
  readonly aside?: string;
  readonly documentation?: string;
  readonly pieces: readonly SnippetPiece[];
  readonly span: Span;
  readonly filter?: string;
  readonly sort: string;
  readonly others?: readonly { readonly span: Span; readonly newText: string }[] | undefined;
}

export const itemOf = (places: Places, parts: ItemParts): CompletionItem => {
  const { label, pieces, signature, aside, documentation, detail, others } = parts;
  const hasStops = pieces.some((piece) => typeof piece !== 'string');
  const newText = hasStops ? snippetOf(pieces) : pieces.join('');
  return {
    label,
    ...(signature === undefined && aside === undefined
      ? {}
      : {
          labelDetails: {
            ...(signature === undefined ? {} : { detail: signature }),
            ...(aside === undefined ? {} : { description: aside }),
          },
        }),
    ...(parts.kind === undefined ? {} : { kind: parts.kind }),
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation: markdown(documentation) }),
    sortText: parts.sort,
    filterText: parts.filter ?? label,
    insertTextFormat: hasStops ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(newText.includes('\n') ? { insertTextMode: InsertTextMode.adjustIndentation } : {}),
    textEdit: editOf(places, { span: parts.span, newText }),
    ...(others === undefined
      ? {}
      : {
          additionalTextEdits: others.map(({ span, newText: text }) => ({
            range: places.range(span),
            newText: text,
          })),
        }),
    ...(parts.data === undefined ? {} : { data: parts.data }),
  };
};

/**
 * Inside a quoted text of another document letters are escaped; inside a block of it the client itself
 * indents further lines as the line of the cursor is.
 */
const editOf = (places: Places, edit: TextEdit): ProtocolEdit => {
  const range = places.range(edit.span);
  const written = places.edit(edit);
  return written.newText.includes('\n') ? { range, newText: edit.newText } : { ...written, range };
};

/** The same for a client that takes no snippets: stops are what stands in them. */
export const withoutSnippet = (item: CompletionItem): CompletionItem => {
  const { textEdit, insertTextFormat } = item;
  if (insertTextFormat !== InsertTextFormat.Snippet || textEdit === undefined) return item;
  const newText = textEdit.newText.replace(
    /\$\{\d+(?::((?:[^\\}]|\\.)*))?\}|\\(.)/g,
    (_, stop: string | undefined, letter: string | undefined) =>
      letter ?? (stop ?? '').replace(/\\(.)/g, '$1'),
  );
  return {
    ...item,
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { ...textEdit, newText },
  };
};

export const markdown = (value: string): MarkupContent => ({ kind: 'markdown', value });

/** `‹…›` of a skeleton become stops. */
export const skeletonPieces = (skeleton: string): readonly SnippetPiece[] =>
  skeleton
    .split(/‹([^›]*)›/)
    .map((text, index) => (index % 2 === 0 ? text : { stop: text }))
    .filter((piece) => piece !== '');

/** Text as it has to stand inside a scalar that is there already. */
export const insideScalar = (text: string, { style }: Pick<LooseScalar, 'style'>): string => {
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'double' ? insideQuotes(text) : text;
};

/** Inside a literal of an expression: what would end a plain text is written as an escape of the literal. */
export const insideLiteral = (
  inner: string,
  scalar: Pick<LooseScalar, 'style' | 'flow'>,
): string => {
  if (scalar.style !== 'plain') return insideScalar(inner, scalar);
  const ends = scalar.flow ? /:(?= )|(?<= )#|[,[\]{}]/g : /:(?= )|(?<= )#/g;
  return inner.replace(ends, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const insideQuotes = (text: string): string => escapeInvisible(text.replace(/["\\]/g, '\\$&'));

/** A whole value where none stands yet: plain where that reads as the same text, else in quotes. */
export const wholeScalar = (text: string): string =>
  canBePlainScalar(text, { flow: true }) ? text : quoted(text);

/** In JSON too. */
export const quoted = (text: string): string => `"${insideQuotes(text)}"`;

const snippetOf = (pieces: readonly SnippetPiece[]): string => {
  let stop = 0;
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return escapeSnippet(piece);
      stop += 1;
      return piece.stop === '' ? `\${${stop}}` : `\${${stop}:${escapeSnippet(piece.stop)}}`;
    })
    .join('');
};

const escapeSnippet = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
