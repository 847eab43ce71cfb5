/** DELETE requests for objects and collections. */
import type { Json, JsonObject } from '../../model/json.ts';
import { type Deletion, type StoredObject, StoreError } from '../../ports/store.ts';
import { immortalNamespaces, withPhase } from '../../resources/namespace.ts';
import { listAt, stringAt, withMember } from '../../resources/object-fields.ts';
import { objectResponse } from '../http/handler-response.ts';
import { rfc3339 } from '../wire/write-review.ts';
import type { ApiContext } from './api-context.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { listOptions } from './list-options.ts';
import {
  conflict,
  deletionConflict,
  forbiddenObject,
  notFound,
  storeApiError,
} from './object-errors.ts';
import { listResponse, requireAcceptable, storedObjectResponse } from './object-response.ts';
import { listPage } from './read.ts';
import { checkKey, StatusError, throwStatus, withStatusErrors } from './status-error.ts';
import type { ObjectTarget } from './target.ts';

/** Handles DELETE of an object. */
export const deleteObject = withStatusErrors(async (exchange, target, context) => {
  requireAcceptable(exchange);
  const options = await deleteOptions(exchange);
  checkKey(target);
  const { rules, namespace, name } = target;
  const stored = await context.store.get({ resource: rules.row.resource, namespace, name });
  if (stored === undefined) return throwStatus(notFound(target, name));
  const { kind, object } = await remove(stored, { target, context, options });
  if (kind === 'gone') return objectResponse(exchange, 200, successStatus(object, target));
  const status = kind === 'accepted' ? 202 : 200;
  return storedObjectResponse(exchange, target, { status, object, now: context.clock.now() });
});

/** Handles DELETE of a collection; the response lists the deleted objects. */
export const deleteObjects = withStatusErrors(async (exchange, target, context) => {
  requireAcceptable(exchange);
  const selection = listOptions(exchange.target, target.rules);
  const options = await deleteOptions(exchange);
  const page = await listPage(target, selection, context);
  const objects: JsonObject[] = [];
  for (const stored of page.objects) {
    const one = { ...target, namespace: stored.key.namespace, name: stored.key.name };
    await remove(stored, { target: one, context, options });
    objects.push(stored.object);
  }
  return listResponse(exchange, target, { objects, meta: page.meta, now: context.clock.now() });
});

interface Removal {
  readonly target: ObjectTarget;
  readonly context: ApiContext;
  readonly options: DeleteOptions;
}

const remove = async (stored: StoredObject, removal: Removal): Promise<Deletion> => {
  const { target, context, options } = removal;
  try {
    if (context.store.requestDeletion !== undefined)
      return await context.store.requestDeletion(stored, options.fields);
    if (target.rules.row.resource === 'namespaces') return await removeNamespace(stored, removal);
    checkPreconditions(stored, removal);
    if (listAt(stored.object, 'metadata', 'finalizers').length > 0)
      return await markForDeletion(stored, removal);
    const kind = target.rules.returnDeletedObject ? 'done' : 'gone';
    if (options.isDryRun) return { kind, object: stored.object };
    const preconditions = { uid: stringAt(stored.object, 'metadata', 'uid') };
    return { kind, object: (await context.store.delete(stored.key, preconditions)).object };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StatusError(storeApiError(error, target, stored.key.name));
  }
};

/** Sets the deletion timestamp. The object is deleted with its last finalizer. */
const markForDeletion = async (
  stored: StoredObject,
  { context, options }: Removal,
): Promise<Deletion> => {
  const kind = options.isCascading ? 'accepted' : 'done';
  const marked = withDeletionTime(stored.object, context, 0);
  if (options.isDryRun) return { kind, object: marked };
  const preconditions = { revision: stored.revision };
  return { kind, object: (await context.store.update(stored.key, marked, preconditions)).object };
};

const checkPreconditions = (stored: StoredObject, { target, options }: Removal): void => {
  const uid = stringAt(stored.object, 'metadata', 'uid');
  const { name } = stored.key;
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throwStatus(deletionConflict(target, name, why));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== stored.revision) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${stored.revision}). The object might have been modified`;
    throwStatus(deletionConflict(target, name, why));
  }
};

const withDeletionTime = (
  object: JsonObject,
  { clock }: ApiContext,
  graceSeconds: number | undefined,
): JsonObject => {
  if (stringAt(object, 'metadata', 'deletionTimestamp') !== '') return object;
  const time = rfc3339(clock.now());
  const marked = withMember(object, ['metadata', 'deletionTimestamp'], time);
  return graceSeconds === undefined
    ? marked
    : withMember(marked, ['metadata', 'deletionGracePeriodSeconds'], graceSeconds);
};

/** Marks a namespace as terminating. A controller deletes its content and then the namespace. */
const removeNamespace = async (
  stored: StoredObject,
  { target, context, options }: Removal,
): Promise<Deletion> => {
  const { name } = stored.key;
  const uid = stringAt(stored.object, 'metadata', 'uid');
  const errorPrefix = 'Precondition failed:';
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `${errorPrefix} UID in precondition: ${options.uid}, UID in object meta: ${uid}`;
    throwStatus(conflict(target, name, why));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== stored.revision) {
    const why = `${errorPrefix} ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${stored.revision}`;
    throwStatus(conflict(target, name, why));
  }
  if (immortalNamespaces.has(name)) {
    throwStatus(forbiddenObject(target, name, 'this namespace may not be deleted'));
  }
  const isMarked = stringAt(stored.object, 'metadata', 'deletionTimestamp') !== '';
  const leaving = withPhase(withDeletionTime(stored.object, context, undefined), 'Terminating');
  const kind = options.isCascading ? 'accepted' : 'done';
  if (options.isDryRun) return { kind, object: leaving };
  const marked = isMarked
    ? stored
    : await context.store.update(stored.key, leaving, { uid, revision: stored.revision });
  return { kind, object: marked.object };
};

/** Returns the Status for a deleted object. */
const successStatus = (object: JsonObject, { group, rules }: ObjectTarget): JsonObject =>
  new Map<string, Json>([
    ['kind', 'Status'],
    ['apiVersion', 'v1'],
    ['metadata', new Map()],
    ['status', 'Success'],
    [
      'details',
      new Map<string, Json>([
        ['name', stringAt(object, 'metadata', 'name')],
        ...(group === '' ? [] : [['group', group] as const]),
        ['kind', rules.row.resource],
        ['uid', stringAt(object, 'metadata', 'uid')],
      ]),
    ],
  ]);
