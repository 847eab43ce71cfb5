/**
 * What an expression reads of its variable, with the text of each reading: for traces that show the
 * values an expression saw. Works on the encoded form, so it needs no parser.
 */
import type { SerializedExpression } from './serialize.ts';

export interface SeenAttribute {
  /** Id of the node whose value it is, as a probe tells it. */
  readonly nodeId: number;
  /** `claims.groups`, `has(claims.hd)`, `user.extra["k"]`. */
  readonly text: string;
}

/** The longest chains, in the order in which they stand; each text once. */
export const seenAttributes = ({ code }: SerializedExpression): readonly SeenAttribute[] => {
  const found = new Map<string, number>();
  collect(code, found);
  return [...found].map(([text, nodeId]) => ({ nodeId, text }));
};

const collect = (code: unknown, found: Map<string, number>): void => {
  if (!Array.isArray(code)) return;
  const text = chainText(code);
  if (text?.isChain === true) {
    const [, id]: unknown[] = code;
    if (typeof id === 'number' && !found.has(text.text)) found.set(text.text, id);
    return;
  }
  for (const child of code) collect(child, found);
};

interface ChainText {
  readonly text: string;
  /** A variable alone is no reading worth telling. */
  readonly isChain: boolean;
}

/** `undefined` for what is no chain from a variable of the environment. */
const chainText = (code: unknown): ChainText | undefined => {
  if (!Array.isArray(code)) return undefined;
  const [kind, , first, second, ...rest]: unknown[] = code;
  switch (kind) {
    case 'v':
      return first === 'claims' || first === 'user' ? { text: first, isChain: false } : undefined;
    case 's':
      return joined(second, (operand) => `${operand}.${String(first)}`);
    case 'h':
      return joined(second, (operand) => `has(${operand}.${String(first)})`);
    case 'f': {
      const [operand, key] = rest;
      const constant = constantText(key);
      if (constant === undefined) return undefined;
      if (first === '_[_]') return joined(operand, (text) => `${text}[${constant}]`);
      if (first === '_[?_]') return joined(operand, (text) => `${text}[?${constant}]`);
      if (first === '_?._') return joined(operand, (text) => `${text}.?${bare(constant)}`);
      return undefined;
    }
    default:
      return undefined;
  }
};

const joined = (operand: unknown, text: (operand: string) => string): ChainText | undefined => {
  const chain = chainText(operand);
  return chain && { text: text(chain.text), isChain: true };
};

const constantText = (code: unknown): string | undefined => {
  if (!Array.isArray(code)) return undefined;
  const [kind, , type, value]: unknown[] = code;
  if (kind !== 'c') return undefined;
  if (type === 'string') return JSON.stringify(value);
  return type === 'int' || type === 'uint' ? String(value) : undefined;
};

const bare = (quoted: string): string =>
  /^"[A-Za-z_]\w*"$/.test(quoted) ? quoted.slice(1, -1) : quoted;
