/**
 * The static check of `"…%d…".format([…])`: every clause against the type of its argument. Texts and
 * the order of their parts are the reference implementation's.
 */
import type { CelNode } from '../tree/ast.ts';
import { formatComplaints } from '../values/string-format-errors.ts';
import { type CelType, runtimeTypeName } from '../values/types.ts';

/** The first thing that does not fit. */
export interface FormatError {
  readonly message: string;
  /** The argument at fault; the whole call where it is the string. */
  readonly node?: CelNode;
}

/** `undefined` when every clause fits its argument and all are used. */
export const formatStringError = (
  text: string,
  args: readonly CelNode[],
  typeOf: (node: CelNode) => CelType,
): FormatError | undefined => {
  let used = 0;
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '%') {
      at += 1;
      continue;
    }
    if (text[at + 1] === '%') {
      at += 2;
      continue;
    }
    if (at + 1 >= text.length) return { message: 'unexpected end of string' };
    const arg = args[used];
    if (arg === undefined) return { message: `index ${used} out of range` };
    const clause = readClause(text, at + 1);
    if ('error' in clause) {
      return { message: `could not parse formatting clause: ${clause.error}` };
    }
    const wrong = wrongArgument(clause.rule, arg, typeOf);
    if (wrong !== undefined) {
      const given = runtimeTypeName(typeOf(wrong));
      return {
        message: `error during formatting: ${clause.rule.complaint}, was given ${given}`,
        node: wrong,
      };
    }
    used += 1;
    at = clause.end;
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
  readonly complaint: string;
  /** Looks into literals of lists and maps. */
  readonly deep?: boolean;
}

const rule = (complaint: string, ...kinds: readonly CelType['kind'][]): ClauseRule => ({
  kinds: new Set(kinds),
  complaint,
});

const hex = rule(formatComplaints.hex, 'int', 'uint', 'string', 'bytes');

const clauseRules: ReadonlyMap<string, ClauseRule> = new Map([
  [
    's',
    {
      ...rule(
        formatComplaints.text,
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
      deep: true,
    },
  ],
  ['d', rule(formatComplaints.decimal, 'int', 'uint')],
  ['f', rule(formatComplaints.fixed, 'double', 'string')],
  ['e', rule(formatComplaints.scientific, 'double', 'string')],
  ['b', rule(formatComplaints.binary, 'int', 'uint', 'bool')],
  ['x', hex],
  ['X', hex],
  ['o', rule(formatComplaints.octal, 'int', 'uint')],
]);

/** Largest precision that the real server's number type holds. */
const maxInt64 = 9_223_372_036_854_775_807n;

const readClause = (
  text: string,
  start: number,
): { readonly rule: ClauseRule; readonly end: number } | { readonly error: string } => {
  let at = start;
  if (text[at] === '.') {
    at += 1;
    const digits = /[0-9]*/y;
    digits.lastIndex = at;
    const precision = digits.exec(text)?.[0] ?? '';
    at += precision.length;
    const fault = precisionFault(precision, at >= text.length);
    if (fault !== undefined) return { error: `error while parsing precision: ${fault}` };
  }
  const letter = text[at] ?? '';
  const found = clauseRules.get(letter);
  if (found !== undefined) return { rule: found, end: at + 1 };
  return { error: `unrecognized formatting clause "${firstByte(text, at)}"` };
};

const precisionFault = (digits: string, atEnd: boolean): string | undefined => {
  if (atEnd) return 'could not find end of precision specifier';
  if (digits === '') {
    return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
  }
  if (BigInt(digits) > maxInt64) {
    return `error while converting precision to integer: strconv.Atoi: parsing "${digits}": value out of range`;
  }
  return undefined;
};

/** The real code reads bytes: of a letter outside ASCII it shows the first byte as a character. */
const firstByte = (text: string, at: number): string => {
  const [byte] = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return String.fromCharCode(byte ?? 0);
};

const wrongArgument = (
  clause: ClauseRule,
  arg: CelNode,
  typeOf: (node: CelNode) => CelType,
): CelNode | undefined => {
  const { kind } = typeOf(arg);
  if (kind !== 'dyn' && !clause.kinds.has(kind)) return arg;
  if (clause.deep !== true) return undefined;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of parts) {
    const wrong = wrongArgument(clause, part, typeOf);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};
