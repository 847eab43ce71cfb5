/**
 * Prevents privilege escalation: users can only grant permissions that they hold. The check runs
 * before a role or a binding is written. A role requires every permission in it (or the verb
 * `escalate`), a binding every permission of its role (or the verb `bind` on it). The messages are
 * kube-apiserver's.
 */
import { pathSegmentProblems } from '../formats/api-names.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { type ApiError, badRequest } from '../model/api-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { privilegedGroup, type UserInfo } from '../model/user-info.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { objectOf, objectsOf } from '../resources/object-fields.ts';
import { aggregateErrors } from './authorize.ts';
import { compactStrings, uncoveredRules } from './cover-rules.ts';
import { type PolicyRule, ruleKey } from './policy-rule.ts';
import type { RoleIndex } from './role-index.ts';
import { type RoleRef, readName, readRoleRef, readRules } from './role-objects.ts';
import type { RolePolicy } from './role-policy.ts';

export type GrantingResource = 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';

export interface GrantAttempt {
  readonly user: UserInfo;
  readonly resource: GrantingResource;
  /** API group of the request: `rbac.authorization.k8s.io`. */
  readonly group: string;
  /** Namespace of the request; empty for cluster-scoped objects. */
  readonly namespace: string;
  /** Name in the request's path; empty for a create request. */
  readonly name: string;
  /** The object to be written. */
  readonly object: JsonObject;
  /** The object that an update replaces. */
  readonly before?: JsonObject;
}

export interface GrantCheckServices {
  readonly policy: RolePolicy;
  readonly authorizer: Authorizer;
  /**
   * Store from which the role of a binding is read again: the cache may not contain it yet, or may
   * contain an older version that grants less.
   */
  readonly store?: Pick<Store, 'get'>;
}

/** Returns the error for a grant that is not allowed; `undefined` if it is. */
export const checkEscalation = async (
  attempt: GrantAttempt,
  { policy, authorizer, store }: GrantCheckServices,
): Promise<ApiError | undefined> => {
  if (attempt.user.groups.includes(privilegedGroup)) return undefined;
  const isRole = attempt.resource === 'clusterroles' || attempt.resource === 'roles';
  if (isRole && (await isEscalationAuthorized(attempt, authorizer))) return undefined;
  if (attempt.before !== undefined && isOnlyMutatingGcFields(attempt.object, attempt.before)) {
    return undefined;
  }
  if (!isRole && (await isBindingAuthorized(attempt, authorizer))) return undefined;
  const state = policy.current();
  if (state.kind === 'unknown') return rolesUnavailable(state.reason);
  if (isRole) return checkRole(attempt, state.index);
  try {
    return checkBinding(attempt, state.index, await storedRules(attempt, store));
  } catch (error) {
    if (error instanceof StoreError) return rolesUnavailable(error.message);
    throw error;
  }
};

const storedRules = async (
  { object, namespace }: GrantAttempt,
  store: Pick<Store, 'get'> | undefined,
): Promise<readonly PolicyRule[] | undefined> => {
  const { kind, name } = readRoleRef(object);
  const resource = resourceOfRef(kind);
  if (store === undefined || resource === undefined) return undefined;
  const roleNamespace = resource === 'roles' ? namespace : '';
  const storedRole = await store.get({ resource, namespace: roleNamespace, name });
  return storedRole === undefined ? undefined : readRules(storedRole.object);
};

const isEscalationAuthorized = async (
  { user, resource, group, namespace, name }: GrantAttempt,
  authorizer: Authorizer,
): Promise<boolean> => {
  const attributes = { verb: 'escalate', group, resource, ...optionalAttributes(name, namespace) };
  return (await authorizer.authorize({ user, resource: attributes })).allowed;
};

/** Returns whether the user may bind the role, in the namespace of the binding. */
const isBindingAuthorized = async (
  { user, namespace, object }: GrantAttempt,
  authorizer: Authorizer,
): Promise<boolean> => {
  const { apiGroup, kind, name } = readRoleRef(object);
  const resource = resourceOfRef(kind);
  if (resource === undefined) return false;
  const attributes = {
    verb: 'bind',
    group: apiGroup,
    resource,
    ...optionalAttributes(name, namespace),
  };
  return (await authorizer.authorize({ user, resource: attributes })).allowed;
};

const optionalAttributes = (name: string, namespace: string) => ({
  ...(name === '' ? {} : { name }),
  ...(namespace === '' ? {} : { namespace }),
});

const resourceOfRef = (kind: string): string | undefined =>
  new Map([
    ['ClusterRole', 'clusterroles'],
    ['Role', 'roles'],
  ]).get(kind);

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

const checkRole = (attempt: GrantAttempt, index: RoleIndex): ApiError | undefined => {
  const problem = grantError(attempt, index, readRules(attempt.object));
  if (problem !== undefined) return forbidden(attempt, problem);
  if (attempt.resource !== 'clusterroles') return undefined;
  const isAggregated =
    hasAggregationRule(attempt.object) || hasAggregationRule(attempt.before ?? new Map());
  // An aggregated role will also include rules of roles that do not exist yet, so it requires all
  // permissions.
  return isAggregated && grantError(attempt, index, everything) !== undefined
    ? forbidden(attempt, 'must have cluster-admin privileges to use the aggregationRule')
    : undefined;
};

