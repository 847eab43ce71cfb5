/**
 * Classifies the tokens of an expression for semantic highlighting. Invalid expressions are
 * classified too.
 */
import { type Span, span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import type { CelEnvironment } from '../check/environment.ts';
import { tokenize } from '../syntax/grammar.ts';
import { macrosIn } from '../syntax/macros.ts';
import { variableSpans, variableUses } from './variable-uses.ts';

/** The kind of a token. */
export type HighlightedTokenKind =
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

/** A classified token. */
export interface HighlightedToken {
  /** Offsets in the expression. */
  readonly span: Span;
  readonly kind: HighlightedTokenKind;
  /** True for the declaration of a macro variable. */
  readonly declares: boolean;
}

/** Returns the classified tokens in source order, without brackets, dots and commas. */
export const highlightedTokens = (
  checked: CheckedExpression,
  environment: CelEnvironment,
): readonly HighlightedToken[] => {
  const { tokens, comments } = tokenize(checked.parsed.text);
  const names = namesIn(checked, environment);
  const highlighted = tokens.flatMap((token, index): readonly HighlightedToken[] => {
    const kind = kindOf({ tokens, index }, names);
    if (kind === undefined) return [];
    return [{ span: spanOf(token), kind, declares: names.declared.has(token.startOffset) }];
  });
  if (comments.length === 0) return highlighted;
  return [
    ...highlighted,
    ...comments.map((token) => ({
      span: spanOf(token),
      kind: 'comment' as const,
      declares: false,
    })),
  ].sort((a, b) => a.span.start - b.span.start);
};

interface Names {
  readonly environment: CelEnvironment;
  /** Offsets of the names of macro variables. */
  readonly parameters: ReadonlySet<number>;
  readonly declared: ReadonlySet<number>;
}

const namesIn = (checked: CheckedExpression, environment: CelEnvironment): Names => {
  const variables = variableUses(checked);
  return {
    environment,
    parameters: new Set(variables.flatMap(variableSpans).map(({ start }) => start)),
    declared: new Set(variables.map(({ declaration }) => declaration.start)),
  };
};

interface Token {
  readonly image: string;
  readonly startOffset: number;
  readonly tokenType: { readonly name: string };
}

interface TokenPosition {
  readonly tokens: readonly Token[];
  readonly index: number;
}

const kindOf = (position: TokenPosition, names: Names): HighlightedTokenKind | undefined => {
  const token = position.tokens[position.index];
  const type = token?.tokenType.name ?? '';
  if (type === 'Identifier') return nameKind(position, names);
  if (type === 'StringLiteral' || type === 'UnfinishedString') {
    return isPattern(position) ? 'regexp' : 'string';
  }
  return kindByToken.get(type);
};

const kindByToken: ReadonlyMap<string, HighlightedTokenKind> = new Map<
  string,
  HighlightedTokenKind
>([
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

const nameKind = (
  position: TokenPosition,
  { environment, parameters }: Names,
): HighlightedTokenKind => {
  const { tokens, index } = position;
  const name = imageAt(position, 0);
  const isCall = imageAt(position, 1) === '(';
  const isMember =
    imageAt(position, -1) === '.' ||
    (imageAt(position, -1) === '?' && imageAt(position, -2) === '.');
  const start = tokens[index]?.startOffset ?? 0;
  if (isMember && isCall) {
    if (environment.functions.has(`${qualifierBefore(position)}.${name}`)) return 'function';
    return isMacro(environment, name, { receiver: true }) ? 'macro' : 'method';
  }
  if (isMember) return isNamespace(position, environment) ? 'namespace' : 'property';
  if (isCall) return isMacro(environment, name, { receiver: false }) ? 'macro' : 'function';
  if (parameters.has(start)) return 'parameter';
  if (isNamespace(position, environment)) return 'namespace';
  return environment.typeNames.has(name) ? 'type' : 'variable';
};

const imageAt = ({ tokens, index }: TokenPosition, distance: number): string =>
  tokens[index + distance]?.image ?? '';

/**
 * Returns the qualified name before a member (`a.b` before `.c`); empty if there is another
 * expression.
 */
const qualifierBefore = ({ tokens, index }: TokenPosition): string => {
  let from = index;
  while (tokens[from - 1]?.image === '.' && tokens[from - 2]?.tokenType.name === 'Identifier') {
    from -= 2;
  }
  return tokens
    .slice(from, Math.max(from, index - 1))
    .map(({ image }) => image)
    .join('');
};

/** Reports whether a name is a namespace, such as `optional` in `optional.of(`. */
const isNamespace = (position: TokenPosition, environment: CelEnvironment): boolean => {
  if (imageAt(position, 1) !== '.') return false;
  const before = qualifierBefore(position);
  const qualified = before === '' ? imageAt(position, 0) : `${before}.${imageAt(position, 0)}`;
  const isLast = imageAt(position, 3) === '(';
  return isLast && environment.functions.has(`${qualified}.${imageAt(position, 2)}`);
};

const isMacro = (
  { release, macros }: CelEnvironment,
  name: string,
  { receiver }: { readonly receiver: boolean },
): boolean =>
  macrosIn(release, macros).some(
    (macro) => macro.name === name && macro.isReceiverStyle === receiver,
  );

const isPattern = (position: TokenPosition): boolean =>
  imageAt(position, -1) === '(' &&
  regexFunctions.has(imageAt(position, -2)) &&
  imageAt(position, -3) === '.';

const regexFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

const spanOf = (token: Token): Span =>
  span(token.startOffset, token.startOffset + token.image.length);
