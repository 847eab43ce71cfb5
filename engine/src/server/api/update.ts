/** Updates objects; the checks have kube-apiserver's order. */
import { pathSegmentProblems } from '../../formats/api-names.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { JsonObject } from '../../model/json.ts';
import { type StoredObject, StoreError } from '../../ports/store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/delete-during-update.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../resources/metadata.ts';
import { withNameLabel } from '../../resources/namespace.ts';
import { objectAt, stringAt, withMember } from '../../resources/object-fields.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import { forbiddenResponse } from '../http/handler-response.ts';
import { admissionProblem } from './admission.ts';
import { create } from './create.ts';
import { conflict, notFound, optimisticLockMessage } from './object-errors.ts';
import { storedObjectResponse } from './object-response.ts';
import { checkKey, StatusError, throwStatus, withStatusErrors } from './status-error.ts';
import {
  bodyOf,
  checkGrant,
  checkName,
  checkProblems,
  inNamespace,
  recordFieldManager,
  storable,
  storeStatusError,
  type Write,
  withoutSystemFields,
} from './write.ts';

/** Handles PUT to an object. */
export const replaceObject = withStatusErrors(async (exchange, target, context) => {
  const { object, options } = await bodyOf(exchange, target, 'UpdateOptions');
  const placed = inNamespace(object, target);
  checkName(placed, target);
  const write = { exchange, target, context, options };
  const { status, object: stored } = await update((existing) => {
    checkUid(placed, existing?.object, write);
    return placed;
  }, write);
  return storedObjectResponse(exchange, target, {
    status,
    object: stored,
    now: context.clock.now(),
  });
});

/** Updates an object; `change` is called again after a conflicting write. */
export const update = async (
  change: (existing: StoredObject | undefined) => JsonObject,
  write: Write,
): Promise<{ readonly status: number; readonly object: JsonObject }> => {
  const { target, context } = write;
  checkKey(target);
  const key = {
    resource: target.rules.row.resource,
    namespace: target.namespace,
    name: target.name,
  };
  for (let tries = 1; ; tries += 1) {
    const existing = await context.store.get(key);
    const object = change(existing);
    if (existing === undefined) return createByUpdate(object, write);
    const stated = stringAt(object, 'metadata', 'resourceVersion');
    try {
      return { status: 200, object: await updateInStore(object, existing, write) };
    } catch (error) {
      const isConflict = error instanceof StoreError && error.problem === 'conflict';
      if (!isConflict) throw storeStatusError(error, target, object);
      const isConditional = stated !== '' && stated !== existing.revision;
      if (isConditional || tries >= maxUpdateTries) {
        throwStatus(conflict(target, target.name, optimisticLockMessage));
      }
    }
  }
};

const maxUpdateTries = 5;

/** Creates a role or a binding by PUT, if the caller may create it. */
const createByUpdate = async (object: JsonObject, write: Write) => {
  const { target, context, exchange } = write;
  if (!target.rules.allowCreateOnUpdate) throwStatus(notFound(target, target.name));
  statedRevision(object);
  const { info } = exchange;
  if (info.kind === 'resource') {
    const resource = { ...info.attributes, verb: 'create' };
    const request = { user: context.user, resource };
    const { allowed, reason } = await context.authorizer.authorize(request);
    if (!allowed) {
      const denied = forbidden(request, reason);
      throw new StatusError(denied, forbiddenResponse(exchange, denied));
    }
  }
  const created = withMember(
    withoutSystemFields(object),
    ['metadata', 'resourceVersion'],
    undefined,
  );
  return { status: 201, object: await create(created, write) };
};

const updateInStore = async (
  object: JsonObject,
  existing: StoredObject,
  write: Write,
): Promise<JsonObject> => {
  const { target, context, options, exchange } = write;
  const { rules } = target;
  const old = existing.object;
  const managed = recordFieldManager(object, old, write);
  const admission = await admissionProblem(managed, target, context, old);
  if (admission !== undefined) throwStatus(admission);
  await checkGrant(managed, old, write);
  const stated = statedRevision(managed);
  if (stated !== '' && stated !== '0' && stated !== existing.revision) {
    throwStatus(conflict(target, target.name, optimisticLockMessage));
  }
  const prepared = rules.prepareForUpdate(withSystemFields(managed, existing), old);
  const { namespaced } = rules.row;
  checkProblems(
    [
      ...validateObjectMeta(prepared, { namespaced, nameRule: pathSegmentProblems }),
      ...validateObjectMetaUpdate(prepared, old),
      ...rules.validateUpdate(prepared, old),
    ],
    prepared,
    write,
  );
  exchange.warnings.push(...rules.warnings(prepared, old));
  const stored = storable(
    rules.row.resource === 'namespaces' ? withNameLabel(prepared) : prepared,
    target,
  );
  if (options.isDryRun) return stored;
  const preconditions = { revision: existing.revision };
  if (context.store.requestDeletion === undefined && shouldDeleteDuringUpdate(stored)) {
    const { revision } = await context.store.delete(existing.key, preconditions);
    return withMember(stored, ['metadata', 'resourceVersion'], revision);
  }
  return (await context.store.update(existing.key, stored, preconditions)).object;
};

/** Returns the revision of the object, which is a number for every client. */
const statedRevision = (object: JsonObject): string => {
  const stated = stringAt(object, 'metadata', 'resourceVersion');
  if (/^\d*$/.test(stated)) return stated;
  const message = `strconv.ParseUint: parsing ${goQuote(stated)}: invalid syntax`;
  return throwStatus({ code: 500, reason: '', message });
};

const registryNames: ReadonlyMap<string, string> = new Map([['nodes', 'minions']]);

/**
 * Checks the UID in the object, which is a precondition of kube-apiserver's store. A missing object
 * has no UID, and the key in the message has no prefix in a dry run.
 */
const checkUid = (
  object: JsonObject,
  old: JsonObject | undefined,
  { target, options }: Write,
): void => {
  if (old === undefined && !target.rules.allowCreateOnUpdate) return;
  const stated = stringAt(object, 'metadata', 'uid');
  const uid = old === undefined ? '' : stringAt(old, 'metadata', 'uid');
  if (stated === '' || stated === uid) return;
  const { resource, namespaced } = target.rules.row;
  const place = namespaced ? `${target.namespace}/${target.name}` : target.name;
  const root = options.isDryRun ? '' : '/registry';
  const key = `${root}/${registryNames.get(resource) ?? resource}/${place}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${stated}, UID in object meta: ${uid}`;
  throwStatus(conflict(target, target.name, why));
};

/** Copies the fields that an update cannot change from the existing object. */
const withSystemFields = (
  object: JsonObject,
  { object: old, revision }: StoredObject,
): JsonObject => {
  const oldMetadata = objectAt(old, 'metadata');
  const metadata = new Map(objectAt(object, 'metadata'));
  metadata.set('resourceVersion', revision);
  metadata.delete('selfLink');
  for (const name of ['generation', 'uid', 'creationTimestamp', 'deletionTimestamp']) {
    const value = oldMetadata.get(name);
    const isStated = name === 'uid' && stringAt(object, 'metadata', 'uid') !== '';
    if (value !== undefined && !isStated) metadata.set(name, value);
    else if (name === 'generation') metadata.delete(name);
  }
  const grace = oldMetadata.get('deletionGracePeriodSeconds');
  if (grace !== undefined && !metadata.has('deletionGracePeriodSeconds')) {
    metadata.set('deletionGracePeriodSeconds', grace);
  }
  return withMember(object, ['metadata'], metadata);
};
