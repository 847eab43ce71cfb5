/** Reads what precedes the first node of a document: directives and the `---` line. */
import type { Mark } from './text-cursor.ts';
import type { TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';
import { parserError } from './yaml-errors.ts';

export interface DocumentStart {
  /** False for an empty document and for a text without a document. */
  readonly hasNode: boolean;
  /** The position of the node in an empty document. */
  readonly emptyNodeAt: Mark | undefined;
  /** Prefixes by tag handle. */
  readonly tagPrefixes: ReadonlyMap<string, string>;
}

export const readDocumentStart = (tokens: TokenStream): DocumentStart => {
  const first = tokens.peek();
  const bare = { hasNode: false, emptyNodeAt: undefined, tagPrefixes: defaultTagPrefixes };
  if (first.kind === 'stream-end') return bare;
  if (!startTokens.has(first.kind)) return { ...bare, hasNode: true };
  const tagPrefixes = readDirectives(tokens);
  const opener = tokens.peek();
  if (opener.kind !== 'document-start')
    throw parserError(opener, undefined, 'did not find expected <document start>');
  tokens.consume();
  const next = tokens.peek();
  const isEmpty = endTokens.has(next.kind);
  return { hasNode: !isEmpty, emptyNodeAt: isEmpty ? next.start : undefined, tagPrefixes };
};

const readDirectives = (tokens: TokenStream): ReadonlyMap<string, string> => {
  const declaredPrefixes = new Map<string, string>();
  let hasVersion = false;
  for (let next = tokens.peek(); isDirective(next.kind); next = tokens.peek()) {
    if (next.kind === 'version-directive') {
      if (hasVersion) throw parserError(next, undefined, 'found duplicate %YAML directive');
      if (next.text !== '1.1')
        throw parserError(next, undefined, 'found incompatible YAML document');
      hasVersion = true;
    } else {
      if (declaredPrefixes.has(next.text))
        throw parserError(next, undefined, 'found duplicate %TAG directive');
      declaredPrefixes.set(next.text, next.suffix);
    }
    tokens.consume();
  }
  return new Map([...defaultTagPrefixes, ...declaredPrefixes]);
};

/** The tag handles of a document without directives. */
export const defaultTagPrefixes: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);

const isDirective = (kind: TokenKind): boolean =>
  kind === 'version-directive' || kind === 'tag-directive';

const startTokens: ReadonlySet<TokenKind> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
]);
const endTokens: ReadonlySet<TokenKind> = new Set([...startTokens, 'document-end', 'stream-end']);
