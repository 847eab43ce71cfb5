/**
 * Reads the macros that iterate. `all`, `exists` and `in` see which elements occur, in whatever order and number, so
 * one element of each list determines their result.
 */

import { type ClaimPath, elementStep } from './claim-reads.ts';
import {
  type CodeNode,
  codeKey,
  constantOf,
  isCall,
  isVariable,
  type LoopCode,
} from './code-nodes.ts';
import type { ExpressionReader } from './expression-reader.ts';
import {
  claimValue,
  decided,
  isAlwaysString,
  isDecided,
  type PossibleValue,
} from './possible-values.ts';

/** Reads the parts of a loop. */
export interface LoopParts {
  readonly read: (node: CodeNode) => readonly PossibleValue[];
  /** Reads a part with variables. */
  readonly readWith: (
    node: CodeNode,
    variables: Readonly<Record<string, readonly PossibleValue[]>>,
  ) => readonly PossibleValue[];
}

/** Reads a loop; macros that are not known are unsupported. */
export const readLoop = (
  reader: ExpressionReader,
  loop: CodeNode & LoopCode,
  parts: LoopParts,
): readonly PossibleValue[] => {
  if (isBinding(loop)) {
    return parts.readWith(loop.result, { [loop.accumulator]: parts.read(loop.init) });
  }
  const body = bodyOf(loop);
  if (body === undefined || loop.variable2 !== undefined) {
    return rejectLoop(reader, loop, parts, 'a macro that is not supported');
  }
  const range = rangeOf(reader, parts.read(loop.range));
  if (range === undefined) return rejectLoop(reader, loop, parts, 'a loop over a computed list');
  if (range.paths.length > 0 && reader.loopDepth > 0) {
    return rejectLoop(reader, loop, parts, 'a loop within a loop');
  }
  const key = codeKey(loop.code);
  reader.testElements(range.paths, key, { weight: body.weight, counts: body.weight > 1 });
  reader.loopDepth++;
  const inBody = (node: CodeNode): readonly PossibleValue[] =>
    parts.readWith(node, { [loop.variable]: range.elements });
  if (body.filter !== undefined) reader.readAll(inBody(body.filter));
  const results = inBody(body.value);
  reader.readAll(results);
  reader.loopDepth--;
  if (!body.isList) return [decided];
  return [{ kind: 'list', key, elements: results, paths: range.paths }];
};

/** The elements of a list, and the paths of the lists that they come from. */
interface Range {
  readonly elements: readonly PossibleValue[];
  readonly paths: readonly ClaimPath[];
}

/** Returns the elements that a loop over these values can have. */
export const rangeOf = (
  reader: ExpressionReader,
  values: readonly PossibleValue[],
): Range | undefined => {
  const ranges = values.map((value) => rangeOfValue(reader, value));
  if (!ranges.every((range) => range !== undefined)) return undefined;
  return {
    elements: ranges.flatMap(({ elements }) => elements),
    paths: ranges.flatMap(({ paths }) => paths),
  };
};

const rangeOfValue = (reader: ExpressionReader, value: PossibleValue): Range | undefined => {
  reader.readUnlessRoot(value);
  if (value.kind === 'list') return value;
  if (isDecided(value)) return { elements: [decided], paths: [] };
  if (value.kind !== 'claim') return undefined;
  // A loop over a string is an error.
  if (isAlwaysString(value)) return { elements: [decided], paths: [] };
  const { path } = value;
  if (path.length === 0 || path.includes(elementStep)) return undefined;
  const element = claimValue([...path, elementStep]);
  reader.read(element);
  return { elements: [element], paths: [path] };
};

/** What a loop does with each element. */
export interface LoopBody {
  readonly value: CodeNode;
  readonly filter?: CodeNode | undefined;
  /** Whether the result is a list, otherwise a boolean. */
  readonly isList: boolean;
  /** How many elements determine the result. */
  readonly weight: number;
}

