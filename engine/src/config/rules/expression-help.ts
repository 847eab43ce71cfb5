/** Help for the errors of an expression: what to write instead. */
import type { ExpressionCompilation, ExpressionError } from '../../cel/compile-expression.ts';
import { compileRegex } from '../../cel/regex/regex.ts';
import type { CelNode } from '../../cel/tree/ast.ts';
import { nodesOf } from '../../cel/tree/child-nodes.ts';
import type { CelType } from '../../cel/values/types.ts';
import { CelError } from '../../cel/values/value.ts';
import { celFunctionOf, isArithmetic } from './expression-repairs.ts';

export interface FailedExpression {
  readonly text: string;
  readonly compilation: ExpressionCompilation;
  readonly environment: 'claims' | 'user';
}

/** Returns the help of an error; empty if its message and its fixes contain everything known. */
export const expressionHelp = (error: ExpressionError, failed: FailedExpression): string => {
  for (const { pattern, help } of helps) {
    const match = pattern.exec(error.message);
    const found = match === null ? '' : help(match.slice(1), error, failed);
    if (found !== '') return found;
  }
  return '';
};

interface ErrorHelp {
  readonly pattern: RegExp;
  readonly help: (
    parts: readonly string[],
    error: ExpressionError,
    failed: FailedExpression,
  ) => string;
}

const helps: readonly ErrorHelp[] = [
  {
    pattern: /^undeclared reference to 'user'/,
    help: (_, __, { environment }) =>
      environment === 'user'
        ? ''
        : '`user` is only available in userValidationRules; use `claims` elsewhere.',
  },
  {
    pattern: /^undeclared reference to 'claims'/,
    help: (_, __, { environment }) =>
      environment === 'claims'
        ? ''
        : '`claims` is not available here: use `user` with username, uid, groups and extra, or move the rule to claimValidationRules.',
  },
  {
    pattern: /^undeclared reference to '([^']*)'/,
    help: ([name = ''], ...at) => undeclaredHelp(name, ...at),
  },
  {
    pattern: /^undefined field '/,
    help: () => '`user` has the fields username, uid, groups and extra.',
  },
  {
    pattern: /^found no matching overload for '([^']*)' applied to '([^']*)'$/,
    help: ([name = '', signature = ''], ...at) => overloadHelp(name, signature, ...at),
  },
  {
    pattern: /^expected type '([^']*)' but found '([^']*)'$/,
    help: ([expected = '', found = '']) => mismatchHelp(expected, found),
  },
  {
    pattern: /^expression of type '([^']*)' cannot be range of a comprehension/,
    help: ([type = '']) =>
      `all, exists, map and filter need a list or a map, not a value of type ${type}.`,
  },
  {
    pattern: /^type '([^']*)' does not support field selection/,
    help: ([type = '']) => `A value of type ${type} has no fields: remove the field.`,
  },
  { pattern: /^invalid matches argument$/, help: (_, ...at) => patternHelp(...at) },
  {
    pattern: /^invalid duration argument$/,
    help: () => 'Write a duration such as "1h30m", with the units h, m, s, ms, us and ns.',
  },
  {
    pattern: /^invalid timestamp argument$/,
    help: () => 'Write a time as in RFC 3339, such as "2027-01-31T15:04:05Z".',
  },
  {
    pattern: /^argument (?:must be a simple name|is not an identifier)$/,
    help: () =>
      'The first argument names the variable: `claims.roles.exists(r, r == "admin")` instead of an expression.',
  },
  {
    pattern: /^invalid argument to has\(\) macro$/,
    help: () => 'has() tests a field: write `has(claims.name)`.',
  },
  {
    pattern: /^reserved identifier: (.*)$/s,
    help: ([name = '']) =>
      name === 'if' || name === 'else'
        ? noStatements
        : `CEL reserves the word ${name}: choose another name, or quote a string.`,
  },
  {
    pattern: /^regular expression exceeds/,
    help: () =>
      'Each `{n}` repeats the instructions before it: use smaller counts, or split the pattern.',
  },
  {
    pattern: /^expression code point size exceeds/,
    help: () => 'Shorten the expression; a rule can be split into several.',
  },
  { pattern: /^must evaluate to bool$/, help: (_, __, failed) => conditionHelp(failed) },
  { pattern: /^Syntax error: /, help: (_, ...at) => syntaxHelp(...at) },
];

const noStatements = 'CEL has no statements: write `condition ? value : otherwise`.';

