/**
 * Parses command-line flags like kube-apiserver: `--flag=value`, `--flag value`, bare booleans, `_`
 * instead of `-` in names, repeated lists with commas, key=value pairs. The error messages are
 * kube-apiserver's. kube-apiserver stops at the first error; this parser reports all of them.
 */
import { readCsvRecord } from '../formats/go-csv.ts';
import { parseGoDuration } from '../formats/go-duration.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { parseGoBool } from '../model/feature-gates.ts';
import { redactArgument } from '../source/redact-secrets.ts';
import type { FlagProblem, FlagRow, FlagValues } from './flag.ts';
import { longFlagHelp, nearestName, otherFlagHelp, shorthandHelp } from './suggest.ts';

export interface ParsedFlags {
  readonly values: FlagValues;
  /** Arguments that are not flags, in order. */
  readonly operands: readonly string[];
  readonly help: boolean;
  /** The topic of `--help=TOPIC`; empty without one. */
  readonly helpTopic: string;
  readonly problems: readonly FlagProblem[];
}

type FlagValue = string | boolean | number | readonly string[] | ReadonlyMap<string, string>;
type SetResult =
  | { readonly kind: 'value'; readonly value: FlagValue }
  | { readonly kind: 'error'; readonly message: string; readonly help?: string };

export interface ParseOptions {
  /** Returns help for a flag that kube-apiserver has but this server does not. */
  readonly helpElsewhere?: (name: string) => string | undefined;
  /** Present for a command that accepts no operands: its name, and what to do instead. */
  readonly noOperands?: { readonly command: string; readonly help: string };
}

export const parseFlags = (
  rows: readonly FlagRow[],
  args: readonly string[],
  { helpElsewhere = () => undefined, noOperands }: ParseOptions = {},
): ParsedFlags => {
  const parsed = new Map<string, FlagValue>();
  const problems: FlagProblem[] = [];
  const operands: string[] = [];
  let help = false;
  let helpTopic = '';
  let index = 0;

  const set = (row: FlagRow, text: string): void => {
    const result = setFlag(row, text, parsed.get(row.name));
    if (result.kind === 'value') parsed.set(row.name, result.value);
    else {
      const shown = redactArgument(text);
      // The reason may quote a part of the value, so a masked value is parsed again to get a reason
      // without it.
      const shownResult = shown === text ? result : setFlag(row, shown, undefined);
      const reason = shownResult.kind === 'error' ? shownResult.message : 'not valid';
      problems.push({
        message: `invalid argument ${goQuote(shown)} for ${goQuote(flagTitle(row))} flag: ${reason}`,
        help: result.help ?? otherFlagHelp(text, row, rows),
      });
    }
  };
  /** Sets the flag. `inline` is the value that follows the name in the same argument. */
  const setFromArgument = (row: FlagRow, inline: string | undefined, missing: string): void => {
    const bare = row.type === 'bool' ? 'true' : undefined;
    const text = inline ?? bare ?? args[index + 1];
    if (inline === undefined && bare === undefined) index += 1;
    if (text === undefined) problems.push({ message: missing, help: '' });
    else set(row, text);
  };
  /** The value of an unknown flag is not reported as a second problem. */
  const skipValue = (): void => {
    if (args[index + 1]?.startsWith('-') === false) index += 1;
  };
  const parseLong = (arg: string): void => {
    const body = arg.slice(2);
    if (body.startsWith('-') || body.startsWith('=')) {
      problems.push({ message: `bad flag syntax: ${redactArgument(arg)}`, help: '' });
      return;
    }
    const equals = body.indexOf('=');
    const written = equals === -1 ? body : body.slice(0, equals);
    const name = written.replaceAll('_', '-');
    const row = rows.find((candidate) => candidate.name === name || candidate.alias === name);
    if (row !== undefined) {
      const inline = equals === -1 ? undefined : body.slice(equals + 1);
      setFromArgument(row, inline, `flag needs an argument: --${written}`);
    } else if (name === 'help') {
      help = true;
      helpTopic = equals === -1 ? '' : body.slice(equals + 1);
    } else {
      problems.push({
        message: `unknown flag: --${redactArgument(written)}`,
        help: helpElsewhere(name) ?? longFlagHelp(name, rows),
      });
      if (equals === -1) skipValue();
    }
  };
  const parseShort = (arg: string): void => {
    const letter = arg[1] ?? '';
    const [word = ''] = arg.slice(1).split('=', 1);
    const row = rows.find((candidate) => candidate.shorthand === letter);
    if (row !== undefined && !rows.some(({ name, alias }) => [name, alias].includes(word))) {
      const rest = arg.slice(2).replace(/^=/, '');
      const inline = arg.length > 2 ? rest : undefined;
      setFromArgument(row, inline, `flag needs an argument: '${letter}' in ${redactArgument(arg)}`);
    } else if (letter === 'h') help = true;
    else {
      problems.push({
        message: `unknown shorthand flag: '${letter}' in ${redactArgument(arg)}`,
        help: helpElsewhere(letter) ?? shorthandHelp(arg, rows),
      });
      if (arg.length === 2) skipValue();
    }
  };

  for (; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (arg.startsWith('--')) parseLong(arg);
    else if (arg.startsWith('-') && arg !== '-') parseShort(arg);
    else operands.push(arg);
  }
  if (noOperands !== undefined && operands.length > 0)
    problems.push({
      message: `"${noOperands.command}" does not take any arguments, got ${goQuoteList(operands.map(redactArgument))}`,
      help: noOperands.help,
    });
  return { values: valuesOf(rows, parsed), operands, help, helpTopic, problems };
};

