/** What the words of an expression are, for highlighting. Broken text has words too. */
import { type Span, span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import type { CelEnvironment } from '../check/environment.ts';
import { readTokens } from '../syntax/grammar.ts';
import { macroSignatures } from '../syntax/macros.ts';
import { variablePlaces, variableUses } from './variable-uses.ts';

/** What a word of an expression is. */
export type WordKind =
  | 'comment'
  | 'function'
  | 'keyword'
  | 'macro'
  | 'method'
  | 'namespace'
  | 'number'
  | 'operator'
  | 'parameter'
  | 'property'
  | 'regexp'
  | 'string'
  | 'type'
  | 'variable';

/** A word of an expression with what it is, for colouring. */
export interface Word {
  /** Offsets in the expression's text. */
  readonly span: Span;
  readonly kind: WordKind;
  /** The place where a variable of a macro gets its name. */
  readonly declares: boolean;
}

/** In the order of the text. Brackets, dots and commas are no words. */
export const wordsOf = (
  checked: CheckedExpression,
  environment: CelEnvironment,
): readonly Word[] => {
  const { tokens, comments } = readTokens(checked.parsed.text);
  const names = namesIn(checked, environment);
  const words = tokens.flatMap((token, index): readonly Word[] => {
    const kind = kindOf({ tokens, index }, names);
    if (kind === undefined) return [];
    return [{ span: spanOf(token), kind, declares: names.declared.has(token.startOffset) }];
  });
  if (comments.length === 0) return words;
  return [
    ...words,
    ...comments.map((token) => ({
      span: spanOf(token),
      kind: 'comment' as const,
      declares: false,
    })),
  ].sort((a, b) => a.span.start - b.span.start);
};

interface Names {
  readonly environment: CelEnvironment;
  /** Offsets at which the name of a macro's variable stands. */
  readonly parameters: ReadonlySet<number>;
  readonly declared: ReadonlySet<number>;
}

const namesIn = (checked: CheckedExpression, environment: CelEnvironment): Names => {
  const variables = variableUses(checked);
  return {
    environment,
    parameters: new Set(variables.flatMap(variablePlaces).map(({ start }) => start)),
    declared: new Set(variables.map(({ declaration }) => declaration.start)),
  };
};

interface Token {
  readonly image: string;
  readonly startOffset: number;
  readonly tokenType: { readonly name: string };
}

interface At {
  readonly tokens: readonly Token[];
  readonly index: number;
}

const kindOf = (at: At, names: Names): WordKind | undefined => {
  const token = at.tokens[at.index];
  const type = token?.tokenType.name ?? '';
  if (type === 'Identifier') return nameKind(at, names);
  if (type === 'StringLiteral' || type === 'UnfinishedString') {
    return isPattern(at) ? 'regexp' : 'string';
  }
  return kindByToken.get(type);
};

const kindByToken: ReadonlyMap<string, WordKind> = new Map<string, WordKind>([
  ['EscapedIdentifier', 'property'],
  ['BytesLiteral', 'string'],
  ['In', 'keyword'],
  ['True', 'keyword'],
  ['False', 'keyword'],
  ['Null', 'keyword'],
  ['Double', 'number'],
  ['Uint', 'number'],
  ['Int', 'number'],
  ...(
    'LogicalOr LogicalAnd Equals NotEquals LessEquals GreaterEquals Less Greater Plus Minus Star ' +
    'Slash Percent Not Question Colon'
  )
    .split(' ')
    .map((name) => [name, 'operator'] as const),
]);

const nameKind = (at: At, { environment, parameters }: Names): WordKind => {
  const { tokens, index } = at;
  const name = imageAt(at, 0);
  const isCall = imageAt(at, 1) === '(';
  const isMember = imageAt(at, -1) === '.' || (imageAt(at, -1) === '?' && imageAt(at, -2) === '.');
  const start = tokens[index]?.startOffset ?? 0;
  if (isMember && isCall) {
    if (environment.functions.has(`${qualifierBefore(at)}.${name}`)) return 'function';
    return isMacro(environment, name, { receiver: true }) ? 'macro' : 'method';
  }
  if (isMember) return isNamespace(at, environment) ? 'namespace' : 'property';
  if (isCall) return isMacro(environment, name, { receiver: false }) ? 'macro' : 'function';
  if (parameters.has(start)) return 'parameter';
  if (isNamespace(at, environment)) return 'namespace';
  return environment.typeNames.has(name) ? 'type' : 'variable';
};

const imageAt = ({ tokens, index }: At, distance: number): string =>
  tokens[index + distance]?.image ?? '';

/** `a.b` before `.c`; empty where something else than names and dots stands there. */
const qualifierBefore = ({ tokens, index }: At): string => {
  let from = index;
  while (tokens[from - 1]?.image === '.' && tokens[from - 2]?.tokenType.name === 'Identifier') {
    from -= 2;
  }
  return tokens
    .slice(from, Math.max(from, index - 1))
    .map(({ image }) => image)
    .join('');
};

/** `optional` before `.of(`. */
const isNamespace = (at: At, environment: CelEnvironment): boolean => {
  if (imageAt(at, 1) !== '.') return false;
  const before = qualifierBefore(at);
  const qualified = before === '' ? imageAt(at, 0) : `${before}.${imageAt(at, 0)}`;
  const isLast = imageAt(at, 3) === '(';
  return isLast && environment.functions.has(`${qualified}.${imageAt(at, 2)}`);
};

const isMacro = (
  { release, macros }: CelEnvironment,
  name: string,
  { receiver }: { readonly receiver: boolean },
): boolean =>
  macroSignatures(release, macros).some(
    (macro) => macro.name === name && macro.receiver === receiver,
  );

const isPattern = (at: At): boolean =>
  imageAt(at, -1) === '(' && takesPattern.has(imageAt(at, -2)) && imageAt(at, -3) === '.';

const takesPattern: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

const spanOf = (token: Token): Span =>
  span(token.startOffset, token.startOffset + token.image.length);