/** Recognizes what a loop does; returns `undefined` for other loops. */
export const bodyOf = (loop: LoopCode): LoopBody | undefined =>
  quantifierBody(loop) ?? countBody(loop) ?? collectorBody(loop);

/** Recognizes `all` and `exists`. */
const quantifierBody = ({ accumulator, ...loop }: LoopCode): LoopBody | undefined => {
  const { init, condition, step, result } = loop;
  const isAll = constantOf(init, 'bool') === true;
  if (!isAll && constantOf(init, 'bool') !== false) return undefined;
  if (!isCall(step, isAll ? '_&&_' : '_||_') || !isVariable(result, accumulator)) return undefined;
  const [accumulated, value] = step.args;
  if (!isVariable(accumulated, accumulator) || value === undefined) return undefined;
  return stopsEarly(condition, accumulator, isAll)
    ? { value, isList: false, weight: 1 }
    : undefined;
};

const stopsEarly = (condition: CodeNode, accumulator: string, isAll: boolean): boolean => {
  if (!isCall(condition, '@not_strictly_false')) return false;
  const [tested] = condition.args;
  if (isAll) return isVariable(tested, accumulator);
  return tested !== undefined && isCall(tested, '!_') && isVariable(tested.args[0], accumulator);
};

/** Recognizes `exists_one`, for which it matters whether two elements are true. */
const countBody = ({ accumulator, ...loop }: LoopCode): LoopBody | undefined => {
  const { init, condition, step, result } = loop;
  if (constantOf(init, 'int') !== '0' || constantOf(condition, 'bool') !== true) return undefined;
  if (!isCall(step, '_?_:_') || !isCall(result, '_==_')) return undefined;
  const [value, counted, unchanged] = step.args;
  if (value === undefined || counted === undefined || !isVariable(unchanged, accumulator)) {
    return undefined;
  }
  const isCounted =
    isCall(counted, '_+_') &&
    isVariable(counted.args[0], accumulator) &&
    constantOf(counted.args[1], 'int') === '1';
  const isOne =
    isVariable(result.args[0], accumulator) && constantOf(result.args[1], 'int') === '1';
  return isCounted && isOne ? { value, isList: false, weight: 2 } : undefined;
};

/** Recognizes `map` and `filter`. */
const collectorBody = ({ accumulator, ...loop }: LoopCode): LoopBody | undefined => {
  const { init, condition, step, result } = loop;
  if (init.kind !== 'list' || init.elements.length > 0) return undefined;
  if (constantOf(condition, 'bool') !== true || !isVariable(result, accumulator)) return undefined;
  const isFiltered = isCall(step, '_?_:_');
  const [filter, filtered, unchanged] = isFiltered ? step.args : [];
  if (isFiltered && !isVariable(unchanged, accumulator)) return undefined;
  const append = isFiltered ? filtered : step;
  if (append === undefined || !isCall(append, '_+_')) return undefined;
  const [accumulated, added] = append.args;
  if (!isVariable(accumulated, accumulator) || added?.kind !== 'list') return undefined;
  const [value, ...others] = added.elements;
  if (value === undefined || others.length > 0 || added.hasOptional) return undefined;
  return { value, filter, isList: true, weight: 1 };
};

/** Recognizes a loop over an empty list, which binds a variable (`optMap`). */
const isBinding = (loop: LoopCode): boolean =>
  loop.range.kind === 'list' &&
  loop.range.elements.length === 0 &&
  constantOf(loop.condition, 'bool') === false &&
  isVariable(loop.step, loop.accumulator);

const rejectLoop = (
  reader: ExpressionReader,
  loop: LoopCode,
  { read, readWith }: LoopParts,
  construct: string,
): readonly PossibleValue[] => {
  const unknown: readonly PossibleValue[] = [decided];
  const names = [loop.variable, loop.variable2 ?? loop.variable, loop.accumulator];
  const variables = Object.fromEntries(names.map((name) => [name, unknown]));
  const inner = [loop.condition, loop.step, loop.result].map((node) => readWith(node, variables));
  return reader.reject(construct, read(loop.range), read(loop.init), ...inner);
};