const undeclaredHelp = (
  name: string,
  error: ExpressionError,
  { text, environment }: FailedExpression,
): string => {
  if (error.suggestion !== undefined) return `Did you mean \`${error.suggestion.text}\`?`;
  const known = text[error.span.end] === '(' ? celFunctionOf(name) : undefined;
  if (known !== undefined) return `In CEL, the function is named \`${known}\`.`;
  if (text[error.span.end] === '(')
    return `CEL has no function \`${name}\`: use one of the functions that kube-apiserver provides.`;
  return environment === 'claims'
    ? `Write \`claims.${name}\` for the claim, or quote it if it is a string.`
    : 'Write `user.username`, `user.uid`, `user.groups` or `user.extra`, or quote it if it is a string.';
};

/** Names of binary operators by the names of their functions. */
const operatorOf = (name: string): string | undefined =>
  /^_(?<operator>[^_[\]?:]+)_$/.exec(name)?.groups?.operator;

const overloadHelp = (
  name: string,
  signature: string,
  error: ExpressionError,
  failed: FailedExpression,
): string => {
  const operator = operatorOf(name);
  const types = splitTypes(signature);
  if (operator !== undefined) return operatorHelp(operator, types, error, failed);
  if (name === '@in')
    return types[1] === 'string'
      ? '`in` finds an item of a list or a key of a map; for a part of a string, use `.contains(…)`.'
      : '`in` needs a list or a map of the same type on its right side.';
  if (name === '_[_]')
    return types[0] === 'kubernetes.UserInfo'
      ? '`user` is not a map: write `user.username`, `user.uid`, `user.groups` or `user.extra`.'
      : 'A list is indexed with an int, a map with one of its keys.';
  if (name === '!_') return 'Only a bool can be negated: compare the value first.';
  if (name === '_?_:_')
    return 'The condition before `?` must be a bool, and both results must have the same type.';
  const [receiver = ''] = types;
  if (receiver.startsWith('list(') && name === 'contains')
    return 'A list has no contains(): write `"value" in list`.';
  if (receiver.startsWith('list(') && stringTests.has(name))
    return `${name}() tests a single string: write \`.exists(x, x.${name}("…"))\` for a list.`;
  return `Check the number and the types of the arguments: ${name}() does not accept ${signature}.`;
};

const stringTests: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'matches']);

/** Splits `(int, map(string, any))` or `string.(int)` into its types. */
const splitTypes = (signature: string): readonly string[] => {
  const dot = signature.startsWith('(') ? -1 : signature.indexOf('.(');
  const receiver = dot === -1 ? [] : [signature.slice(0, dot)];
  const args: string[] = [''];
  let depth = 0;
  for (const letter of signature.slice(dot + 2, -1)) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) args.push('');
    else args.push((args.pop() ?? '') + letter);
  }
  return [...receiver, ...args.map((type) => type.trim()).filter((type) => type !== '')];
};

const numbers: ReadonlySet<string> = new Set(['int', 'uint', 'double']);
const convertible: ReadonlySet<string> = new Set(['string', ...numbers, 'bool', 'bytes']);

const operatorHelp = (
  operator: string,
  [left = '', right = '']: readonly string[],
  error: ExpressionError,
  failed: FailedExpression,
): string => {
  const quoted = quotedNumber(error, failed);
  if (quoted !== undefined) return `Compare with the number: \`${operator} ${quoted.number}\`.`;
  if (
    operator === '+' &&
    [left, right].includes('string') &&
    [left, right].some((type) => type !== 'string')
  ) {
    return [left, right].some((type) => type.startsWith('list('))
      ? '`+` joins two lists: put the string into brackets.'
      : '`+` joins two strings: convert the other value with string(…).';
  }
  const [list, single] = left.startsWith('list(') ? [left, right] : [right, left];
  if (list === `list(${single})`)
    return 'A list is not equal to one of its items: write `"value" in list`.';
  return `The two sides of \`${operator}\` have the types ${left} and ${right}: convert one of them, for example with ${conversionOf(left, right)}.`;
};

const conversionOf = (left: string, right: string): string =>
  [left, right].includes('string') ? 'string(…)' : numbers.has(left) ? `${left}(…)` : 'dyn(…)';

/**
 * Returns the string literal that is compared with a number although its text is a number:
 * `size(claims.groups) > "3"`.
 */
