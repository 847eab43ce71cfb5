/**
 * JSON values of patches, parsed lazily like the lazy nodes of kube-apiserver's patch library. A
 * value remains text until it is accessed, then it becomes a map or a list. Accessed values are
 * written with sorted members, others as they were sent, which is visible in messages. Strings and
 * numbers are equal if their text is equal.
 */
import { compactJson, htmlEscapeJson } from '../formats/go-json.ts';
import { type JsonNode, parseJsonWithPositions, rawJson } from '../formats/json-with-positions.ts';
import { byCodePoint } from '../formats/string-order.ts';

/** A JSON value that can be modified in place. */
export interface LazyJson {
  /** Absent for a null of an operation. */
  readonly raw?: RawJson;
  container?: JsonContainer;
}

/** A value, or `undefined` for a null that was in an object or a list from the start. */
export type LazySlot = LazyJson | undefined;

/** The accessed content of a value; a null that was copied has the members `none`. */
export type JsonContainer = JsonMembers | JsonItems;
export interface JsonMembers {
  readonly kind: 'members';
  readonly members: Map<string, LazySlot> | 'none';
}
export interface JsonItems {
  readonly kind: 'items';
  readonly items: LazySlot[];
}

interface RawJson {
  readonly bytes: Uint8Array;
  readonly node: JsonNode;
}

/** Kind of failure; for `panic`, kube-apiserver closes the connection. */
export type JsonPatchFailure = 'impossible' | 'panic';

/** A failure to apply a patch. */
export class JsonPatchError extends Error {
  readonly kind: JsonPatchFailure;
  constructor(kind: JsonPatchFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Returns the error for a nil pointer that kube-apiserver dereferences. */
export const nilPointerError = (): JsonPatchError =>
  new JsonPatchError('panic', 'runtime error: invalid memory address or nil pointer dereference');

/** Maximum nesting of values that are written or compared. */
const maxPatchDepth = 64;

/** Returns the value of a node in the bytes. */
export const lazyJson = (bytes: Uint8Array, node: JsonNode): LazyJson => ({ raw: { bytes, node } });

/** Parses a value; returns `undefined` if the text is not JSON. */
export const parseLazyJson = (bytes: Uint8Array): LazyJson | undefined => {
  const tree = parseJsonWithPositions(bytes, maxPatchDepth);
  return tree.kind === 'error' ? undefined : lazyJson(bytes, tree.root);
};

/** Returns the content of a value; `undefined` for values that are neither an object nor a list. */
export const containerOf = (value: LazyJson): JsonContainer | undefined => {
  if (value.container !== undefined || value.raw === undefined) return value.container;
  const { bytes, node } = value.raw;
  const slot = (member: JsonNode): LazySlot =>
    member.kind === 'null' ? undefined : lazyJson(bytes, member);
  if (node.kind === 'null') value.container = { kind: 'members', members: 'none' };
  if (node.kind === 'array') value.container = { kind: 'items', items: node.items.map(slot) };
  if (node.kind === 'object') {
    const members = node.members.map(({ name, value: member }) => [name, slot(member)] as const);
    value.container = { kind: 'members', members: new Map(members) };
  }
  return value.container;
};

/** Writes a value as compact JSON with HTML characters escaped. */
export const writeLazyJson = (value: LazySlot, depth = 0): string => {
  if (value === undefined) return 'null';
  if (value.container !== undefined) return writeContainer(value.container, depth);
  return value.raw === undefined ? 'null' : htmlEscapeJson(compactOf(value));
};

/** Writes a container as compact JSON with HTML characters escaped. */
export const writeContainer = (container: JsonContainer, depth = 0): string => {
  if (depth > maxPatchDepth) throw new JsonPatchError('impossible', 'exceeded max depth');
  if (container.kind === 'items') {
    return `[${container.items.map((item) => writeLazyJson(item, depth + 1)).join(',')}]`;
  }
  if (container.members === 'none') return 'null';
  const members = [...container.members].sort(([left], [right]) => byCodePoint(left, right));
  const entries = members.map(
    ([name, member]) =>
      `${htmlEscapeJson(JSON.stringify(name))}:${writeLazyJson(member, depth + 1)}`,
  );
  return `{${entries.join(',')}}`;
};

const compactOf = ({ raw }: LazyJson): string =>
  raw === undefined ? '' : compactJson(rawJson(raw.bytes, raw.node));

/** Returns whether kube-apiserver considers two values equal; the comparison accesses both. */
export const areEqualLazyJson = (left: LazySlot, right: LazySlot, depth = 0): boolean => {
  if (left === undefined || right === undefined) throw nilPointerError();
  if (depth > maxPatchDepth) throw new JsonPatchError('impossible', 'exceeded max depth');
  const container = containerOf(left);
  if (container === undefined) {
    return right.container === undefined && compactOf(left) === compactOf(right);
  }
  const other = containerOf(right);
  if (container.kind === 'items') {
    return (
      other?.kind === 'items' &&
      container.items.length === other.items.length &&
      container.items.every((item, at) => areEqualLazyJson(item, other.items[at], depth + 1))
    );
  }
  if (other?.kind !== 'members') return false;
  const [own, others] = [membersOf(container), membersOf(other)];
  if (own.size !== others.size) return false;
  return [...own].every(([name, member]) => {
    const found = others.get(name);
    if (!others.has(name) || (member === undefined) !== (found === undefined)) return false;
    return member === undefined || areEqualLazyJson(member, found, depth + 1);
  });
};

const membersOf = ({ members }: JsonMembers): ReadonlyMap<string, LazySlot> =>
  members === 'none' ? new Map() : members;
