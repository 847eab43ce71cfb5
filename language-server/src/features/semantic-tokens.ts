/**
 * Semantic highlighting of CEL tokens inside expressions. A token that a block or folded scalar
 * spreads over several lines is reported line by line.
 */
import {
  type Compilation,
  type ExpressionCompilation,
  environmentFor,
  type HighlightedToken,
  type HighlightedTokenKind,
  highlightedTokens,
  type Span,
} from '@authgraph/engine/language';
import { type Range, SemanticTokensBuilder } from 'vscode-languageserver';
import { sharesLine } from '../to-protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { type ExpressionInFile, expressionsIn, placeOf } from './placed-expressions.ts';

export const tokenTypes: readonly HighlightedTokenKind[] = [
  'variable',
  'parameter',
  'property',
  'function',
  'method',
  'macro',
  'keyword',
  'string',
  'number',
  'operator',
  'regexp',
  'comment',
  'namespace',
  'type',
];

export const tokenModifiers: readonly string[] = ['declaration'];

/** One token, or the part of one on a line. */
interface ColoredToken {
  readonly line: number;
  readonly character: number;
  readonly length: number;
  readonly kind: HighlightedTokenKind;
  readonly declares: boolean;
}

/** Returns the tokens in document order; only those that touch the range if there is one. */
const coloredTokens = (workspace: Workspace, uri: string, range?: Range): readonly ColoredToken[] =>
  workspace
    .parts(uri)
    .flatMap((part) => inPart(part, range))
    .sort((a, b) => a.line - b.line || a.character - b.character);

const inPart = (part: ConfigurationPart, range: Range | undefined): readonly ColoredToken[] =>
  expressionsIn(part.compilation)
    .filter(
      (expression) =>
        range === undefined || sharesLine(part.places.range(expression.extent), range),
    )
    .flatMap((expression) =>
      tokensIn(part.compilation, expression).flatMap((token) => piecesOf(part, expression, token)),
    );

const tokensByExpression = new WeakMap<ExpressionCompilation, readonly HighlightedToken[]>();

/** Expressions that did not change keep their compilation, so their tokens are cached. */
const tokensIn = (
  { settings }: Compilation,
  { compilation, environment }: ExpressionInFile,
): readonly HighlightedToken[] => {
  const cached = tokensByExpression.get(compilation);
  if (cached !== undefined) return cached;
  const tokens = highlightedTokens(
    compilation.checked,
    environmentFor(environment, settings.targetRelease),
  );
  tokensByExpression.set(compilation, tokens);
  return tokens;
};

const piecesOf = (
  { places, compilation }: ConfigurationPart,
  expression: ExpressionInFile,
  { span, kind, declares }: HighlightedToken,
): readonly ColoredToken[] => {
  const where = placeOf(expression, span);
  const { text } = compilation.document.source;
  const add = (part: Span): readonly ColoredToken[] => {
    const { start, end } = places.range(part);
    if (start.line !== end.line) return [];
    const length = end.character - start.character;
    return [{ line: start.line, character: start.character, length, kind, declares }];
  };
  const lineEnd = text.indexOf('\n', where.start);
  if (lineEnd === -1 || lineEnd >= where.end) return where.end > where.start ? add(where) : [];
  const pieces: ColoredToken[] = [];
  let from = where.start;
  for (const line of text.slice(where.start, where.end).split('\n')) {
    const indent = line.length - line.trimStart().length;
    const start = from + (from === where.start ? 0 : indent);
    const end = from + line.replace(/\r$/, '').length;
    from += line.length + 1;
    if (end > start) pieces.push(...add({ start, end }));
  }
  return pieces;
};

const encoded = (tokens: readonly ColoredToken[]) => {
  const builder = new SemanticTokensBuilder();
  for (const { line, character, length, kind, declares } of tokens) {
    builder.push(line, character, length, tokenTypes.indexOf(kind), declares ? 1 : 0);
  }
  return builder.build();
};

export const semanticTokens: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: true,
      range: true,
    },
  },
  register(connection, handlers) {
    const { workspace } = handlers;
    connection.languages.semanticTokens.on(
      handlers.guarded(({ textDocument: { uri } }) => encoded(coloredTokens(workspace, uri)), {
        data: [],
      }),
    );
    connection.languages.semanticTokens.onRange(
      handlers.guarded(
        ({ textDocument: { uri }, range }) => encoded(coloredTokens(workspace, uri, range)),
        { data: [] },
      ),
    );
  },
};
