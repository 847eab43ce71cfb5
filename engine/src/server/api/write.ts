/** Making and replacing objects: the order of checks is the real server's. */
import { goQuote } from '../../formats/go-quote.ts';
import { badRequest, invalid } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type StoredObject, StoreError } from '../../ports/store.ts';
import type { GrantingResource } from '../../rbac/escalation.ts';
import type { FieldProblem } from '../../resources/field-problem.ts';
import { withManagedFields } from '../../resources/managed-fields.ts';
import { metadataProblems, metadataUpdateProblems } from '../../resources/metadata.ts';
import { pathSegmentProblems } from '../../resources/names.ts';
import { withNameLabel } from '../../resources/namespace.ts';
import { normalForm } from '../../resources/normal-form.ts';
import { listAt, objectAt, textAt, withMember } from '../../resources/object-fields.ts';
import { rbacGroup } from '../../resources/role-binding.ts';
import { forbidden } from '../forbidden.ts';
import { type Answer, forbiddenAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { rfc3339 } from '../wire/write-review.ts';
import { admissionProblem } from './admission.ts';
import type { ApiContext } from './api-context.ts';
import { acceptProblem, storedAnswer } from './object-answer.ts';
import { readWrittenBody, type WriteOptions } from './read-body.ts';
import { Refusal, refuse, refusing } from './refusal.ts';
import { conflict, modifiedMeanwhile, notFound, storeRefusal } from './refusals.ts';
import type { ObjectTarget } from './target.ts';

/** POST to a collection. */
export const createObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    const { object, options } = await bodyOf(exchange, target, 'CreateOptions');
    const placed = inNamespace(withoutSystemFields(object), target);
    const made = await create(placed, { exchange, target, context, options });
    return storedAnswer(exchange, target, { status: 201, object: made, now: context.clock.now() });
  });

/** PUT to an object. */
export const replaceObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    const { object, options } = await bodyOf(exchange, target, 'UpdateOptions');
    const placed = inNamespace(object, target);
    checkName(placed, target);
    const write = { exchange, target, context, options };
    const { status, object: kept } = await update((existing) => {
      if (existing !== undefined) checkUid(placed, existing.object, target);
      return placed;
    }, write);
    return storedAnswer(exchange, target, { status, object: kept, now: context.clock.now() });
  });

export interface Write {
  readonly exchange: Exchange;
  readonly target: ObjectTarget;
  readonly context: ApiContext;
  readonly options: WriteOptions;
}

const bodyOf = async (
  exchange: Exchange,
  target: ObjectTarget,
  kind: 'CreateOptions' | 'UpdateOptions',
) => {
  const problem = acceptProblem(exchange);
  if (problem !== undefined) refuse(problem);
  const body = await readWrittenBody(exchange, target, kind);
  return body.kind === 'error' ? refuse(body.error) : body;
};

/** What only a server may say. */
const withoutSystemFields = (object: JsonObject): JsonObject => {
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
  const stated = textAt(object, 'metadata', 'namespace');
  if (!target.rules.row.namespaced) {
    return stated === '' ? object : withMember(object, ['metadata', 'namespace'], undefined);
  }
  if (stated === '' || stated === target.namespace) {
    return withMember(object, ['metadata', 'namespace'], target.namespace);
  }
  return refuse(
    badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
  );
};

