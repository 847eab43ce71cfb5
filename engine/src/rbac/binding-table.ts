/** The bindings of one namespace, or those of the cluster, indexed by the names of their subjects. */

import { sortedIndex } from '../formats/sorted-index.ts';
import { serviceAccountUsername } from '../formats/system-usernames.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Subject } from './policy-rule.ts';
import type { BindingObject } from './role-objects.ts';

export interface MatchingBinding {
  readonly binding: BindingObject;
  /** The first subject of the binding that matches the user. */
  readonly subject: Subject;
}

/** A subject of a binding, in the list of a user or group. */
interface Entry extends MatchingBinding {
  /** The index of the subject in the binding. */
  readonly position: number;
}

export class BindingTable {
  /** Entries in the order of the names of their bindings, with one entry for each binding. */
  readonly #byUser = new Map<string, Entry[]>();
  readonly #byGroup = new Map<string, Entry[]>();

  add(binding: BindingObject): void {
    for (const { list, name, entry } of this.#entriesOf(binding)) {
      const entries = list.get(name);
      if (entries === undefined) list.set(name, [entry]);
      else entries.splice(indexAfter(entries, binding.name), 0, entry);
    }
  }

  delete(binding: BindingObject): void {
    for (const { list, name } of this.#entriesOf(binding)) {
      const entries = list.get(name) ?? [];
      const end = indexAfter(entries, binding.name);
      for (let index = end - 1; entries[index]?.binding.name === binding.name; index -= 1) {
        if (entries[index]?.binding === binding) entries.splice(index, 1);
      }
      if (entries.length === 0) list.delete(name);
    }
  }

  /** Returns the bindings that apply to a user or one of its groups, in the order of their names. */
  bindingsOf({ username, groups }: UserInfo): readonly MatchingBinding[] {
    const lists = [this.#byUser.get(username), ...groups.map((group) => this.#byGroup.get(group))];
    const first = new Map<BindingObject, Entry>();
    for (const entry of lists.flatMap((list) => list ?? [])) {
      const known = first.get(entry.binding);
      if (known === undefined || entry.position < known.position) first.set(entry.binding, entry);
    }
    return [...first.values()].sort(byBindingName);
  }

  *#entriesOf(binding: BindingObject): Generator<{
    readonly list: Map<string, Entry[]>;
    readonly name: string;
    readonly entry: Entry;
  }> {
    const seen = { users: new Set<string>(), groups: new Set<string>() };
    for (const [position, subject] of binding.subjects.entries()) {
      const username = usernameOf(subject, binding);
      const entry = { binding, subject, position };
      if (username !== undefined && !seen.users.has(username)) {
        seen.users.add(username);
        yield { list: this.#byUser, name: username, entry };
      }
      if (subject.kind === 'Group' && !seen.groups.has(subject.name)) {
        seen.groups.add(subject.name);
        yield { list: this.#byGroup, name: subject.name, entry };
      }
    }
  }
}

/** Returns the username of a user or service account; a service account needs a namespace. */
const usernameOf = (subject: Subject, binding: BindingObject): string | undefined => {
  if (subject.kind === 'User') return subject.name;
  if (subject.kind !== 'ServiceAccount') return undefined;
  const namespace = subject.namespace === '' ? binding.namespace : subject.namespace;
  return namespace === '' ? undefined : serviceAccountUsername(namespace, subject.name);
};

/** Returns the index behind all entries of bindings whose names are not after `name`. */
const indexAfter = (entries: readonly Entry[], name: string): number =>
  sortedIndex(entries, ({ binding }) => binding.name <= name);

const byBindingName = (left: Entry, right: Entry): number => {
  if (left.binding.name === right.binding.name) return 0;
  return left.binding.name < right.binding.name ? -1 : 1;
};
