/**
 * Text of others as data without places: replies of servers, kubeconfig files. Repeated members are
 * kept, so that who reads them decides; no name has a meaning of its own.
 */
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { composeTree } from './compose-tree.ts';
import type { DataNode } from './data.ts';
import { documentLimits } from './limits.ts';
import { loadTree } from './load-tree.ts';
import { readBytes } from './read-bytes.ts';
import { YamlError } from './text-cursor.ts';
import { TokenStream } from './token-stream.ts';

export type PlainValue =
  | { readonly kind: 'object'; readonly members: readonly PlainMember[] }
  | { readonly kind: 'array'; readonly items: readonly PlainValue[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly literal: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' };

export interface PlainMember {
  readonly name: string;
  readonly value: PlainValue;
}

export type PlainReading =
  | { readonly kind: 'value'; readonly value: PlainValue }
  /** In the words of the real server's reader. */
  | { readonly kind: 'error'; readonly message: string };

export interface PlainLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Commas, as a measure of how many values there are; any number where absent. */
  readonly commas?: number;
  /** Of a text that is no JSON, which takes longer to read; any number where absent. */
  readonly yamlBytes?: number;
}

/** JSON where the first character that counts is a brace, else YAML, as the real server guesses. */
export const readPlain = (bytes: Uint8Array, limits: PlainLimits): PlainReading => {
  const { commas, yamlBytes } = limits;
  if (!isJson(bytes)) {
    return yamlBytes !== undefined && bytes.length > yamlBytes
      ? error(`refused: a text of more than ${yamlBytes} bytes that is no JSON`)
      : readPlainYaml(bytes, limits);
  }
  if (commas !== undefined && commasIn(bytes) > commas) {
    return error(`refused: more than ${commas} values`);
  }
  const tree = parseJsonWithPositions(bytes, limits.depth);
  return tree.kind === 'tree'
    ? { kind: 'value', value: tree.root }
    : { kind: 'error', message: `couldn't get version/kind; json parse error: ${tree.error}` };
};

/** YAML, and JSON as the YAML that it also is. An empty text is null. */
export const readPlainYaml = (bytes: Uint8Array, limits: PlainLimits): PlainReading => {
  const reading = readBytes(bytes);
  if (reading.kind === 'broken') return error(reading.diagnostic.message);
  try {
    const built = composeTree(new TokenStream(reading.text), documentLimits.expandedNodes);
    if (built.tooManyNodes || built.aliases.length > documentLimits.aliases) {
      return error('yaml: document contains excessive aliasing');
    }
    if (built.maxDepth > limits.depth) return error('yaml: exceeded max depth');
    const { data, failure, expandedNodes } = loadTree(built.root);
    if (failure !== undefined) return error(failure.message);
    if (expandedNodes > documentLimits.expandedNodes) {
      return error('yaml: document contains excessive aliasing');
    }
    return { kind: 'value', value: toPlainValue(data, compareByName) };
  } catch (problem) {
    if (!(problem instanceof YamlError)) throw problem;
    return error(`yaml: ${problem.reason}`);
  }
};

const error = (message: string): PlainReading => ({ kind: 'error', message });

/** Go's white space in front does not count. */
const isJson = (bytes: Uint8Array): boolean => {
  let at = 0;
  while (isAsciiSpace(bytes[at])) at += 1;
  const first = bytes[at];
  if (first === undefined || first < 0x80) return first === 0x7b;
  return /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*\{/.test(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  );
};

/** Tab to carriage return, and the space. */
const isAsciiSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);

const commasIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let at = bytes.indexOf(0x2c); at !== -1; at = bytes.indexOf(0x2c, at + 1)) count += 1;
  return count;
};

/** So the real server turns YAML to JSON. */
const compareByName = (left: PlainMember, right: PlainMember): number =>
  left.name < right.name ? -1 : 1;

/** Data without its places, the last one of repeated members; `order` is that of the members. */
export const toPlainValue = (
  data: DataNode | undefined,
  order?: (left: PlainMember, right: PlainMember) => number,
): PlainValue => {
  switch (data?.kind) {
    case 'object': {
      const members = Array.from(data.byKey, ([name, { value }]) => ({
        name,
        value: toPlainValue(value, order),
      }));
      return { kind: 'object', members: order === undefined ? members : members.sort(order) };
    }
    case 'array':
      return { kind: 'array', items: data.items.map((item) => toPlainValue(item, order)) };
    case 'number':
      return { kind: 'number', literal: data.text };
    case 'string':
      return { kind: 'string', text: data.text };
    case 'bool':
      return { kind: 'bool', value: data.value };
    case 'null':
    case undefined:
      return { kind: 'null' };
  }
};
