/** Converts roles of cases to the names with which they were recorded. */
import type { Grant, RoleIndex } from '../../../engine/src/rbac/role-index.ts';
import type { RolePolicy } from '../../../engine/src/rbac/role-policy.ts';

/** Bindings are named `grant-0`, and a missing role has no name. */
export const recordedRoles = (policy: RolePolicy): RolePolicy => {
  const known = new WeakMap<RoleIndex, RoleIndex>();
  return {
    ...policy,
    current() {
      const state = policy.current();
      if (state.kind === 'unknown') return state;
      const index = known.get(state.index) ?? recordedIndex(state.index);
      known.set(state.index, index);
      return { kind: 'known', index };
    },
  };
};

const recordedIndex = ({ rulesOf, grantsFor }: RoleIndex): RoleIndex => ({
  rulesOf,
  grantsFor: (user, namespace) => grantsFor(user, namespace).map(recordedGrant),
});

const recordedGrant = (grant: Grant): Grant => {
  const { binding } = grant;
  const { roleRef } = binding;
  if (grant.kind === 'error')
    return { ...grant, message: `${roleRef.kind.toLowerCase()} not found` };
  const name = recordedName(binding.name);
  return {
    ...grant,
    binding: { ...binding, name, roleRef: { ...roleRef, name: recordedName(roleRef.name) } },
  };
};

/** The stored names have leading zeros, which keep them in order. */
const recordedName = (name: string): string => name.replace(/^grant-0*(?=\d)/, 'grant-');