const setFlag = (row: FlagRow, text: string, before: FlagValue | undefined): SetResult => {
  switch (row.type) {
    case 'string':
      return readChoice(row, text);
    case 'bool': {
      const on = parseGoBool(text);
      return on === undefined ? numberError('ParseBool', text, 'invalid syntax') : value(on);
    }
    case 'int':
      return readInt(text);
    case 'float64':
      return readFloat(text);
    case 'ip':
      return readIp(text, before);
    case 'duration': {
      const reading = parseGoDuration(text);
      return reading.kind === 'error' ? reading : value(reading.milliseconds);
    }
    case 'stringSlice': {
      const record = text === '' ? ({ kind: 'record', fields: [] } as const) : readCsvRecord(text);
      if (record.kind === 'error') return record;
      const wrong = record.fields.map((field) => readChoice(row, field));
      const error = wrong.find(({ kind }) => kind === 'error');
      if (error !== undefined) return error;
      return value([...(Array.isArray(before) ? before : []), ...record.fields]);
    }
    case 'stringArray':
      return value([...(Array.isArray(before) ? before : []), text]);
    case 'mapStringString': {
      const equals = text.indexOf('=');
      if (equals === -1) return { kind: 'error', message: 'malformed pair, expect string=string' };
      const pairs = new Map(before instanceof Map ? before : []);
      return value(pairs.set(text.slice(0, equals).trim(), text.slice(equals + 1).trim()));
    }
    case 'colonSeparatedMultimapStringString':
      return value([...(Array.isArray(before) ? before : []), text]);
  }
};

const readChoice = ({ choices }: FlagRow, text: string): SetResult => {
  if (choices === undefined || choices.includes(text)) return value(text);
  const written = choices.filter((choice) => choice !== '');
  const suggestion = nearestName(text, written);
  return {
    kind: 'error',
    message: `must be one of ${written.join(', ')}`,
    ...(suggestion === undefined ? {} : { help: `Did you mean ${suggestion}?` }),
  };
};

const value = (of: FlagValue): SetResult => ({ kind: 'value', value: of });

const numberError = (reader: string, text: string, what: string): SetResult => ({
  kind: 'error',
  message: `strconv.${reader}: parsing ${goQuote(text)}: ${what}`,
});

/**
 * Parses an integer with Go's base 0: prefixes (`0x`, `0o`, `0b`, `0`) and underscores between
 * digits.
 */
const readInt = (text: string): SetResult => {
  const match =
    /^[+-]?(?:(0[xX](?:_?[0-9a-fA-F])+)|(0[bB](?:_?[01])+)|0[oO]?((?:_?[0-7])+)|((?:[1-9](?:_?\d)*)|0))$/.exec(
      text,
    );
  if (match === null) return numberError('ParseInt', text, 'invalid syntax');
  const [, hex, binary, octal, decimal] = match;
  const digits = (octal === undefined ? (hex ?? binary ?? decimal ?? '') : `0o${octal}`).replaceAll(
    '_',
    '',
  );
  const size = BigInt(digits);
  const signed = text.startsWith('-') ? -size : size;
  if (signed > 2n ** 63n - 1n || signed < -(2n ** 63n))
    return numberError('ParseInt', text, 'value out of range');
  return value(Number(signed));
};

/** Parses a decimal number. Go also parses hexadecimal ones, which no flag needs. */
const readFloat = (text: string): SetResult =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
    ? value(Number(text))
    : numberError('ParseFloat', text, 'invalid syntax');

const readIp = (text: string, before: FlagValue | undefined): SetResult => {
  if (text === '') return value(before ?? '0.0.0.0');
  const address = text.trim();
  return !isIp(address)
    ? { kind: 'error', message: `failed to parse IP: ${goQuote(text)}` }
    : value(address);
};

/** Returns whether the text is an IPv4 address without leading zeros or an IPv6 address. */
const isIp = (text: string): boolean =>
  /^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/.test(text) ||
  (/^[\da-fA-F:.]+$/.test(text) && URL.canParse(`http://[${text}]/`));

/** Returns `--name`, or `-n, --name`. */
const flagTitle = ({ name, shorthand }: FlagRow): string =>
  shorthand === undefined ? `--${name}` : `-${shorthand}, --${name}`;

const valuesOf = (rows: readonly FlagRow[], parsed: ReadonlyMap<string, FlagValue>): FlagValues => {
  const defaults = new Map(rows.map((row) => [row.name, defaultOf(row)]));
  const read = (name: string): FlagValue => {
    const found = parsed.get(name) ?? defaults.get(name);
    if (found === undefined) throw new Error(`unreachable: no flag ${name}`);
    return found;
  };
  return {
    isSet: (name) => parsed.has(name),
    string: (name) => String(read(name)),
    bool: (name) => read(name) === true,
    number: (name) => Number(read(name)),
    list: (name) => {
      const found = read(name);
      return Array.isArray(found) ? found.map(String) : [];
    },
    map: (name) => {
      const found = read(name);
      return found instanceof Map ? found : new Map();
    },
  };
};

/** Parses the default value of a flag like a value on the command line. */
const defaultOf = (row: FlagRow): FlagValue => {
  if (row.type === 'mapStringString') return new Map();
  if (row.type === 'colonSeparatedMultimapStringString' || row.type === 'stringArray') return [];
  const text = row.type === 'stringSlice' ? row.default.slice(1, -1) : row.default;
  const result = setFlag(row, text, undefined);
  if (result.kind === 'error') throw new Error(`unreachable: default of ${row.name}`);
  return result.value;
};
