/** What making and replacing objects have in common: the body, its place, its checks. */
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
import type { Exchange } from '../http/exchange.ts';
import { fieldManager } from '../http/field-manager.ts';
import { rfc3339 } from '../wire/write-review.ts';
import type { ApiContext } from './api-context.ts';
import { requireAcceptable } from './object-answer.ts';
import { readWrittenBody, type WriteOptions } from './read-body.ts';
import { StatusError, throwStatus } from './status-error.ts';
import { storeApiError } from './object-errors.ts';
import type { ObjectTarget } from './target.ts';

/** One write on its way: what was asked, where, with what. */
export interface Write {
  readonly exchange: Exchange;
  readonly target: ObjectTarget;
  readonly context: ApiContext;
  readonly options: WriteOptions;
}

/** The object that was sent, where the client can be answered at all. */
export const bodyOf = async (
  exchange: Exchange,
  target: ObjectTarget,
  kind: 'CreateOptions' | 'UpdateOptions',
) => {
  requireAcceptable(exchange);
  const body = await readWrittenBody(exchange, target, kind);
  return body.kind === 'error' ? throwStatus(body.error) : body;
};

/** What only a server may say. */
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

/** The namespace of the path is filled in; another one in the object is an error. */
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

/** The object that is sent must be the one that the path names. */
export const checkName = (object: JsonObject, { name }: ObjectTarget): void => {
  const stated = stringAt(object, 'metadata', 'name');
  if (stated === name) return;
  const message =
    stated === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${stated}) does not match the name on the URL (${name})`;
  throwStatus(badRequest(message));
};

/** Where the store keeps it. */
export const keyOf = (object: JsonObject, { rules, namespace }: ObjectTarget) => ({
  resource: rules.row.resource,
  namespace: rules.row.namespaced ? namespace : '',
  name: stringAt(object, 'metadata', 'name'),
});

/** With its type, in the real server's own domain. */
export const storable = (object: JsonObject, { rules }: ObjectTarget): JsonObject =>
  normalForm(
    new Map<string, Json>([
      ...object,
      ['kind', rules.row.kind],
      ['apiVersion', rules.row.group === 'rbac' ? `${rbacGroup}/v1` : 'v1'],
    ]),
    rules.shape,
  );

/** With the note of who wrote what. */
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

/** Roles and bindings grant only what their writer holds. */
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

/** 422, where there is a problem. */
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

/** What a store refused, as a refusal. */
export const storeStatusError = (
  error: unknown,
  target: ObjectTarget,
  object: JsonObject,
): unknown =>
  error instanceof StoreError
    ? new StatusError(storeApiError(error, target, stringAt(object, 'metadata', 'name')))
    : error;
