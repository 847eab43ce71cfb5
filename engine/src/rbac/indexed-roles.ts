/**
 * The roles and bindings of a view, by namespace, name and subject. The index follows the changes of
 * the view, so that a change costs the work for its own object, however many others there are.
 */
import type { JsonObject } from '../model/json.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { ObjectChange, ObjectView } from '../ports/object-view.ts';
import { BindingTable, type MatchingBinding } from './binding-table.ts';
import { resourceOfKind } from './fixed-view.ts';
import type { PolicyRule } from './policy-rule.ts';
import { type BindingObject, readBinding, readName, readRules } from './role-objects.ts';

/** A view of roles and bindings. */
export type RoleView = Pick<ObjectView, 'list' | 'onChange' | 'readiness'>;

type RoleKind = 'Role' | 'ClusterRole' | BindingObject['kind'];

const roleKinds: readonly RoleKind[] = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

export class IndexedRoles {
  readonly #cluster = new ScopedRoles();
  readonly #byNamespace = new Map<string, ScopedRoles>();
  #clusterState: object = {};

  constructor(view: RoleView) {
    for (const kind of roleKinds) {
      const resource = resourceOfKind(kind);
      view.onChange(resource, (change) => this.#apply(kind, change));
      for (const object of view.list(resource) ?? []) this.#apply(kind, { kind: 'listed', object });
    }
  }

  /** An object that each change of a cluster role or cluster role binding replaces. */
  get clusterState(): object {
    return this.#clusterState;
  }

  clusterRules(name: string): readonly PolicyRule[] | undefined {
    return this.#cluster.rules.get(name);
  }

  rulesIn(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#byNamespace.get(namespace)?.rules.get(name);
  }

  clusterBindings(user: UserInfo): readonly MatchingBinding[] {
    return this.#cluster.bindingsOf(user);
  }

  bindingsIn(namespace: string, user: UserInfo): readonly MatchingBinding[] {
    return this.#byNamespace.get(namespace)?.bindingsOf(user) ?? [];
  }

  #apply(kind: RoleKind, change: RoleChange): void {
    if (kind === 'ClusterRole' || kind === 'ClusterRoleBinding') {
      this.#cluster.apply(kind, change);
      this.#clusterState = {};
      return;
    }
    const { namespace } = readName(change.object);
    const roles = this.#byNamespace.get(namespace) ?? new ScopedRoles();
    roles.apply(kind, change);
    if (roles.isEmpty) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, roles);
  }
}

/** A change of an object, or an object of the first list. */
type RoleChange = ObjectChange | { readonly kind: 'listed'; readonly object: JsonObject };

/** The roles and bindings of one namespace, or those of the cluster. */
class ScopedRoles {
  readonly rules = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, BindingObject>();
  readonly #table = new BindingTable();

  get isEmpty(): boolean {
    return this.rules.size === 0 && this.#bindings.size === 0;
  }

  bindingsOf(user: UserInfo): readonly MatchingBinding[] {
    return this.#table.bindingsOf(user);
  }

  apply(kind: RoleKind, { kind: change, object }: RoleChange): void {
    const { name } = readName(object);
    if (kind === 'Role' || kind === 'ClusterRole') {
      // Files may contain two roles with the same name; the first counts.
      if (change === 'deleted') this.rules.delete(name);
      else if (change === 'put' || !this.rules.has(name)) this.rules.set(name, readRules(object));
      return;
    }
    const known = this.#bindings.get(name);
    if (known !== undefined && change !== 'listed') {
      this.#bindings.delete(name);
      this.#table.delete(known);
    }
    if (change === 'deleted') return;
    const binding = readBinding(kind, object);
    this.#bindings.set(name, binding);
    this.#table.add(binding);
  }
}
