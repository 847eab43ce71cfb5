/**
 * Reads untrusted text as data without positions: responses of servers, kubeconfig files. Duplicate
 * members are retained for the reader to decide; no name has a special meaning.
 */
import { typeMetaError } from '../../formats/go-struct/type-meta.ts';
import {
  type PlainMember,
  type PlainValue,
  parseJsonWithPositions,
} from '../../formats/json-with-positions.ts';
import { composeTree } from './compose-tree.ts';
import type { DataNode } from './data.ts';
import { documentLimits } from './limits.ts';
import { loadTree } from './load-tree.ts';
import { readBytes } from './read-bytes.ts';
import { YamlError } from './text-cursor.ts';
import { TokenStream } from './token-stream.ts';

export type PlainReading =
  | {
      readonly kind: 'value';
      readonly value: PlainValue;
      /** Strict errors that YAML decoding finds before fields are decoded; absent if not checked. */
      readonly strictErrors?: readonly string[];
    }
  /** The message is that of kube-apiserver's reader. */
  | { readonly kind: 'error'; readonly message: string };

export interface PlainLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Maximum number of commas, as a measure of the number of values; unlimited if absent. */
  readonly commas?: number;
  /** Maximum size of text that is not JSON, which takes longer to read; unlimited if absent. */
  readonly yamlBytes?: number;
}

/**
 * Reads JSON if the first character that is not white space is a brace, otherwise YAML, as
 * kube-apiserver does.
 */
export const readPlain = (bytes: Uint8Array, limits: PlainLimits): PlainReading => {
  const { commas, yamlBytes } = limits;
  if (!isJson(bytes)) {
    return yamlBytes !== undefined && bytes.length > yamlBytes
      ? error(`refused: more than ${yamlBytes} bytes that are not JSON`)
      : readPlainYaml(bytes, limits);
  }
  if (commas !== undefined && commasIn(bytes) > commas) {
    return error(`refused: more than ${commas} values`);
  }
  return readPlainJson(bytes, limits.depth);
};

/** Reads JSON; `depth` is the maximum nesting. */
export const readPlainJson = (bytes: Uint8Array, depth: number): PlainReading => {
  const tree = parseJsonWithPositions(bytes, depth);
  return tree.kind === 'tree'
    ? { kind: 'value', value: tree.root }
    : error(typeMetaError(tree.error));
};

/** Reads YAML, which includes JSON. An empty text is null. */
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

/** Leading white space, as Go defines it, is ignored. */
const isJson = (bytes: Uint8Array): boolean => {
  let at = 0;
  while (isAsciiSpace(bytes[at])) at += 1;
  const first = bytes[at];
  if (first === undefined || first < 0x80) return first === 0x7b;
  return /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*\{/.test(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  );
};

/** Returns true for tab to carriage return, and space. */
const isAsciiSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);

const commasIn = (bytes: Uint8Array): number => {
  let count = 0;
  for (let at = bytes.indexOf(0x2c); at !== -1; at = bytes.indexOf(0x2c, at + 1)) count += 1;
  return count;
};

/** Orders members like kube-apiserver, which converts YAML to JSON. */
const compareByName = (left: PlainMember, right: PlainMember): number =>
  left.name < right.name ? -1 : 1;

/**
 * Returns data without positions; the last of duplicate members wins. `order` sorts the members.
 */
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
