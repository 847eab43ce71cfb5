/**
 * What an expression reads of its variable, with the text of each reading: for traces that show the
 * values an expression saw. Works on the encoded form, so it needs no parser.
 */
import type { SerializedExpression } from './serialize.ts';

export interface AttributeRead {
  /** Id of the node whose value it is, as a probe tells it. */
  readonly nodeId: number;
  /** `claims.groups`, `has(claims.hd)`, `user.extra["k"]`. */
  readonly text: string;
}

/** The longest chains, in the order in which they stand; each text once. */
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
  /** A variable alone is no reading worth telling. */
  readonly isChain: boolean;
}

/** `undefined` for what is no chain from a variable of the environment. */
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
