/** Plans serialized expressions. It needs neither the parser nor the checker. */
import { newestRelease } from '../../model/release.ts';
import type { CelNode, Constant } from '../tree/ast.ts';
import { CelError } from '../values/value.ts';
import { type PlanOptions, type PlanResult, planInput } from './plan.ts';
import type { Program } from './program.ts';
import type { SerializedExpression } from './serialize.ts';

/** Plans a serialized expression. Malformed data gives a program that always fails. */
export const planSerialized = (
  serialized: SerializedExpression,
  options: PlanOptions = {},
): Program => toProgram(plan(serialized, options));

const plan = (
  { code, release = newestRelease }: SerializedExpression,
  options: PlanOptions,
): PlanResult => {
  const decoder = createDecoder();
  const tree = decoder.node(code);
  if (tree === undefined) return { problem: 'the compiled expression is malformed' };
  const { names, overloads, typeNames } = decoder;
  return planInput(
    {
      tree,
      release,
      nameOf: (nodeId) => names.get(nodeId),
      overloadOf: (nodeId) => overloads.get(nodeId),
      isTypeName: (nodeId) => typeNames.has(nodeId),
    },
    options,
  );
};

const toProgram = (planned: PlanResult): Program => {
  if ('program' in planned) return planned.program;
  const error = `program instantiation failed: ${planned.problem}`;
  return {
    evaluate: () => ({ value: undefined, error, cost: 0 }),
    evaluateMetered: () => new CelError(error),
  };
};

interface Decoder {
  readonly names: Map<number, string>;
  readonly overloads: Map<number, string>;
  readonly typeNames: Set<number>;
  node(code: unknown): CelNode | undefined;
}

const noPosition = { span: { start: 0, end: 0 }, at: 0 };

const createDecoder = (): Decoder => {
  const decoder: Decoder = {
    names: new Map(),
    overloads: new Map(),
    typeNames: new Set(),
    node: (code) => {
      if (!Array.isArray(code)) return undefined;
      const [kind, id, ...rest]: unknown[] = code;
      if (typeof kind !== 'string' || typeof id !== 'number') return undefined;
      return decodeNode(decoder, kind, id, rest);
    },
  };
  return decoder;
};

const decodeNode = (
  decoder: Decoder,
  kind: string,
  id: number,
  rest: readonly unknown[],
): CelNode | undefined => {
  const [first, second, third] = rest;
  switch (kind) {
    case 'c': {
      const constant = decodeConstant(first, second);
      return constant && { kind: 'literal', id, ...noPosition, constant };
    }
    case 't':
    case 'v':
      return typeof first === 'string' ? decodeIdent(decoder, kind, id, first) : undefined;
    case 's':
    case 'h': {
      const operand = decoder.node(second);
      if (typeof first !== 'string' || operand === undefined) return undefined;
      const { span } = noPosition;
      const testOnly = kind === 'h';
      return {
        kind: 'select',
        id,
        ...noPosition,
        operand,
        field: first,
        fieldSpan: span,
        testOnly,
      };
    }
    case 'f': {
      const args = decodeAll(decoder, rest.slice(2));
      if (typeof first !== 'string' || args === undefined) return undefined;
      if (typeof second === 'string') decoder.overloads.set(id, second);
      const functionSpan = noPosition.span;
      return {
        kind: 'call',
        id,
        ...noPosition,
        function: first,
        functionSpan,
        target: undefined,
        args,
      };
    }
    case 'l': {
      const elements = decodeAll(decoder, rest.slice(1));
      if (!isNumbers(first) || elements === undefined) return undefined;
      return { kind: 'list', id, ...noPosition, elements, optionalIndices: first };
    }
    case 'm':
      return decodeMap(decoder, id, rest);
    case 'o':
      return typeof first === 'string'
        ? decodeStruct(decoder, { id, typeName: first }, rest.slice(1))
        : undefined;
    case 'x':
      return decodeComprehension(decoder, id, [first, second, third], rest.slice(3));
    default:
      return undefined;
  }
};

const decodeIdent = (decoder: Decoder, kind: string, id: number, name: string): CelNode => {
  if (kind === 't') decoder.typeNames.add(id);
  decoder.names.set(id, name.replace(/^\./, ''));
  return { kind: 'ident', id, ...noPosition, name };
};

const decodeMap = (decoder: Decoder, id: number, rest: readonly unknown[]): CelNode | undefined => {
  const entries = [];
  for (const entry of rest) {
    if (!Array.isArray(entry)) return undefined;
    const [optional, keyCode, valueCode]: unknown[] = entry;
    const key = decoder.node(keyCode);
    const value = decoder.node(valueCode);
    if (typeof optional !== 'boolean' || key === undefined || value === undefined) return undefined;
    entries.push({ id, at: 0, key, value, optional });
  }
  return { kind: 'map', id, ...noPosition, entries };
};

const decodeStruct = (
  decoder: Decoder,
  { id, typeName }: { readonly id: number; readonly typeName: string },
  rest: readonly unknown[],
): CelNode | undefined => {
  const fields = [];
  for (const field of rest) {
    if (!Array.isArray(field)) return undefined;
    const [optional, name, code]: unknown[] = field;
    const value = decoder.node(code);
    if (typeof optional !== 'boolean' || typeof name !== 'string') return undefined;
    if (value === undefined) return undefined;
    fields.push({ id, at: 0, name, value, optional });
  }
  return { kind: 'struct', id, ...noPosition, typeName, fields };
};

const decodeComprehension = (
  decoder: Decoder,
  id: number,
  [iterVar, iterVar2, accuVar]: readonly unknown[],
  parts: readonly unknown[],
): CelNode | undefined => {
  const nodes = decodeAll(decoder, parts);
  const [iterRange, accuInit, loopCondition, loopStep, result] = nodes ?? [];
  if (typeof iterVar !== 'string' || typeof accuVar !== 'string') return undefined;
  if (iterVar2 !== null && typeof iterVar2 !== 'string') return undefined;
  if (iterRange === undefined || accuInit === undefined || loopCondition === undefined) {
    return undefined;
  }
  if (loopStep === undefined || result === undefined) return undefined;
  return {
    kind: 'comprehension',
    id,
    ...noPosition,
    iterRange,
    iterVar,
    iterVar2: iterVar2 ?? undefined,
    accuVar,
    accuInit,
    loopCondition,
    loopStep,
    result,
  };
};

const decodeAll = (decoder: Decoder, codes: readonly unknown[]): CelNode[] | undefined => {
  const nodes: CelNode[] = [];
  for (const code of codes) {
    const node = decoder.node(code);
    if (node === undefined) return undefined;
    nodes.push(node);
  }
  return nodes;
};

const decodeConstant = (kind: unknown, value: unknown): Constant | undefined => {
  if (kind === 'null') return { kind };
  if (kind === 'bool' && typeof value === 'boolean') return { kind, value };
  if (kind === 'string' && typeof value === 'string') return { kind, value };
  if (kind === 'double' && typeof value === 'string') return { kind, value: Number(value) };
  if (kind === 'bytes' && isNumbers(value)) return { kind, value: Uint8Array.from(value) };
  if (kind !== 'int' && kind !== 'uint') return undefined;
  if (typeof value !== 'string' || !/^-?[0-9]+$/.test(value)) return undefined;
  return { kind, value: BigInt(value) };
};

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((element) => typeof element === 'number');
