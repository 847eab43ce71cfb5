/** What functions and operators distinguish about claims. Functions that are not in the table are unsupported. */

import type { LiteralTest } from '../../cel/text-machines/literal-machines.ts';
import {
  lowerWrapper,
  partWrapper,
  prefixWrapper,
  replaceWrapper,
  type StringPart,
  type StringWrapper,
  splitWrapper,
  suffixWrapper,
  trimWrapper,
  upperWrapper,
} from '../../cel/text-machines/string-wrappers.ts';
import { type CallCode, type CodeNode, codeKey, integerOf } from './code-nodes.ts';
import { type ExpressionReader, exactNumbersSince } from './expression-reader.ts';
import {
  decided,
  isDecided,
  type PossibleValue,
  stringConstant,
  wrapClaim,
} from './possible-values.ts';
import { rangeOf } from './read-loops.ts';
import { selectField } from './select-field.ts';

/** A call whose arguments have been read. */
interface ReadCall {
  readonly reader: ExpressionReader;
  readonly node: CodeNode & CallCode;
  readonly args: readonly (readonly PossibleValue[])[];
}

type Values = readonly PossibleValue[];
type CallReader = (call: ReadCall) => Values;

/** Returns the possible values of a call. */
export const readCall = (
  reader: ExpressionReader,
  node: CodeNode & CallCode,
  read: (child: CodeNode) => Values,
): Values => {
  const args = node.args.map(read);
  // Functions have no side effects, so a value of decided values is decided.
  if (args.every((values) => values.every(isDecided))) return foldConstants(node, args);
  const readKnown = callReaders.get(node.name);
  return readKnown === undefined
    ? reader.reject(`the function ${plainName(node.name)}`, ...args)
    : readKnown({ reader, node, args });
};

const firstOf = ({ args }: ReadCall): Values => args[0] ?? [];
const secondOf = ({ args }: ReadCall): Values => args[1] ?? [];

/** The only possible value of an argument, if it is a constant string. */
const onlyString = (values: Values | undefined): string | undefined =>
  values?.length === 1 ? stringConstant(values[0]) : undefined;

const unsupported = ({ reader, node, args }: ReadCall): Values =>
  reader.reject(`${plainName(node.name)} with these arguments`, ...args);

/** The name of an operator or function in messages. */
const plainName = (name: string): string => name.replaceAll('_', ' ').trim();

/** Reads a call that only distinguishes the kinds of its operands: `a && b`. */
const readOperands: CallReader = ({ reader, args }) => {
  for (const values of args) reader.readAll(values);
  return [decided];
};

const forEachPair = (
  call: ReadCall,
  visit: (left: PossibleValue, right: PossibleValue) => void,
) => {
  for (const left of firstOf(call)) for (const right of secondOf(call)) visit(left, right);
  return [decided];
};

const readEquality: CallReader = (call) =>
  forEachPair(call, (left, right) => {
    call.reader.read(left);
    call.reader.read(right);
    call.reader.testEquality(left, right);
  });

const readOrder: CallReader = (call) =>
  forEachPair(call, (left, right) => call.reader.testOrder(left, right));

/** Reads `a ? b : c`: which branch is evaluated follows from the condition. */
const readCondition: CallReader = ({ reader, args }) => {
  reader.readAll(args[0] ?? []);
  return args.slice(1).flat();
};

const readLiteralTest =
  (test: LiteralTest | 'matches'): CallReader =>
  (call) => {
    const literals = secondOf(call).map(stringConstant);
    if (!literals.every((literal) => literal !== undefined)) return unsupported(call);
    for (const value of firstOf(call)) {
      for (const literal of literals) {
        if (test === 'matches') call.reader.testRegex(value, literal);
        else call.reader.testLiteral(value, test, literal);
      }
    }
    return [decided];
  };

/** Reads a function of strings whose result is a string. */
const readWrapped =
  (wrapperOf: (call: ReadCall) => StringWrapper | undefined): CallReader =>
  (call) => {
    const wrapper = wrapperOf(call);
    if (wrapper === undefined) return unsupported(call);
    return firstOf(call).flatMap((value) => {
      if (value.kind === 'claim') return [wrapClaim(value, wrapper)];
      if (value.kind !== 'joined') return readOperands({ ...call, args: [[value]] });
      return call.reader.reject('a function of joined claims', [value]);
    });
  };

const replacement = ({ node, args }: ReadCall): StringWrapper | undefined => {
  const old = onlyString(args[1]);
  const by = onlyString(args[2]);
  if (old === undefined || old === '' || by === undefined || node.args.length !== 3)
    return undefined;
  return replaceWrapper(old, by);
};

const partOf = ({ node }: ReadCall): StringPart | undefined => {
  const start = integerOf(node.args[1]);
  if (start === undefined || start < 0) return undefined;
  if (node.name === 'charAt') return { start, end: start + 1, shortest: start };
  if (node.args.length === 2) return { start, end: Number.POSITIVE_INFINITY, shortest: start };
  const end = integerOf(node.args[2]);
  return end === undefined || end < start ? undefined : { start, end, shortest: end };
};