/** The object that is sent must be the one that the path names. */
export const checkName = (object: JsonObject, { name }: ObjectTarget): void => {
  const stated = textAt(object, 'metadata', 'name');
  if (stated === name) return;
  const message =
    stated === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${stated}) does not match the name on the URL (${name})`;
  refuse(badRequest(message));
};

/** Letters that make no words, and no two that look alike. */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const generatedBaseLength = 63 - suffixLength;
/** Names that are tried before the client is told that none is free. */
const maxNameTries = 8;

const create = async (object: JsonObject, write: Write): Promise<JsonObject> => {
  const { context, target } = write;
  const noted = noteManager(object, undefined, write);
  const generateName = textAt(noted, 'metadata', 'generateName');
  const isGenerated = textAt(noted, 'metadata', 'name') === '' && generateName !== '';
  const admission = await admissionProblem(noted, target, context);
  if (admission !== undefined) refuse(admission);
  for (let tries = 1; ; tries += 1) {
    const name = isGenerated ? generatedName(generateName, context) : undefined;
    const named = name === undefined ? noted : withMember(noted, ['metadata', 'name'], name);
    const ready = await prepareCreate(named, write);
    try {
      return await createInStore(ready, write);
    } catch (error) {
      const isTaken = error instanceof StoreError && error.problem === 'exists';
      if (!isTaken || !isGenerated || tries >= maxNameTries)
        throw storeProblem(error, target, ready);
    }
  }
};

const generatedName = (base: string, { randomness }: ApiContext): string => {
  const letters = Array.from({ length: suffixLength }, () =>
    suffixLetters.charAt(Math.floor(randomness.fraction() * suffixLetters.length)),
  );
  return `${base.slice(0, generatedBaseLength)}${letters.join('')}`;
};

const prepareCreate = async (object: JsonObject, write: Write): Promise<JsonObject> => {
  const { target, context, exchange } = write;
  const { rules } = target;
  const stamped = withMember(
    withMember(object, ['metadata', 'uid'], context.randomness.uuid()),
    ['metadata', 'creationTimestamp'],
    rfc3339(context.clock.now()),
  );
  await checkGrant(stamped, undefined, write);
  const prepared = rules.preparedForCreate(stamped);
  checkProblems([...rules.problems(prepared), ...rules.createProblems(prepared)], prepared, write);
  const { namespaced } = rules.row;
  checkProblems(
    metadataProblems(prepared, { namespaced, nameRule: pathSegmentProblems }),
    prepared,
    write,
  );
  if (textAt(prepared, 'metadata', 'resourceVersion') !== '') {
    const message = 'resourceVersion should not be set on objects to be created';
    refuse({ code: 500, reason: '', message });
  }
  exchange.warnings.push(...rules.warnings(prepared, undefined));
  return rules.row.resource === 'namespaces' ? withNameLabel(prepared) : prepared;
};

const keyOf = (object: JsonObject, { rules, namespace }: ObjectTarget) => ({
  resource: rules.row.resource,
  namespace: rules.row.namespaced ? namespace : '',
  name: textAt(object, 'metadata', 'name'),
});

const createInStore = async (object: JsonObject, { target, context, options }: Write) => {
  const key = keyOf(object, target);
  const kept = storable(object, target);
  if (!options.isDryRun) return (await context.store.create(key, kept)).object;
  if ((await context.store.get(key)) !== undefined) throw new StoreError('exists', 'dry run');
  return kept;
};

/** With its type, in the real server's own domain. */
const storable = (object: JsonObject, { rules }: ObjectTarget): JsonObject =>
  normalForm(
    new Map<string, Json>([
      ...object,
      ['kind', rules.row.kind],
      ['apiVersion', rules.row.group === 'rbac' ? `${rbacGroup}/v1` : 'v1'],
    ]),
    rules.shape,
  );

/** `change` is called again when somebody else was quicker. */
export const update = async (
  change: (existing: StoredObject | undefined) => JsonObject,
  write: Write,
): Promise<{ readonly status: number; readonly object: JsonObject }> => {
  const { target, context } = write;
  const key = {
    resource: target.rules.row.resource,
    namespace: target.namespace,
    name: target.name,
  };
  for (let tries = 1; ; tries += 1) {
    const existing = await context.store.get(key);
    const object = change(existing);
    if (existing === undefined) return createByUpdate(object, write);
    const stated = textAt(object, 'metadata', 'resourceVersion');
    try {
      return { status: 200, object: await updateInStore(object, existing, write) };
    } catch (error) {
      const wasLate = error instanceof StoreError && error.problem === 'conflict';
      if (!wasLate) throw storeProblem(error, target, object);
      const isConditional = stated !== '' && stated !== existing.revision;
      if (isConditional || tries >= maxUpdateTries) {
        refuse(conflict(target, target.name, modifiedMeanwhile));
      }
    }
  }
};

const maxUpdateTries = 5;

/** Roles and bindings may be made by PUT, by who may create them. */
const createByUpdate = async (object: JsonObject, write: Write) => {
  const { target, context, exchange } = write;
  if (!target.rules.createOnUpdate) refuse(notFound(target, target.name));
  const { info } = exchange;
  if (info.kind === 'resource') {
    const resource = { ...info.attributes, verb: 'create' };
    const asked = { user: context.user, resource };
    const { allowed, reason } = await context.authorizer.authorize(asked);
    if (!allowed) {
      const denied = forbidden(asked, reason);
      throw new Refusal(denied, forbiddenAnswer(exchange, denied));
    }
  }
  return { status: 201, object: await create(withoutSystemFields(object), write) };
};

const updateInStore = async (
  object: JsonObject,
  existing: StoredObject,
  write: Write,
): Promise<JsonObject> => {
  const { target, context, options, exchange } = write;
  const { rules } = target;
  const old = existing.object;
  const noted = noteManager(object, old, write);
  const admission = await admissionProblem(noted, target, context, old);
  if (admission !== undefined) refuse(admission);
  await checkGrant(noted, old, write);
  const stated = textAt(noted, 'metadata', 'resourceVersion');
  if (!/^\d*$/.test(stated)) {
    const message = `strconv.ParseUint: parsing ${goQuote(stated)}: invalid syntax`;
    refuse({ code: 500, reason: '', message });
  }
  if (stated !== '' && stated !== '0' && stated !== existing.revision) {
    refuse(conflict(target, target.name, modifiedMeanwhile));
  }
  const prepared = rules.preparedForUpdate(withSystemFields(noted, existing), old);
  const { namespaced } = rules.row;
  checkProblems(
    [
      ...metadataProblems(prepared, { namespaced, nameRule: pathSegmentProblems }),
      ...metadataUpdateProblems(prepared, old),
      ...rules.updateProblems(prepared, old),
    ],
    prepared,
    write,
  );
  exchange.warnings.push(...rules.warnings(prepared, old));
  const kept = storable(
    rules.row.resource === 'namespaces' ? withNameLabel(prepared) : prepared,
    target,
  );
  if (options.isDryRun) return kept;
  const only = { revision: existing.revision };
  if (isFinished(kept)) {
    const { revision } = await context.store.delete(existing.key, only);
    return withMember(kept, ['metadata', 'resourceVersion'], revision);
  }
  return (await context.store.update(existing.key, kept, only)).object;
};

/** An object that only waited for its finalizers goes with the last of them. */
const isFinished = (object: JsonObject): boolean =>
  textAt(object, 'metadata', 'deletionTimestamp') !== '' &&
  listAt(object, 'metadata', 'finalizers').length === 0 &&
  listAt(object, 'spec', 'finalizers').length === 0;

const registryNames: ReadonlyMap<string, string> = new Map([['nodes', 'minions']]);

/** A UID in the object is a condition, worded by the real server's store. */
const checkUid = (object: JsonObject, old: JsonObject, target: ObjectTarget): void => {
  const stated = textAt(object, 'metadata', 'uid');
  const uid = textAt(old, 'metadata', 'uid');
  if (stated === '' || stated === uid) return;
  const { resource, namespaced } = target.rules.row;
  const place = namespaced ? `${target.namespace}/${target.name}` : target.name;
  const key = `/registry/${registryNames.get(resource) ?? resource}/${place}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${stated}, UID in object meta: ${uid}`;
  refuse(conflict(target, target.name, why));
};

/** What an update can't change is taken from what is there. */
const withSystemFields = (
  object: JsonObject,
  { object: old, revision }: StoredObject,
): JsonObject => {
  const before = objectAt(old, 'metadata');
  const metadata = new Map(objectAt(object, 'metadata'));
  metadata.set('resourceVersion', revision);
  metadata.delete('selfLink');
  for (const name of ['generation', 'uid', 'creationTimestamp', 'deletionTimestamp']) {
    const value = before.get(name);
    const isStated = name === 'uid' && textAt(object, 'metadata', 'uid') !== '';
    if (value !== undefined && !isStated) metadata.set(name, value);
    else if (name === 'generation') metadata.delete(name);
  }
  const grace = before.get('deletionGracePeriodSeconds');
  if (grace !== undefined && !metadata.has('deletionGracePeriodSeconds')) {
    metadata.set('deletionGracePeriodSeconds', grace);
  }
  return withMember(object, ['metadata'], metadata);
};

const noteManager = (
  object: JsonObject,
  live: JsonObject | undefined,
  { exchange, target, context, options }: Write,
): JsonObject =>
  withManagedFields(
    object,
    live,
    {
      manager: options.fieldManager || userAgentName(exchange) || 'unknown',
      apiVersion: target.rules.row.group === 'rbac' ? `${rbacGroup}/v1` : 'v1',
      time: rfc3339(context.clock.now()),
    },
    target.rules,
  );

const maxManagerBytes = 128;

/** `kubectl/v1.36.3 (linux)` -> `kubectl` */
const userAgentName = (exchange: Exchange): string => {
  const agent = firstHeader(exchange.headers, 'user-agent') ?? '';
  const printable = (agent.split('/', 1)[0] ?? '').replace(/[^\x20-\x7e]/g, '');
  return printable.slice(0, maxManagerBytes);
};

const grantingResources: readonly GrantingResource[] = [
  'clusterroles',
  'clusterrolebindings',
  'roles',
  'rolebindings',
];

const checkGrant = async (
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
  if (problem !== undefined) refuse(problem);
};

const checkProblems = (
  problems: readonly FieldProblem[],
  object: JsonObject,
  { target }: Write,
): void => {
  if (problems.length === 0) return;
  const name = textAt(object, 'metadata', 'name');
  const { kind, group } = target.rules.row;
  const quotedName = goQuote(name);
  refuse(invalid({ kind, group: group === 'rbac' ? rbacGroup : '', name, quotedName }, problems));
};

const storeProblem = (error: unknown, target: ObjectTarget, object: JsonObject): unknown =>
  error instanceof StoreError
    ? new Refusal(storeRefusal(error, target, textAt(object, 'metadata', 'name')))
    : error;
