/**
 * Reads the serialized form of an expression as typed nodes. Graphs contain only this form, so that artifacts can be
 * compared without their source.
 */

/** A node of a serialized expression, with the data from which a program can be planned. */
export type CodeNode = { readonly code: unknown } & (
  | ConstantCode
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type' }
  | SelectCode
  | CallCode
  | { readonly kind: 'list'; readonly elements: readonly CodeNode[]; readonly hasOptional: boolean }
  | LoopCode
  /** A map, a message or malformed data. */
  | { readonly kind: 'other'; readonly children: readonly CodeNode[] }
);

export interface ConstantCode {
  readonly kind: 'constant';
  /** The type of the constant: `string`, `int`, `bool`. */
  readonly type: string;
  /** Integers and doubles are strings. */
  readonly value: unknown;
}

interface SelectCode {
  readonly kind: 'select';
  readonly field: string;
  readonly operand: CodeNode;
  /** True for `has(a.b)`. */
  readonly isTest: boolean;
}

export interface CallCode {
  readonly kind: 'call';
  readonly name: string;
  /** The receiver, if there is one, and the arguments. */
  readonly args: readonly CodeNode[];
}

export interface LoopCode {
  readonly kind: 'loop';
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly range: CodeNode;
  readonly init: CodeNode;
  readonly condition: CodeNode;
  readonly step: CodeNode;
  readonly result: CodeNode;
}

/** Reads a serialized expression. */
export const readCode = (code: unknown): CodeNode => {
  if (!Array.isArray(code)) return { kind: 'other', code, children: [] };
  const [kind, , ...rest]: unknown[] = code;
  const [first, second] = rest;
  switch (kind) {
    case 'c':
      return { kind: 'constant', code, type: String(first), value: second };
    case 'v':
      return { kind: 'variable', code, name: String(first) };
    case 't':
      return { kind: 'type', code };
    case 's':
    case 'h': {
      const operand = readCode(second);
      return { kind: 'select', code, field: String(first), operand, isTest: kind === 'h' };
    }
    case 'f':
      return { kind: 'call', code, name: String(first), args: rest.slice(2).map(readCode) };
    case 'l': {
      const hasOptional = Array.isArray(first) && first.length > 0;
      return { kind: 'list', code, elements: rest.slice(1).map(readCode), hasOptional };
    }
    case 'x':
      return readLoop(code, rest);
    default:
      return { kind: 'other', code, children: nestedCodes(rest).map(readCode) };
  }
};

/** Returns the nodes directly below a node. */
export const childrenOf = (node: CodeNode): readonly CodeNode[] => {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.args;
    case 'list':
      return node.elements;
    case 'loop':
      return [node.range, node.init, node.condition, node.step, node.result];
    case 'other':
      return node.children;
    default:
      return [];
  }
};

/** Returns the value if the node is a constant of this type. */
export const constantOf = (node: CodeNode | undefined, type: string): unknown =>
  node?.kind === 'constant' && node.type === type ? node.value : undefined;

/** Returns the string if the node is a constant string. */
export const stringOf = (node: CodeNode | undefined): string | undefined => {
  const value = constantOf(node, 'string');
  return typeof value === 'string' ? value : undefined;
};

/** Returns the number if the node is a constant integer. */
export const integerOf = (node: CodeNode | undefined): number | undefined => {
  const value = constantOf(node, 'int');
  return typeof value === 'string' ? Number(value) : undefined;
};

/** Checks whether the node is a call of this function. */
export const isCall = <Name extends string>(
  node: CodeNode,
  name: Name,
): node is CodeNode & CallCode & { readonly name: Name } =>
  node.kind === 'call' && node.name === name;

/** Checks whether the node reads this variable. */
export const isVariable = (node: CodeNode | undefined, name: string): boolean =>
  node?.kind === 'variable' && node.name === name;

/**
 * Returns a string that is equal for expressions that differ only in the IDs of nodes and in the
 * names of loop variables; `names` renames other variables.
 */
export const codeKey = (code: unknown, names: ReadonlyMap<string, string> = new Map()): string =>
  JSON.stringify(withoutIds(code, names, 0));

/** Combines the parts of an expression with a call: `!(a)`. */
export const callCode = (name: string, overload: string | null, ...args: unknown[]): unknown => [
  'f',
  0,
  name,
  overload,
  ...args,
];

const readLoop = (code: unknown, rest: readonly unknown[]): CodeNode => {
  const [variable, variable2, accumulator, ...parts] = rest;
  const [range, init, condition, step, result] = parts;
  return {
    kind: 'loop',
    code,
    variable: String(variable),
    variable2: typeof variable2 === 'string' ? variable2 : undefined,
    accumulator: String(accumulator),
    range: readCode(range),
    init: readCode(init),
    condition: readCode(condition),
    step: readCode(step),
    result: readCode(result),
  };
};

const isCode = (data: unknown): boolean =>
  Array.isArray(data) && typeof data[0] === 'string' && typeof data[1] === 'number';

const nestedCodes = (data: unknown): readonly unknown[] => {
  if (isCode(data)) return [data];
  return Array.isArray(data) ? data.flatMap(nestedCodes) : [];
};

/** Removes IDs and numbers the variables of loops; `used` numbers are in use. */
const withoutIds = (data: unknown, names: ReadonlyMap<string, string>, used: number): unknown => {
  if (!Array.isArray(data)) return data;
  const strip = (item: unknown): unknown => withoutIds(item, names, used);
  if (!isCode(data)) return data.map(strip);
  const [kind, , ...rest]: unknown[] = data;
  if (kind === 'v') return ['v', names.get(String(rest[0])) ?? rest[0]];
  if (kind !== 'x') return [kind, ...rest.map(strip)];
  const inner = new Map(names);
  rest.slice(0, 3).forEach((name, index) => {
    if (typeof name === 'string') inner.set(name, `$${used + index}`);
  });
  const [range, init, ...others] = rest.slice(3);
  const stripInner = (item: unknown): unknown => withoutIds(item, inner, used + 3);
  return [kind, rest[1] === null, strip(range), strip(init), ...others.map(stripInner)];
};
