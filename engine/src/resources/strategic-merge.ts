/**
 * Strategic merge patch: a merge patch that knows which lists are merged by a member of their items,
 * with its directives for order, deletion and replacement. It goes the way of the real server's
 * `strategicpatch`, as what a malformed directive comes to is a matter of that way.
 */
import { foldName } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { JsonObject } from '../model/json.ts';
import { MergeWork } from './merge-work.ts';
import { areAllMaps, checkOrder, indexByKey, inOrder } from './patch-order.ts';
import {
  areEqual,
  copyOfObject,
  goSet,
  goType,
  isItems,
  isMembers,
  itemsOf,
  keyOf,
  membersOf,
  PatchError,
  type PatchItems,
  type PatchMembers,
  type PatchProblem,
  type PatchValue,
  shown,
  shownAsText,
} from './patch-values.ts';
import type { FieldRow, Shape, StructShape } from './shape.ts';

export type StrategicResult =
  | {
      readonly kind: 'merged';
      readonly object: PatchMembers;
      /** The patch as messages about the object print it: without what was done with it. */
      readonly rest: string;
    }
  | { readonly kind: PatchProblem; readonly message: string };

/** Merges; the shape says which lists are merged. Of the patch the `rest` is left. */
export const applyStrategicMerge = (
  target: JsonObject,
  rest: PatchMembers,
  shape: StructShape,
): StrategicResult => {
  try {
    const work = new MergeWork();
    const object = mergeMembers(copyOfObject(target), rest, { shape, work });
    return { kind: 'merged', object, rest: shown(rest) };
  } catch (error) {
    if (error instanceof PatchError) return { kind: error.kind, message: error.message };
    throw error;
  }
};

const directive = '$patch';
const orders = '$setElementOrder';
const deletions = '$deleteFromPrimitiveList';
const retainKeys = '$retainKeys';

/** What is known of a value that is merged. */
interface Known {
  readonly shape: Shape;
  readonly work: MergeWork;
}

const mergeMembers = (target: PatchMembers, patch: PatchMembers, known: Known): PatchMembers => {
  const told = patch.get(directive);
  if (told !== undefined) return replaced(patch, told);
  retain(target, patch);
  for (const name of [...patch.keys()]) {
    if (name.startsWith(orders)) mergeOrdered(name, { target, patch, ...known });
  }
  for (const [name, value] of patch) mergeMember(name, value, { target, ...known });
  return target;
};

/** What becomes of a map whose patch says what to do with it. */
const replaced = (patch: PatchMembers, told: PatchValue): PatchMembers => {
  if (told === 'delete') return new Map();
  if (told !== 'replace') return refuseDirective(told, patch);
  patch.delete(directive);
  return patch;
};

const refuseDirective = (told: PatchValue, patch: PatchMembers): never => {
  throw new PatchError(`unknown patch type: ${shownAsText(told)} in map: ${shown(patch)}`);
};

/** Keeps what the patch says may stay; it says so of all that it brings. */
const retain = (target: PatchMembers, patch: PatchMembers): void => {
  const keys = patch.get(retainKeys);
  if (keys === undefined) return;
  patch.delete(retainKeys);
  const malformed = new PatchError('invalid patch format of retainKeys', 'malformed');
  if (!isItems(keys)) throw malformed;
  const names = goSet(keys);
  for (const [name, value] of patch) {
    const isFree = value === null || name.startsWith(deletions) || name.startsWith(orders);
    if (!isFree && !names.has(name)) throw malformed;
  }
  for (const name of [...target.keys()]) if (!names.has(name)) target.delete(name);
};

/** `/secrets` of `$setElementOrder/secrets`. */
const listNameIn = (name: string, prefix: string, what: string): string => {
  if (name.startsWith(`${prefix}/`)) return name.slice(prefix.length + 1);
  throw new PatchError(`invalid patch format of ${what} list`, 'malformed');
};

interface Surroundings extends Known {
  readonly target: PatchMembers;
  readonly patch: PatchMembers;
}

/** An order takes its list out of the patch, merges it and puts the whole in order. */
const mergeOrdered = (directiveName: string, around: Surroundings): void => {
  const { target, patch, work } = around;
  const order = itemsOf(patch.get(directiveName));
  patch.delete(directiveName);
  const name = listNameIn(directiveName, orders, 'setElementOrder');
  const [known, given] = [target.get(name), patch.get(name)];
  const [before, brought] = [itemsOf(known), itemsOf(given)];
  const rules = listRules(around, name);
  const { key } = rules;
  checkOrder(brought, order, key);
  work.spend(before.length + brought.length + order.length);
  if (known === undefined && given === undefined) return;
  const merged =
    given === undefined
      ? before
      : known === undefined
        ? itemsOf(withoutDirectives(brought))
        : mergeLists(before, brought, rules);
  const sorted = inOrder(merged, { order, before, key }, () => areAllMaps(before, brought));
  target.set(name, sorted);
  patch.delete(name);
};

const mergeMember = (
  told: string,
  value: PatchValue,
  { target, shape, work }: Omit<Surroundings, 'patch'>,
): void => {
  const isDeletion = told.startsWith(deletions);
  const name = (isDeletion && listNameIn(told, deletions, 'primitive')) || told;
  const before = target.get(name);
  if (value === null) target.delete(name);
  else if (isMembers(before) && isMembers(value)) {
    target.set(name, mergeMembers(before, value, { shape: fieldOf(shape, name).shape, work }));
  } else if (isItems(before) && isItems(value)) {
    const rules = listRules({ shape, work }, name);
    target.set(name, mergeLists(before, value, isDeletion ? { ...rules, isDeletion } : rules));
  } else if (!isDeletion || (before !== undefined && goType(before) === goType(value))) {
    dropNulls(value);
    const kept = withoutDirectives(value);
    if (kept === undefined) target.delete(name);
    else target.set(name, kept);
  }
};