export const quotedNumber = (
  { span: where }: ExpressionError,
  { compilation }: Pick<FailedExpression, 'compilation'>,
): { readonly literal: CelNode; readonly number: string } | undefined => {
  const { checked } = compilation;
  const call = nodesOf(checked.tree).find(
    (node) =>
      node.kind === 'call' &&
      comparisons.has(node.function) &&
      node.span.start === where.start &&
      node.span.end === where.end,
  );
  if (call?.kind !== 'call') return undefined;
  const literal = call.args.find((arg) => arg.kind === 'literal');
  const other = call.args.find((arg) => arg !== literal);
  if (literal?.kind !== 'literal' || literal.constant.kind !== 'string' || other === undefined)
    return undefined;
  const number = literal.constant.value;
  const type = checked.types.get(other.id)?.kind ?? '';
  const isNumber = type === 'double' ? /^-?\d{1,9}(?:\.\d{1,9})?$/ : /^-?\d{1,9}$/;
  return numbers.has(type) && type !== 'uint' && isNumber.test(number)
    ? { literal, number }
    : undefined;
};

const comparisons: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

const mismatchHelp = (expected: string, found: string): string => {
  if (expected === 'bool')
    return `\`&&\` and \`||\` join conditions: compare this value of type ${found}, for example with \`==\`.`;
  return convertible.has(expected)
    ? `All elements must have the same type: convert this one with ${expected}(…).`
    : `All elements must have the same type: this one has the type ${found} instead of ${expected}.`;
};

/** Says what is wrong with a pattern, as Go's `regexp` does. */
const patternHelp = (
  { span: where }: ExpressionError,
  { compilation }: FailedExpression,
): string => {
  const literal = nodesOf(compilation.checked.tree).find(
    (node) =>
      node.kind === 'literal' && node.span.start === where.start && node.span.end === where.end,
  );
  if (literal?.kind !== 'literal' || literal.constant.kind !== 'string') return '';
  const regex = compileRegex(literal.constant.value);
  if (!(regex instanceof CelError)) return '';
  const reason = regex.message.replace(/^error parsing regexp: /, '');
  const lookaround = /\(\?<?[=!]/.test(literal.constant.value);
  return lookaround
    ? `The pattern is invalid (${reason}): RE2 has no lookahead or lookbehind; combine several matches() with && and !.`
    : `The pattern is invalid: ${reason}.`;
};

/** What to do with the result of a rule that is not a bool. */
const conditionHelp = ({ compilation }: FailedExpression): string => {
  const { tree, type } = compilation.checked;
  if (isArithmetic(tree)) return 'Compare the result, for example with `… <= 3600`.';
  return conditionHelps.get(type.kind) ?? typedConditionHelp(type);
};

const conditionHelps: ReadonlyMap<CelType['kind'], string> = new Map([
  ['dyn', 'Compare the value, for example with `… == true`.'],
  ['any', 'Compare the value, for example with `… == true`.'],
  ['string', 'This is a string: compare it, for example with `… == "value"`.'],
  ['int', 'This is a number: compare it, for example with `… > 0`.'],
  ['uint', 'This is a number: compare it, for example with `… > 0u`.'],
  ['double', 'This is a number: compare it, for example with `… > 0.0`.'],
  [
    'list',
    'This is a list: test it, for example with `"value" in …` or `….exists(x, x == "value")`.',
  ],
  ['map', 'This is a map: test it, for example with `"key" in …`.'],
  [
    'optional',
    'This is an optional value: append `.orValue(false) == true`, or test it with `.hasValue()`.',
  ],
]);

const typedConditionHelp = ({ kind }: CelType): string =>
  `A rule must return true or false: compare this value of type ${kind}.`;

/** Guesses what was meant by text that is not CEL. */
const syntaxHelp = ({ message }: ExpressionError, { text }: FailedExpression): string => {
  const code = text.replaceAll(/"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g, "''");
  if (code.includes('=>'))
    return 'CEL has no arrow functions: name the variable as the first argument, as in `map(g, …)`.';
  if (code.includes('${')) return 'CEL has no templates: join strings with `+`.';
  if (/(?:^|[^\w.])(?:if|else|return)(?:$|[^\w])/.test(code)) return noStatements;
  if (/token recognition error at: '["']/.test(message))
    return 'A string is not closed: add the missing quote.';
  const character = /token recognition error at: '(.)'$/u.exec(message)?.[1];
  if (character !== undefined)
    return `\`${character}\` is only allowed in strings: put it in quotes, or remove it.`;
  const unclosed = unclosedBracket(code);
  if (unclosed !== undefined) return `The bracket \`${unclosed}\` is not closed.`;
  if (message.includes('<EOF>')) return 'The expression ends too early: complete it.';
  return '';
};

/** Returns the innermost bracket that is not closed. */
const unclosedBracket = (code: string): string | undefined => {
  const open: string[] = [];
  for (const letter of code) {
    if ('([{'.includes(letter)) open.push(letter);
    else if (')]}'.includes(letter)) open.pop();
  }
  return open.at(-1);
};
