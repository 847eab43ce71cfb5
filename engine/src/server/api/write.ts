/** The common part of creating and updating objects. */
import { goQuote } from '../../formats/go-quote.ts';
import { badRequest, invalid } from '../../model/api-error.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { StoreError } from '../../ports/store.ts';
import type { GrantingResource } from '../../rbac/escalation.ts';
import type { FieldError } from '../../resources/field-error.ts';
import { withManagedFields } from '../../resources/managed-fields.ts';
import { normalForm } from '../../resources/normal-form.ts';
import { objectAt, stringAt, withMember } from '../../resources/object-fields.ts';
import { rbacGroup } from '../../resources/role-binding.ts';
import type { CreateOptions } from '../endpoints/create-options.ts';
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import { rfc3339 } from '../wire/write-review.ts';
import type { ApiContext } from './api-context.ts';
import { storeApiError } from './object-errors.ts';
import { requireAcceptable } from './object-response.ts';
import { readWrittenBody } from './read-body.ts';
import { StatusError, throwStatus } from './status-error.ts';
import type { ObjectTarget } from './target.ts';

/** A write request: what to write, where, with which options. */
export interface Write {
  readonly exchange: Exchange;
  readonly target: ObjectTarget;
  readonly context: ApiContext;
  readonly options: CreateOptions;
}

/** Reads the object of a request whose response format is acceptable. */
export const bodyOf = async (
  exchange: Exchange,
  target: ObjectTarget,
  kind: 'CreateOptions' | 'UpdateOptions',
) => {
  requireAcceptable(exchange);
  return readWrittenBody(exchange, target, kind);
};

/** Removes the fields that only the server sets. */
export const withoutSystemFields = (object: JsonObject): JsonObject => {
  const metadata = new Map(objectAt(object, 'metadata'));
  for (const name of [
    'creationTimestamp',
    'uid',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
  ]) {
    metadata.delete(name);
  }
  return withMember(object, ['metadata'], metadata);
};

/** Fills in the namespace of the path; a different one in the object is an error. */
export const inNamespace = (object: JsonObject, target: ObjectTarget): JsonObject => {
  const stated = stringAt(object, 'metadata', 'namespace');
  if (!target.rules.row.namespaced) {
    return stated === '' ? object : withMember(object, ['metadata', 'namespace'], undefined);
  }
  if (stated === '' || stated === target.namespace) {
    return withMember(object, ['metadata', 'namespace'], target.namespace);
  }
  return throwStatus(
    badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
  );
};

/** Rejects an object whose name differs from the path. */
export const checkName = (object: JsonObject, { name }: ObjectTarget): void => {
  const stated = stringAt(object, 'metadata', 'name');
  if (stated === name) return;
  const message =
    stated === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${stated}) does not match the name on the URL (${name})`;
  throwStatus(badRequest(message));
};

/** Returns the key in the store. */
export const keyOf = (object: JsonObject, { rules, namespace }: ObjectTarget) => ({
  resource: rules.row.resource,
  namespace: rules.row.namespaced ? namespace : '',
  name: stringAt(object, 'metadata', 'name'),
});

/** Returns the object with its type, in the domain of the store. */
export const storable = (object: JsonObject, { rules }: ObjectTarget): JsonObject =>
  normalForm(
    new Map<string, Json>([
      ...object,
      ['kind', rules.row.kind],
      ['apiVersion', rules.row.group === 'rbac' ? `${rbacGroup}/v1` : 'v1'],
    ]),
    rules.shape,
  );

/** Updates `managedFields`. */
export const recordFieldManager = (
  object: JsonObject,
  live: JsonObject | undefined,
  { exchange, target, context, options }: Write,
): JsonObject =>
  withManagedFields(
    object,
    live,
    {
      manager: fieldManager(options.fieldManager, exchange.headers),
      apiVersion: target.rules.row.group === 'rbac' ? `${rbacGroup}/v1` : 'v1',
      time: rfc3339(context.clock.now()),
    },
    target.rules,
  );

const grantingResources: readonly GrantingResource[] = [
  'clusterroles',
  'clusterrolebindings',
  'roles',
  'rolebindings',
];

/** Prevents escalation: roles and bindings grant only permissions of their writer. */
export const checkGrant = async (
  object: JsonObject,
  old: JsonObject | undefined,
  { target, context }: Write,
): Promise<void> => {
  const resource = grantingResources.find((name) => name === target.rules.row.resource);
  if (resource === undefined) return;
  const problem = await context.grantProblem({
    user: context.user,
    resource,
    group: target.group,
    namespace: target.namespace,
    name: target.name,
    object,
    ...(old === undefined ? {} : { before: old }),
  });
  if (problem !== undefined) throwStatus(problem);
};

/** Throws a 422 if there are problems. */
export const checkProblems = (
  problems: readonly FieldError[],
  object: JsonObject,
  { target }: Write,
): void => {
  if (problems.length === 0) return;
  const name = stringAt(object, 'metadata', 'name');
  const { kind, group } = target.rules.row;
  const quotedName = goQuote(name);
  throwStatus(
    invalid({ kind, group: group === 'rbac' ? rbacGroup : '', name, quotedName }, problems),
  );
};

/** Converts an error of the store to a thrown error. */
export const storeStatusError = (
  error: unknown,
  target: ObjectTarget,
  object: JsonObject,
): unknown =>
  error instanceof StoreError
    ? new StatusError(storeApiError(error, target, stringAt(object, 'metadata', 'name')))
    : error;