const hasAggregationRule = (role: JsonObject): boolean =>
  objectsOf(objectOf(role.get('aggregationRule')).get('clusterRoleSelectors')).length > 0;

/**
 * Checks a binding: the user must hold the rules of the role in the store and those of the role in
 * the cache.
 */
const checkBinding = (
  attempt: GrantAttempt,
  index: RoleIndex,
  stored: readonly PolicyRule[] | undefined,
): ApiError | undefined => {
  const ref = readRoleRef(attempt.object);
  const refProblem = roleRefProblem(ref, attempt);
  if (refProblem !== undefined) return badRequest(refProblem);
  const known = index.rulesOf(ref, attempt.namespace);
  if (known === undefined && stored === undefined) return roleNotFound(ref, attempt);
  const problem = grantError(attempt, index, mergeRules(stored ?? [], known ?? []));
  return problem === undefined ? undefined : forbidden(attempt, problem);
};

/** Returns the error for a role reference that cannot exist in the store. */
const roleRefProblem = (
  { kind, name }: RoleRef,
  { namespace }: GrantAttempt,
): string | undefined => {
  if (resourceOfRef(kind) === undefined) return undefined;
  if (kind === 'Role' && namespace === '') return 'Namespace parameter required.';
  if (name === '') return 'Name parameter required.';
  const problems = pathSegmentProblems(name);
  return problems.length === 0
    ? undefined
    : `Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`;
};

/** Returns all rules without duplicates, since the messages list each verb. */
const mergeRules = (
  stored: readonly PolicyRule[],
  known: readonly PolicyRule[],
): readonly PolicyRule[] => {
  const storedKeys = new Set(stored.map(ruleKey));
  return [...stored, ...known.filter((rule) => !storedKeys.has(ruleKey(rule)))];
};

const grantError = (
  attempt: GrantAttempt,
  index: RoleIndex,
  granted: readonly PolicyRule[],
): string | undefined => {
  const { user, namespace } = attempt;
  const grants = index.grantsFor(user, namespace);
  const held = grants.flatMap((grant) => (grant.kind === 'rules' ? grant.rules : []));
  const coverage = uncoveredRules(held, granted);
  const who = `user ${goQuote(user.username)} (groups=${goQuoteList(user.groups)}) is attempting to grant`;
  if (coverage.kind === 'too-many') return `${who} more permissions than can be compared at once`;
  if (coverage.missing.length === 0) return undefined;
  const errors = grants.flatMap((grant) =>
    grant.kind === 'error' ? [roleNotFoundMessage(grant.binding.roleRef, attempt)] : [],
  );
  const tail = errors.length === 0 ? '' : `; resolution errors: [${aggregateErrors(errors)}]`;
  return `${who} RBAC permissions not currently held:\n${compactStrings(coverage.missing).join('\n')}${tail}`;
};

/**
 * Returns the message for a missing role, which names the resource of the request, as
 * kube-apiserver does.
 */
const roleNotFoundMessage = (
  { kind, name }: RoleRef,
  { group, resource }: Pick<GrantAttempt, 'group' | 'resource'>,
): string =>
  resourceOfRef(kind) === undefined
    ? `unsupported role reference kind: ${goQuote(kind)}`
    : `${resource}.${group} ${goQuote(name)} not found`;

const forbidden = ({ resource, group, object }: GrantAttempt, why: string): ApiError => {
  const { name } = readName(object);
  const subject = name === '' ? `${resource}.${group}` : `${resource}.${group} ${goQuote(name)}`;
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: { ...(name === '' ? {} : { name }), group, kind: resource },
  };
};

const roleNotFound = (ref: RoleRef, attempt: GrantAttempt): ApiError => {
  const message = roleNotFoundMessage(ref, attempt);
  if (resourceOfRef(ref.kind) === undefined) return { code: 500, reason: '', message };
  const { group, resource } = attempt;
  return {
    code: 404,
    reason: 'NotFound',
    message,
    details: { name: ref.name, group, kind: resource },
  };
};

const rolesUnavailable = (reason: string): ApiError => ({
  code: 503,
  reason: 'ServiceUnavailable',
  message: `roles are unavailable: ${reason}`,
  details: {},
});

/**
 * Returns whether an update changes only fields that a garbage collector sets, which grants
 * nothing.
 */
const isOnlyMutatingGcFields = (object: JsonObject, before: JsonObject): boolean =>
  isSame(withoutGcFields(object), withoutGcFields(before));

const gcFields = new Set(['ownerReferences', 'finalizers', 'selfLink', 'managedFields']);

const withoutGcFields = (object: JsonObject): JsonObject => {
  const metadata = [...objectOf(object.get('metadata'))].filter(([name]) => !gcFields.has(name));
  return new Map<string, Json>([...object, ['metadata', new Map(metadata)]]);
};

/** Compares two values like kube-apiserver: empty lists and objects count as absent. */
const isSame = (left: Json | undefined, right: Json | undefined): boolean => {
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right);
  if (left instanceof Map && right instanceof Map) {
    const names = new Set([...left.keys(), ...right.keys()]);
    return [...names].every((name) => isSame(left.get(name), right.get(name)));
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item: Json, position) => isSame(item, right[position]))
    );
  }
  return left === right;
};

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Map && value.size === 0);
