/** What stands before the first node of a document: directives and the `---` line. */
import type { Mark } from './text-cursor.ts';
import type { TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';
import { parserProblem } from './yaml-problem.ts';

export interface DocumentHead {
  /** False for an empty document and for a text without one. */
  readonly hasNode: boolean;
  /** Where the node of an empty document would stand. */
  readonly emptyAt: Mark | undefined;
  /** Handle of a tag -> what it is short for. */
  readonly tagPrefixes: ReadonlyMap<string, string>;
}

export const readDocumentHead = (tokens: TokenStream): DocumentHead => {
  const first = tokens.peek();
  const bare = { hasNode: false, emptyAt: undefined, tagPrefixes: defaultTagPrefixes };
  if (first.kind === 'stream-end') return bare;
  if (!openers.has(first.kind)) return { ...bare, hasNode: true };
  const tagPrefixes = readDirectives(tokens);
  const opener = tokens.peek();
  if (opener.kind !== 'document-start')
    throw parserProblem(opener, undefined, 'did not find expected <document start>');
  tokens.take();
  const next = tokens.peek();
  const isEmpty = closers.has(next.kind);
  return { hasNode: !isEmpty, emptyAt: isEmpty ? next.start : undefined, tagPrefixes };
};

const readDirectives = (tokens: TokenStream): ReadonlyMap<string, string> => {
  const declared = new Map<string, string>();
  let version = false;
  for (let next = tokens.peek(); isDirective(next.kind); next = tokens.peek()) {
    if (next.kind === 'version-directive') {
      if (version) throw parserProblem(next, undefined, 'found duplicate %YAML directive');
      if (next.text !== '1.1')
        throw parserProblem(next, undefined, 'found incompatible YAML document');
      version = true;
    } else {
      if (declared.has(next.text))
        throw parserProblem(next, undefined, 'found duplicate %TAG directive');
      declared.set(next.text, next.suffix);
    }
    tokens.take();
  }
  return new Map([...defaultTagPrefixes, ...declared]);
};

/** Those of a document without directives. */
export const defaultTagPrefixes: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);

const isDirective = (kind: TokenKind): boolean =>
  kind === 'version-directive' || kind === 'tag-directive';

const openers: ReadonlySet<TokenKind> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
]);
const closers: ReadonlySet<TokenKind> = new Set([...openers, 'document-end', 'stream-end']);
