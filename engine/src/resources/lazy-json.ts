/**
 * JSON as the real server's patches have it: text until it is looked into, then members or items.
 * What was looked into is written with its members sorted, the rest as it was sent, which is what
 * messages show; and texts and numbers are equal when they are written so.
 */
import { compactJsonText, htmlSafeJson } from '../formats/go-json.ts';
import { type JsonNode, parseJsonTree, rawJson } from '../formats/json-tree.ts';
import { byCodePoint } from '../formats/string-order.ts';

/** A value that changes in place. */
export interface LazyJson {
  /** Absent: the null that an operation brings. */
  readonly raw?: RawJson;
  inside?: JsonInside;
}

/** `undefined` is a null that was in an object or a list from the start. */
export type LazySlot = LazyJson | undefined;

/** Of a null that was copied there are `none`. */
export type JsonInside = JsonMembers | JsonItems;
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
export type PatchFailure = 'impossible' | 'panic';

/** Carries a failure up to who patches. */
export class PatchFault extends Error {
  readonly kind: PatchFailure;
  constructor(kind: PatchFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Where the real server follows a pointer to nothing. */
export const nilFault = (): PatchFault =>
  new PatchFault('panic', 'runtime error: invalid memory address or nil pointer dereference');

/** Levels of nesting up to which a value is written and compared. */
const deepestPatched = 64;

/** A value of the bytes. */
export const lazyJson = (bytes: Uint8Array, node: JsonNode): LazyJson => ({ raw: { bytes, node } });

/** The value of a text; `undefined` where it is none. */
export const parseLazyJson = (bytes: Uint8Array): LazyJson | undefined => {
  const tree = parseJsonTree(bytes, deepestPatched);
  return tree.kind === 'error' ? undefined : lazyJson(bytes, tree.root);
};

/** What is in it; `undefined` for what has neither members nor items. */
export const insideOf = (value: LazyJson): JsonInside | undefined => {
  if (value.inside !== undefined || value.raw === undefined) return value.inside;
  const { bytes, node } = value.raw;
  const slot = (member: JsonNode): LazySlot =>
    member.kind === 'null' ? undefined : lazyJson(bytes, member);
  if (node.kind === 'null') value.inside = { kind: 'members', members: 'none' };
  if (node.kind === 'array') value.inside = { kind: 'items', items: node.items.map(slot) };
  if (node.kind === 'object') {
    const members = node.members.map(({ name, value: member }) => [name, slot(member)] as const);
    value.inside = { kind: 'members', members: new Map(members) };
  }
  return value.inside;
};

/** Compact, safe in HTML. */
export const writeLazyJson = (value: LazySlot, depth = 0): string => {
  if (value === undefined) return 'null';
  if (value.inside !== undefined) return writeInside(value.inside, depth);
  return value.raw === undefined ? 'null' : htmlSafeJson(compactOf(value));
};

/** The same of what is in a value. */
export const writeInside = (inside: JsonInside, depth = 0): string => {
  if (depth > deepestPatched) throw new PatchFault('impossible', 'exceeded max depth');
  if (inside.kind === 'items') {
    return `[${inside.items.map((item) => writeLazyJson(item, depth + 1)).join(',')}]`;
  }
  if (inside.members === 'none') return 'null';
  const members = [...inside.members].sort(([left], [right]) => byCodePoint(left, right));
  const texts = members.map(
    ([name, member]) => `${htmlSafeJson(JSON.stringify(name))}:${writeLazyJson(member, depth + 1)}`,
  );
  return `{${texts.join(',')}}`;
};

const compactOf = ({ raw }: LazyJson): string =>
  raw === undefined ? '' : compactJsonText(rawJson(raw.bytes, raw.node));

/** Whether the real server takes the two for one; it looks into both. */
export const areSameJson = (left: LazySlot, right: LazySlot, depth = 0): boolean => {
  if (left === undefined || right === undefined) throw nilFault();
  if (depth > deepestPatched) throw new PatchFault('impossible', 'exceeded max depth');
  const inside = insideOf(left);
  if (inside === undefined) {
    return right.inside === undefined && compactOf(left) === compactOf(right);
  }
  const other = insideOf(right);
  if (inside.kind === 'items') {
    return (
      other?.kind === 'items' &&
      inside.items.length === other.items.length &&
      inside.items.every((item, at) => areSameJson(item, other.items[at], depth + 1))
    );
  }
  if (other?.kind !== 'members') return false;
  const [own, others] = [membersOf(inside), membersOf(other)];
  if (own.size !== others.size) return false;
  return [...own].every(([name, member]) => {
    const found = others.get(name);
    if (!others.has(name) || (member === undefined) !== (found === undefined)) return false;
    return member === undefined || areSameJson(member, found, depth + 1);
  });
};

const membersOf = ({ members }: JsonMembers): ReadonlyMap<string, LazySlot> =>
  members === 'none' ? new Map() : members;
