/**
 * Colours inside expressions, and nowhere else: what the words of CEL are. A word that a block or
 * folded scalar spreads over lines is told line by line.
 */
import {
  type Compilation,
  type ExpressionCompilation,
  environmentFor,
  type Span,
  type Word,
  type WordKind,
  wordsOf,
} from '@authgraph/engine/language';
import { type Range, SemanticTokensBuilder } from 'vscode-languageserver';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { type ExpressionInFile, expressionsIn, placeOf } from './placed-expressions.ts';

export const tokenTypes: readonly WordKind[] = [
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

/** One word, or the piece of one that stands on a line. */
interface ColouredWord {
  readonly line: number;
  readonly character: number;
  readonly length: number;
  readonly kind: WordKind;
  readonly declares: boolean;
}

/** In the order of the document; those that touch the range where there is one. */
const colouredWords = (workspace: Workspace, uri: string, range?: Range): readonly ColouredWord[] =>
  workspace
    .parts(uri)
    .flatMap((part) => inPart(part, range))
    .sort((a, b) => a.line - b.line || a.character - b.character);

const inPart = (part: ConfigurationPart, range: Range | undefined): readonly ColouredWord[] =>
  expressionsIn(part.compilation)
    .filter(
      (expression) => range === undefined || overlaps(part.places.range(expression.extent), range),
    )
    .flatMap((expression) =>
      wordsIn(part.compilation, expression).flatMap((word) => piecesOf(part, expression, word)),
    );

const overlaps = (a: Range, b: Range): boolean =>
  a.start.line <= b.end.line && b.start.line <= a.end.line;

const wordsByExpression = new WeakMap<ExpressionCompilation, readonly Word[]>();

/** Expressions that did not change keep their compilation from one keystroke to the next. */
const wordsIn = (
  { settings }: Compilation,
  { compilation, environment }: ExpressionInFile,
): readonly Word[] => {
  const known = wordsByExpression.get(compilation);
  if (known !== undefined) return known;
  const found = wordsOf(compilation.checked, environmentFor(environment, settings.targetRelease));
  wordsByExpression.set(compilation, found);
  return found;
};

const piecesOf = (
  { places, compilation }: ConfigurationPart,
  expression: ExpressionInFile,
  { span, kind, declares }: Word,
): readonly ColouredWord[] => {
  const where = placeOf(expression, span);
  const { text } = compilation.document.source;
  const add = (part: Span): readonly ColouredWord[] => {
    const { start, end } = places.range(part);
    if (start.line !== end.line) return [];
    const length = end.character - start.character;
    return [{ line: start.line, character: start.character, length, kind, declares }];
  };
  const lineEnd = text.indexOf('\n', where.start);
  if (lineEnd === -1 || lineEnd >= where.end) return where.end > where.start ? add(where) : [];
  const pieces: ColouredWord[] = [];
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

const encoded = (words: readonly ColouredWord[]) => {
  const builder = new SemanticTokensBuilder();
  for (const { line, character, length, kind, declares } of words) {
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
  register(connection, answering) {
    const { workspace } = answering;
    connection.languages.semanticTokens.on(
      answering.guarded(({ textDocument: { uri } }) => encoded(colouredWords(workspace, uri)), {
        data: [],
      }),
    );
    connection.languages.semanticTokens.onRange(
      answering.guarded(
        ({ textDocument: { uri }, range }) => encoded(colouredWords(workspace, uri, range)),
        { data: [] },
      ),
    );
  },
};
