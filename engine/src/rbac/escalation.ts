/**
 * Nobody grants what they do not hold. Asked before a role or a binding is written: a role needs every
 * permission in it (or the verb `escalate`), a binding every permission of its role (or the verb `bind`
 * on it). Refusals are the real server's.
 */
import { pathSegmentProblems } from '../formats/api-names.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { type ApiError, badRequest } from '../model/api-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { objectOf, objectsOf } from '../resources/object-fields.ts';
import { aggregateErrors, privilegedGroup } from './authorize.ts';
import { uncoveredRules, compactStrings } from './cover-rules.ts';
import { type PolicyRule, ruleKey } from './policy-rule.ts';
import type { RoleIndex } from './role-index.ts';
import { type RoleRef, readName, readRoleRef, readRules } from './role-objects.ts';
import type { RolePolicy } from './role-policy.ts';

export type GrantingResource = 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';

export interface GrantAttempt {
  readonly user: UserInfo;
  readonly resource: GrantingResource;
  /** Group of the request: `rbac.authorization.k8s.io`. */
  readonly group: string;
  /** Of the request; empty for what lives in none. */
  readonly namespace: string;
  /** The name in the request's path; empty for a creation. */
  readonly name: string;
  /** As it would be written. */
  readonly object: JsonObject;
  /** What an update replaces. */
  readonly before?: JsonObject;
}

export interface GrantCheckServices {
  readonly policy: RolePolicy;
  readonly authorizer: Authorizer;
  /**
   * Where the role that a binding names is read anew: the copy may not know yet that it was made, or
   * that it grants more than before.
   */
  readonly store?: Pick<Store, 'get'>;
}

/** `undefined` where the grant may be written. */
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
  const found = await store.get({ resource, namespace: roleNamespace, name });
  return found === undefined ? undefined : readRules(found.object);
};

const isEscalationAuthorized = async (
  { user, resource, group, namespace, name }: GrantAttempt,
  authorizer: Authorizer,
): Promise<boolean> => {
  const attributes = { verb: 'escalate', group, resource, ...optionalAttributes(name, namespace) };
  return (await authorizer.authorize({ user, resource: attributes })).allowed;
};

/** Asked where the binding is made, not where the role lives. */
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
  // Who gathers rules gets those of roles that are not written yet: only who holds all of them may.
  return isAggregated && grantError(attempt, index, everything) !== undefined
    ? forbidden(attempt, 'must have cluster-admin privileges to use the aggregationRule')
    : undefined;
};

const hasAggregationRule = (role: JsonObject): boolean =>
  objectsOf(objectOf(role.get('aggregationRule')).get('clusterRoleSelectors')).length > 0;

/** What the store holds and what the copy knows: both must be held. */
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

/** A role that can be nowhere: the real store is asked by such a key in vain. */
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

/** Each rule once: the texts tell verb by verb. */
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
  if (coverage.kind === 'too-many') return `${who} more permissions at once than can be compared`;
  if (coverage.missing.length === 0) return undefined;
  const errors = grants.flatMap((grant) =>
    grant.kind === 'error' ? [roleNotFoundMessage(grant.binding.roleRef, attempt)] : [],
  );
  const tail = errors.length === 0 ? '' : `; resolution errors: [${aggregateErrors(errors)}]`;
  return `${who} RBAC permissions not currently held:\n${compactStrings(coverage.missing).join('\n')}${tail}`;
};

/** What is missing is told under the resource of the request, as the real store does. */
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
  message: `the roles are not known: ${reason}`,
  details: {},
});

/** What a garbage collector changes before it deletes grants nothing. */
const isOnlyMutatingGcFields = (object: JsonObject, before: JsonObject): boolean =>
  isSame(withoutGcFields(object), withoutGcFields(before));

const gcFields = new Set(['ownerReferences', 'finalizers', 'selfLink', 'managedFields']);

const withoutGcFields = (object: JsonObject): JsonObject => {
  const metadata = [...objectOf(object.get('metadata'))].filter(([name]) => !gcFields.has(name));
  return new Map<string, Json>([...object, ['metadata', new Map(metadata)]]);
};

/** Lists and objects that are empty count as absent, as the real comparison has it. */
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
