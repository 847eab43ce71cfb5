/**
 * JSON as the real server's patches have it: text until it is looked into, then members or items.
 * What was looked into is written with its members sorted, the rest as it was sent, which is what
 * messages show; and texts and numbers are equal when they are written so.
 */
import { compactJson, htmlEscapeJson } from '../formats/go-json.ts';
import { type JsonNode, parseJsonWithPositions, rawJson } from '../formats/json-with-positions.ts';
import { byCodePoint } from '../formats/string-order.ts';

/** A value that changes in place. */
export interface LazyJson {
  /** Absent: the null that an operation brings. */
  readonly raw?: RawJson;
  container?: JsonContainer;
}

/** `undefined` is a null that was in an object or a list from the start. */
export type LazySlot = LazyJson | undefined;

/** Of a null that was copied there are `none`. */
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

/** `panic`: here the real server ends the connection. */
export type JsonPatchFailure = 'impossible' | 'panic';

/** Carries a failure up to who patches. */
export class JsonPatchError extends Error {
  readonly kind: JsonPatchFailure;
  constructor(kind: JsonPatchFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Where the real server follows a pointer to nothing. */
export const nilPointerError = (): JsonPatchError =>
  new JsonPatchError('panic', 'runtime error: invalid memory address or nil pointer dereference');

/** Levels of nesting up to which a value is written and compared. */
const maxPatchDepth = 64;

/** A value of the bytes. */
export const lazyJson = (bytes: Uint8Array, node: JsonNode): LazyJson => ({ raw: { bytes, node } });

/** The value of a text; `undefined` where it is none. */
export const parseLazyJson = (bytes: Uint8Array): LazyJson | undefined => {
  const tree = parseJsonWithPositions(bytes, maxPatchDepth);
  return tree.kind === 'error' ? undefined : lazyJson(bytes, tree.root);
};

/** What is in it; `undefined` for what has neither members nor items. */
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

/** Compact, safe in HTML. */
export const writeLazyJson = (value: LazySlot, depth = 0): string => {
  if (value === undefined) return 'null';
  if (value.container !== undefined) return writeContainer(value.container, depth);
  return value.raw === undefined ? 'null' : htmlEscapeJson(compactOf(value));
};

/** The same of what is in a value. */
export const writeContainer = (container: JsonContainer, depth = 0): string => {
  if (depth > maxPatchDepth) throw new JsonPatchError('impossible', 'exceeded max depth');
  if (container.kind === 'items') {
    return `[${container.items.map((item) => writeLazyJson(item, depth + 1)).join(',')}]`;
  }
  if (container.members === 'none') return 'null';
  const members = [...container.members].sort(([left], [right]) => byCodePoint(left, right));
  const texts = members.map(
    ([name, member]) =>
      `${htmlEscapeJson(JSON.stringify(name))}:${writeLazyJson(member, depth + 1)}`,
  );
  return `{${texts.join(',')}}`;
};

const compactOf = ({ raw }: LazyJson): string =>
  raw === undefined ? '' : compactJson(rawJson(raw.bytes, raw.node));

/** Whether the real server takes the two for one; it looks into both. */
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
