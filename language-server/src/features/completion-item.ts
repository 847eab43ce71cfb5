/**
 * Builds completion items: their text as snippets, escaped for the style of the surrounding scalar.
 */
import {
  canBePlainScalar,
  escapeInvisible,
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

/** Plain text, or a tab stop with its initial content. */
export type SnippetPiece = string | { readonly stop: string };

export interface ItemParts extends Pick<CompletionItem, 'kind' | 'data' | 'detail'> {
  readonly label: string;
  /** Shown after the label, such as `(x, condition)`. */
  readonly signature?: string;
  /** Shown at the right edge, such as a value or a release. */
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
 * Builds the edit of an item. Single-line text is escaped for a quoted scalar of another document;
 * multi-line text is left to the client, which indents further lines like the cursor's line.
 */
const editOf = (places: Places, edit: TextEdit): ProtocolEdit => {
  const range = places.range(edit.span);
  const written = places.edit(edit);
  return written.newText.includes('\n') ? { range, newText: edit.newText } : { ...written, range };
};

/** Returns the item for clients without snippet support: tab stops become their initial content. */
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

/** Converts each `‹…›` of a skeleton to a tab stop. */
export const skeletonPieces = (skeleton: string): readonly SnippetPiece[] =>
  skeleton
    .split(/‹([^›]*)›/)
    .map((text, index) => (index % 2 === 0 ? text : { stop: text }))
    .filter((piece) => piece !== '');

/** Escapes text for use inside an existing scalar. */
export const insideScalar = (text: string, { style }: Pick<LooseScalar, 'style'>): string => {
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'double' ? insideQuotes(text) : text;
};

/**
 * Escapes text for use inside a CEL literal: characters that would end a plain scalar become
 * escapes of the literal.
 */
export const insideLiteral = (
  inner: string,
  scalar: Pick<LooseScalar, 'style' | 'flow'>,
): string => {
  if (scalar.style !== 'plain') return insideScalar(inner, scalar);
  const ends = scalar.flow ? /:(?= )|(?<= )#|[,[\]{}]/g : /:(?= )|(?<= )#/g;
  return inner.replace(ends, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const insideQuotes = (text: string): string => escapeInvisible(text.replace(/["\\]/g, '\\$&'));

/**
 * Returns a whole value where none exists yet: plain if that reads back as the same string,
 * otherwise quoted.
 */
export const wholeScalar = (text: string): string =>
  canBePlainScalar(text, { flow: true }) ? text : quoted(text);

/** Returns a double-quoted scalar, valid in YAML and JSON. */
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