const partOfString: CallReader = readWrapped((call) => {
  const part = partOf(call);
  return part && partWrapper(part);
});

const readSplit: CallReader = (call) => {
  const separator = onlyString(call.args[1]);
  if (separator === undefined || separator === '' || call.node.args.length !== 2) {
    return unsupported(call);
  }
  return firstOf(call).flatMap((string): Values => {
    if (string.kind === 'claim') {
      call.reader.read(string);
      return [{ kind: 'split', string, separator }];
    }
    return isDecided(string) ? [decided] : call.reader.reject('parts of joined claims', [string]);
  });
};

/** Reads `value[key]`, `value[?key]` and `value.?key`. */
const readIndex: CallReader = (call) => {
  const isOptional = call.node.name !== '_[_]';
  const values = firstOf(call).flatMap((value) => indexOf(call, value));
  return isOptional ? [{ kind: 'optional', values: values.flatMap(optionalValues) }] : values;
};

const indexOf = (call: ReadCall, value: PossibleValue): Values => {
  const field = onlyString(call.args[1]);
  const index = integerOf(call.node.args[1]);
  if (value.kind === 'split' && index !== undefined && index >= 0) {
    return [wrapClaim(value.string, splitWrapper(value.separator, index))];
  }
  if (field !== undefined) return selectField(call.reader, [value], field);
  if (isDecided(value) && secondOf(call).every(isDecided)) return [decided];
  return call.reader.reject('an element of a list is read', [value], secondOf(call));
};

/** Reads `a in b`. */
const readMembership: CallReader = (call) => {
  const { reader, node } = call;
  const code = codeKey(node.code);
  for (const container of secondOf(call)) {
    for (const value of firstOf(call)) readMember(reader, { value, container, code });
  }
  return [decided];
};

interface Membership {
  readonly value: PossibleValue;
  readonly container: PossibleValue;
  readonly code: string;
}

const readMember = (reader: ExpressionReader, { value, container, code }: Membership): void => {
  // The claims are no map, so that looking a name up in them is an error.
  if (container.kind === 'claim' && container.path.length === 0) {
    reader.read(value);
    return;
  }
  reader.read(container);
  // Whether a key is present follows from its list.
  if (container.kind === 'extra' && isDecided(value)) return;
  const range = rangeOf(reader, [container]);
  if (range === undefined) {
    reader.reject('a value is looked up in a computed list', [value], [container]);
    return;
  }
  if (range.paths.length > 0) {
    if (value.kind !== 'constant') {
      reader.reject('a claim is looked up in another one', [value], [container]);
      return;
    }
    reader.testElements(range.paths, `${code} ${JSON.stringify(value)}`);
  }
  reader.read(value);
  for (const element of range.elements) reader.testEquality(value, element);
};

/** Reads `sets.contains` and `sets.intersects` of a list and constants. */
const readSets: CallReader = (call) => {
  const { reader, node } = call;
  const ranges = [firstOf(call), secondOf(call)].map((values) => rangeOf(reader, values));
  const [left, right] = ranges;
  if (left === undefined || right === undefined) return unsupported(call);
  const [list, fixed] = left.paths.length > 0 ? [left, right] : [right, left];
  if (!fixed.elements.every(({ kind }) => kind === 'constant')) return unsupported(call);
  reader.testElements(list.paths, codeKey(node.code), {
    weight: Math.max(1, fixed.elements.length),
  });
  for (const element of list.elements) {
    for (const constant of fixed.elements) reader.testEquality(element, constant);
  }
  return [decided];
};

/** Reads `list.join(separator)`: it is empty for an empty list, and for one that has an empty string. */
const readJoin: CallReader = (call) => {
  const { reader, node } = call;
  const range = rangeOf(reader, firstOf(call));
  if (range === undefined || !secondOf(call).every(isDecided)) return unsupported(call);
  reader.testElements(range.paths, codeKey(node.code), { weight: 2, counts: true });
  return [{ kind: 'joined', parts: range.elements }];
};

/** Reads `a + b` of strings and lists. */
const readSum: CallReader = (call) => {
  const sums: PossibleValue[] = [];
  for (const left of firstOf(call)) {
    for (const right of secondOf(call)) sums.push(...sumOf(call, left, right));
  }
  return sums;
};