/** What there is nothing to merge with is taken as it is, but for the nulls of its maps… */
const dropNulls = (value: PatchValue): void => {
  if (isItems(value)) for (const item of value) dropNulls(item);
  if (!isMembers(value)) return;
  for (const [name, member] of value) {
    if (member === null) value.delete(name);
    else dropNulls(member);
  }
};

/** …and its maps with directives. `undefined`: it is one itself. */
const withoutDirectives = (value: PatchValue): PatchValue | undefined => {
  if (isItems(value)) {
    return value.map(withoutDirectives).filter((item): item is PatchValue => item !== undefined);
  }
  if (!isMembers(value)) return value;
  if (value.has(directive)) return undefined;
  for (const [name, member] of value) {
    const kept = withoutDirectives(member);
    if (kept === undefined) value.delete(name);
    else value.set(name, kept);
  }
  return value;
};

const fieldOf = (shape: Shape, name: string): FieldRow => {
  if (shape.kind !== 'struct') {
    const why = `merging an object in json but data type is not struct, instead is: ${shape.kind}`;
    throw new PatchError(why);
  }
  const folded = foldName(name);
  const row =
    shape.rows.find((candidate) => candidate.name === name) ??
    shape.rows.find((candidate) => foldName(candidate.name) === folded);
  if (row !== undefined) return row;
  throw new PatchError(
    `unable to find api field in struct ${shape.name} for the json field ${goQuote(name)}`,
  );
};

interface ListRules {
  /** What two items that are merged have in common; empty for lists of texts. */
  readonly key: string;
  /** Otherwise a list takes the place of the one before. */
  readonly isMerged: boolean;
  readonly item: Shape;
  readonly work: MergeWork;
  /** The patch has what goes. */
  readonly isDeletion?: true;
}

const listRules = ({ shape, work }: Known, name: string): ListRules => {
  const { mergeKey, shape: own, written } = fieldOf(shape, name);
  // What is a pointer may be one to a list, as far as the real server looks.
  const isPointer = written === 'given' || own.kind === 'time';
  if (own.kind !== 'list' && !isPointer) {
    throw new PatchError(`expected slice or array type, but got: ${shape.kind}`);
  }
  return {
    key: mergeKey === undefined || mergeKey === 'value' ? '' : mergeKey,
    isMerged: mergeKey !== undefined,
    item: own.kind === 'list' ? own.item : own,
    work,
  };
};

const mergeLists = (before: PatchItems, patch: PatchItems, rules: ListRules): PatchItems => {
  const { key, item, isMerged, isDeletion, work } = rules;
  if (!isMerged && isDeletion === undefined) return patch;
  if (before.length === 0 && patch.length === 0) return before;
  if (areAllMaps(before, patch)) {
    work.spend(before.length + patch.length);
    if (key !== '') return mergeMaps(before, patch, { key, item, work });
    throw new PatchError(`cannot merge lists without merge key for ${item.kind}`);
  }
  if (isDeletion) {
    const gone = goSet(patch);
    return before.filter((value) => !gone.has(value));
  }
  work.spend(before.length + patch.length);
  const merged = withoutRepeated([...before, ...patch]);
  return inOrder(merged, { order: patch, before, key }, () => false);
};

/** The last one comes to the place of a repeated one; the order is set later. */
const withoutRepeated = (values: PatchItems): PatchItems => {
  for (let at = 0; at < values.length; at += 1) {
    for (let other = at + 1; other < values.length; other += 1) {
      if (!areEqual(values[at] ?? null, values[other] ?? null)) continue;
      const last = values.pop() ?? null;
      if (other < values.length) values[other] = last;
      other -= 1;
    }
  }
  return values;
};

const mergeMaps = (
  before: PatchItems,
  patch: PatchItems,
  { key, item, work }: Pick<ListRules, 'key' | 'item' | 'work'>,
): PatchItems => {
  const { kept, brought, isCut } = obeyed(before, patch, key);
  const merged = [...kept];
  for (const entry of brought) {
    const at = indexByKey(merged, key, keyOf(entry, key));
    const old = merged[at];
    if (isMembers(old)) merged[at] = mergeMembers(old, entry, { shape: item, work });
    else merged.push(entry);
  }
  // Lists of the real server share their memory: what is cut out of one makes room in it, which its
  // order is then told by.
  for (const [at, entry] of merged.slice(0, isCut ? before.length : 0).entries()) {
    before[at] = entry;
  }
  return inOrder(merged, { order: brought, before: kept, key }, () => true);
};

interface Obeyed {
  readonly kept: PatchItems;
  readonly brought: readonly PatchMembers[];
  readonly isCut: boolean;
}

/** Items that are directives are done and gone. */
const obeyed = (before: PatchItems, patch: PatchItems, key: string): Obeyed => {
  const [kept, brought]: [PatchItems, PatchMembers[]] = [[...before], []];
  let isReplaced = false;
  for (const entry of patch.map(membersOf)) {
    const told = entry.get(directive);
    if (told === undefined) brought.push(entry);
    else if (told === 'delete') cutOut(kept, key, keyOf(entry, key));
    else if (told === 'replace') isReplaced = true;
    else if (told !== 'merge') refuseDirective(told, entry);
    else throw new PatchError('merging lists cannot yet be specified in the patch');
  }
  if (isReplaced) return { kept: brought, brought: [], isCut: false };
  return { kept, brought, isCut: kept.length < before.length };
};

const cutOut = (items: PatchItems, key: string, value: PatchValue): void => {
  for (let at = indexByKey(items, key, value); at >= 0; at = indexByKey(items, key, value)) {
    items.splice(at, 1);
  }
};
