/**
 * The static check of `"…%d…".format([…])`, which compares every clause with the type of its
 * argument.
 * The messages are those of cel-go.
 */
import type { CelNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import { type ClauseLetter, readClause } from '../values/string-format.ts';
import { formatClauseErrors } from '../values/string-format-errors.ts';
import { type CelType, runtimeTypeName } from '../values/types.ts';
import { CelError } from '../values/value.ts';

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
  let end = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', end)) {
    end = at + 1;
    if (text[end] === '%') {
      end++;
      continue;
    }
    if (end === text.length) return { message: 'unexpected end of string' };
    const arg = args[used];
    if (arg === undefined) return { message: `index ${used} out of range` };
    const clause = readClause(text, end);
    if (clause instanceof CelError) return { message: clause.message };
    const rule = clauseRules[clause.letter];
    const mismatched = mismatchedArgument(rule, arg, typeOf);
    if (mismatched !== undefined) {
      const actualType = runtimeTypeName(typeOf(mismatched));
      return {
        message: `error during formatting: ${rule.message}, was given ${actualType}`,
        node: mismatched,
      };
    }
    end = clause.end;
    used++;
  }
  if (args.length > used) {
    return {
      message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})`,
    };
  }
  return undefined;
};

interface ClauseRule {
  readonly kinds: ReadonlySet<string>;
  readonly message: string;
}

/** Creates the rule of a clause from the kinds of types that it formats. */
const rule = (message: string, kinds: string): ClauseRule => ({
  kinds: new Set(kinds.split(' ')),
  message,
});

const hex = rule(formatClauseErrors.hex, 'int uint string bytes');

const clauseRules: Readonly<Record<ClauseLetter, ClauseRule>> = {
  s: rule(
    formatClauseErrors.string,
    'list map int uint double bool string timestamp bytes duration type null',
  ),
  d: rule(formatClauseErrors.decimal, 'int uint'),
  f: rule(formatClauseErrors.fixed, 'double string'),
  e: rule(formatClauseErrors.scientific, 'double string'),
  b: rule(formatClauseErrors.binary, 'int uint bool'),
  x: hex,
  X: hex,
  o: rule(formatClauseErrors.octal, 'int uint'),
};

const mismatchedArgument = (
  clause: ClauseRule,
  arg: CelNode,
  typeOf: (node: CelNode) => CelType,
): CelNode | undefined => {
  const { kind } = typeOf(arg);
  if (kind !== 'dyn' && !clause.kinds.has(kind)) return arg;
  // The elements of list and map literals are checked too.
  if (clause !== clauseRules.s || (arg.kind !== 'list' && arg.kind !== 'map')) return undefined;
  for (const part of childNodes(arg)) {
    const mismatched = mismatchedArgument(clause, part, typeOf);
    if (mismatched !== undefined) return mismatched;
  }
  return undefined;
};