const sumOf = (call: ReadCall, left: PossibleValue, right: PossibleValue): Values => {
  const { reader, node } = call;
  const prefix = stringConstant(left);
  const suffix = stringConstant(right);
  if (prefix !== undefined && right.kind === 'claim')
    return [wrapClaim(right, prefixWrapper(prefix))];
  if (suffix !== undefined && left.kind === 'claim')
    return [wrapClaim(left, suffixWrapper(suffix))];
  if (isDecided(left) && isDecided(right)) return [decided];
  if (isLiteralNumber(left) || isLiteralNumber(right)) {
    return reader.reject('arithmetic with claims', [left], [right]);
  }
  if (left.kind === 'list' || right.kind === 'list') {
    const range = rangeOf(reader, [left, right]);
    if (range === undefined) return reader.reject('lists are joined', [left], [right]);
    return [{ kind: 'list', key: codeKey(node.code), ...range }];
  }
  reader.readAll([left, right]);
  return [{ kind: 'joined', parts: [left, right].flatMap(partsOf) }];
};

const isLiteralNumber = (value: PossibleValue): boolean =>
  value.kind === 'size' || (value.kind === 'constant' && value.type !== 'string');

const partsOf = (value: PossibleValue): Values => (value.kind === 'joined' ? value.parts : [value]);

const readString: CallReader = (call) =>
  firstOf(call).flatMap((value): Values => {
    if (value.kind === 'claim') {
      return [value.wrappers.length > 0 ? value : { ...value, isConverted: true }];
    }
    if (value.kind === 'joined' || isDecided(value)) return [value];
    return call.reader.reject('string() of a computed value', [value]);
  });

const readSize: CallReader = (call) => firstOf(call).map((of) => ({ kind: 'size', of }));

const readType: CallReader = (call) => {
  if (call.reader.release < exactNumbersSince) {
    return call.reader.reject(`type() before 1.${exactNumbersSince}`, ...call.args);
  }
  return readOperands(call);
};

/** Reads an optional that has the value of its argument. */
const readOptionalOf: CallReader = (call) => {
  call.reader.readAll(firstOf(call));
  return [{ kind: 'optional', values: firstOf(call) }];
};

/**
 * Reads an optional that has a value unless its argument is zero. A list or map of a claim is never zero, and whether a
 * computed list is empty follows from its elements.
 */
const readNonZero: CallReader = (call) => {
  for (const value of firstOf(call)) {
    call.reader.testLiteral(value, 'equals', '');
    call.reader.testEquality(value, { kind: 'constant', type: 'int', value: '0' });
  }
  return readOptionalOf(call);
};

const optionalValues = (value: PossibleValue): Values =>
  value.kind === 'optional' ? value.values : [value];

const readValue: CallReader = (call) => {
  call.reader.readAll(firstOf(call));
  return firstOf(call).flatMap(optionalValues);
};

const readOrValue: CallReader = (call) => [...readValue(call), ...secondOf(call)];

const readOr: CallReader = (call) => {
  call.reader.readAll([...firstOf(call), ...secondOf(call)]);
  const values = [...firstOf(call), ...secondOf(call)].flatMap(optionalValues);
  return [{ kind: 'optional', values }];
};

/** Joins constants, so that `'a' + 'b' + claims.c` begins with one literal. */
const foldConstants = (node: CallCode, args: readonly Values[]): Values => {
  const [left, right] = args.map(onlyString);
  if (node.name === '_+_' && left !== undefined && right !== undefined) {
    return [{ kind: 'constant', type: 'string', value: left + right }];
  }
  if (node.name === 'dyn') return args[0] ?? [];
  if (node.name === '_?_:_') return args.slice(1).flat();
  if (node.name === 'optional.of') return [{ kind: 'optional', values: args[0] ?? [] }];
  if (node.name === 'optional.none') return [{ kind: 'optional', values: [] }];
  return [decided];
};

const callReaders: ReadonlyMap<string, CallReader> = new Map<string, CallReader>([
  ['_&&_', readOperands],
  ['_||_', readOperands],
  ['!_', readOperands],
  ['hasValue', readOperands],
  ['_?_:_', readCondition],
  ['_==_', readEquality],
  ['_!=_', readEquality],
  ['_<_', readOrder],
  ['_<=_', readOrder],
  ['_>_', readOrder],
  ['_>=_', readOrder],
  ['startsWith', readLiteralTest('startsWith')],
  ['endsWith', readLiteralTest('endsWith')],
  ['contains', readLiteralTest('contains')],
  ['matches', readLiteralTest('matches')],
  ['@in', readMembership],
  ['sets.contains', readSets],
  ['sets.intersects', readSets],
  ['_+_', readSum],
  ['string', readString],
  ['lowerAscii', readWrapped(() => lowerWrapper)],
  ['upperAscii', readWrapped(() => upperWrapper)],
  ['trim', readWrapped(() => trimWrapper)],
  ['replace', readWrapped(replacement)],
  ['substring', partOfString],
  ['charAt', partOfString],
  ['split', readSplit],
  ['join', readJoin],
  ['size', readSize],
  ['type', readType],
  ['dyn', firstOf],
  ['_[_]', readIndex],
  ['_[?_]', readIndex],
  ['_?._', readIndex],
  ['value', readValue],
  ['orValue', readOrValue],
  ['or', readOr],
  ['optional.of', readOptionalOf],
  ['optional.ofNonZeroValue', readNonZero],
]);
