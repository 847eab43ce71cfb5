/**
 * Finds what an expression reads from its variable, with the source of each read, so that traces
 * can show the values. It uses the serialized form, so it needs no parser.
 */
import type { SerializedExpression } from './serialize.ts';

export interface AttributeRead {
  /** The ID of the node that a probe reports. */
  readonly nodeId: number;
  /** `claims.groups`, `has(claims.hd)`, `user.extra["k"]` */
  readonly text: string;
}

/** Returns the longest chains in the order of the expression, without repetition. */
export const attributeReads = ({ code }: SerializedExpression): readonly AttributeRead[] => {
  const reads = new Map<string, number>();
  collectReads(code, reads);
  return [...reads].map(([text, nodeId]) => ({ nodeId, text }));
};

const collectReads = (code: unknown, reads: Map<string, number>): void => {
  if (!Array.isArray(code)) return;
  const text = readChain(code);
  if (text?.isChain === true) {
    const [, id]: unknown[] = code;
    if (typeof id === 'number' && !reads.has(text.text)) reads.set(text.text, id);
    return;
  }
  for (const child of code) collectReads(child, reads);
};

interface AttributeChain {
  readonly text: string;
  /** Whether it has a selection; a variable alone is not reported. */
  readonly isChain: boolean;
}

/**
 * Returns the chain that a node ends, or `undefined` if it does not begin with a variable of the
 * environment.
 */
const readChain = (code: unknown): AttributeChain | undefined => {
  if (!Array.isArray(code)) return undefined;
  const [kind, , first, second, ...rest]: unknown[] = code;
  switch (kind) {
    case 'v':
      return first === 'claims' || first === 'user' ? { text: first, isChain: false } : undefined;
    case 's':
      return extendChain(second, (operand) => `${operand}.${String(first)}`);
    case 'h':
      return extendChain(second, (operand) => `has(${operand}.${String(first)})`);
    case 'f': {
      const [operand, key] = rest;
      const constant = formatConstant(key);
      if (constant === undefined) return undefined;
      if (first === '_[_]') return extendChain(operand, (text) => `${text}[${constant}]`);
      if (first === '_[?_]') return extendChain(operand, (text) => `${text}[?${constant}]`);
      if (first === '_?._')
        return extendChain(operand, (text) => `${text}.?${unquoteName(constant)}`);
      return undefined;
    }
    default:
      return undefined;
  }
};

const extendChain = (
  operand: unknown,
  text: (operand: string) => string,
): AttributeChain | undefined => {
  const chain = readChain(operand);
  return chain && { text: text(chain.text), isChain: true };
};

const formatConstant = (code: unknown): string | undefined => {
  if (!Array.isArray(code)) return undefined;
  const [kind, , type, value]: unknown[] = code;
  if (kind !== 'c') return undefined;
  if (type === 'string') return JSON.stringify(value);
  return type === 'int' || type === 'uint' ? String(value) : undefined;
};

const unquoteName = (quoted: string): string =>
  /^"[A-Za-z_]\w*"$/.test(quoted) ? quoted.slice(1, -1) : quoted;
