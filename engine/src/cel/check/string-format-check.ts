/**
 * The static check of `"…%d…".format([…])`, which compares every clause with the type of its
 * argument.
 * The messages are those of cel-go.
 */
import type { CelNode } from '../tree/ast.ts';
import { formatClauseErrors } from '../values/string-format-errors.ts';
import { type CelType, runtimeTypeName } from '../values/types.ts';

/** The first error of a format string. */
export interface FormatError {
  readonly message: string;
  /** The invalid argument; absent if the string itself is invalid. */
  readonly node?: CelNode;
}

/**
 * Returns the first error; `undefined` if every clause matches its argument and all arguments are
 * used.
 */
export const formatStringError = (
  text: string,
  args: readonly CelNode[],
  typeOf: (node: CelNode) => CelType,
): FormatError | undefined => {
  let used = 0;
  let offset = 0;
  while (offset < text.length) {
    if (text[offset] !== '%') {
      offset += 1;
      continue;
    }
    if (text[offset + 1] === '%') {
      offset += 2;
      continue;
    }
    if (offset + 1 >= text.length) return { message: 'unexpected end of string' };
    const arg = args[used];
    if (arg === undefined) return { message: `index ${used} out of range` };
    const clause = readClause(text, offset + 1);
    if ('error' in clause) {
      return { message: `could not parse formatting clause: ${clause.error}` };
    }
    const mismatched = mismatchedArgument(clause.rule, arg, typeOf);
    if (mismatched !== undefined) {
      const actualType = runtimeTypeName(typeOf(mismatched));
      return {
        message: `error during formatting: ${clause.rule.message}, was given ${actualType}`,
        node: mismatched,
      };
    }
    used += 1;
    offset = clause.end;
  }
  if (args.length > used) {
    return {
      message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})`,
    };
  }
  return undefined;
};

interface ClauseRule {
  readonly kinds: ReadonlySet<CelType['kind']>;
  readonly message: string;
  /** True if the elements of list and map literals are checked too. */
  readonly checksElements?: boolean;
}

const rule = (message: string, ...kinds: readonly CelType['kind'][]): ClauseRule => ({
  kinds: new Set(kinds),
  message,
});

const hex = rule(formatClauseErrors.hex, 'int', 'uint', 'string', 'bytes');

const clauseRules: ReadonlyMap<string, ClauseRule> = new Map([
  [
    's',
    {
      ...rule(
        formatClauseErrors.string,
        'list',
        'map',
        'int',
        'uint',
        'double',
        'bool',
        'string',
        'timestamp',
        'bytes',
        'duration',
        'type',
        'null',
      ),
      checksElements: true,
    },
  ],
  ['d', rule(formatClauseErrors.decimal, 'int', 'uint')],
  ['f', rule(formatClauseErrors.fixed, 'double', 'string')],
  ['e', rule(formatClauseErrors.scientific, 'double', 'string')],
  ['b', rule(formatClauseErrors.binary, 'int', 'uint', 'bool')],
  ['x', hex],
  ['X', hex],
  ['o', rule(formatClauseErrors.octal, 'int', 'uint')],
]);

/** The largest precision that fits into Go's int. */
const maxInt64 = 9_223_372_036_854_775_807n;

const readClause = (
  text: string,
  start: number,
): { readonly rule: ClauseRule; readonly end: number } | { readonly error: string } => {
  let offset = start;
  if (text[offset] === '.') {
    offset += 1;
    const digits = /[0-9]*/y;
    digits.lastIndex = offset;
    const precision = digits.exec(text)?.[0] ?? '';
    offset += precision.length;
    const error = precisionError(precision, offset >= text.length);
    if (error !== undefined) return { error: `error while parsing precision: ${error}` };
  }
  const letter = text[offset] ?? '';
  const clauseRule = clauseRules.get(letter);
  if (clauseRule !== undefined) return { rule: clauseRule, end: offset + 1 };
  return { error: `unrecognized formatting clause "${firstByte(text, offset)}"` };
};

const precisionError = (digits: string, atEnd: boolean): string | undefined => {
  if (atEnd) return 'could not find end of precision specifier';
  if (digits === '') {
    return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
  }
  if (BigInt(digits) > maxInt64) {
    return `error while converting precision to integer: strconv.Atoi: parsing "${digits}": value out of range`;
  }
  return undefined;
};

/**
 * Returns the first byte as a character, because cel-go reads bytes and prints only the first one.
 */
const firstByte = (text: string, offset: number): string => {
  const [byte] = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(offset) ?? 0));
  return String.fromCharCode(byte ?? 0);
};

const mismatchedArgument = (
  clause: ClauseRule,
  arg: CelNode,
  typeOf: (node: CelNode) => CelType,
): CelNode | undefined => {
  const { kind } = typeOf(arg);
  if (kind !== 'dyn' && !clause.kinds.has(kind)) return arg;
  if (clause.checksElements !== true) return undefined;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of parts) {
    const mismatched = mismatchedArgument(clause, part, typeOf);
    if (mismatched !== undefined) return mismatched;
  }
  return undefined;
};
