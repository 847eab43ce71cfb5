/** DELETE of an object and of a collection. */
import { goQuote } from '../../formats/go-quote.ts';
import { parseJsonTree } from '../../formats/json-tree.ts';
import { badRequest, invalid, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type StoredObject, StoreError } from '../../ports/store.ts';
import { type FieldProblem, invalidValue, notSupported } from '../../resources/field-problem.ts';
import { immortalNamespaces, withPhase } from '../../resources/namespace.ts';
import {
  isObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
  withMember,
} from '../../resources/object-fields.ts';
import { type Answer, objectAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryValue } from '../http/target.ts';
import { bodyLimits } from '../limits.ts';
import { decodeObject } from '../wire/decode-object.ts';
import { inputFormat, mediaTypeNames } from '../wire/media-type.ts';
import { deleteOptionsSchema } from '../wire/protobuf-schema.ts';
import { readEnvelope, readProtobufObject } from '../wire/read-protobuf.ts';
import { readYamlBody } from '../wire/read-yaml.ts';
import { deleteOptionsShape } from '../wire/shape.ts';
import { rfc3339 } from '../wire/write-review.ts';
import type { ApiContext } from './api-context.ts';
import { listOptions } from './list-options.ts';
import { demandForm, listAnswer, storedAnswer } from './object-answer.ts';
import { listPage } from './read.ts';
import { jsonOfValue, readBytes, valueOfJson } from './read-body.ts';
import { checkKey, Refusal, refuse, refusing } from './refusal.ts';
import { conflict, deletionConflict, forbiddenObject, notFound, storeRefusal } from './refusals.ts';
import type { ObjectTarget } from './target.ts';

interface DeleteOptions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDryRun: boolean;
  /** `orphanDependents: false`, which alone makes a deletion that is not done yet answer 202. */
  readonly isCascading: boolean;
}

/** DELETE of an object. */
export const deleteObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    demandForm(exchange);
    const options = await deleteOptions(exchange);
    checkKey(target);
    const { rules, namespace, name } = target;
    const stored = await context.store.get({ resource: rules.row.resource, namespace, name });
    if (stored === undefined) return refuse(notFound(target, name));
    const removed = await remove(stored, { target, context, options });
    const now = context.clock.now();
    if (!removed.isGone || rules.returnsDeleted) {
      const status = !removed.isGone && options.isCascading ? 202 : 200;
      return storedAnswer(exchange, target, { status, object: removed.object, now });
    }
    return objectAnswer(exchange, 200, successOf(removed.object, target));
  });

/** DELETE of a collection: the answer lists what was deleted. */
export const deleteObjects = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    demandForm(exchange);
    const read = listOptions(exchange.target, target.rules);
    if (read.kind === 'error') return refuse(read.error);
    const options = await deleteOptions(exchange);
    const page = await listPage(target, read.options, context);
    const objects: JsonObject[] = [];
    for (const stored of page.objects) {
      const one = { ...target, namespace: stored.key.namespace, name: stored.key.name };
      await remove(stored, { target: one, context, options });
      objects.push(stored.object);
    }
    return listAnswer(exchange, target, { objects, meta: page.meta, now: context.clock.now() });
  });

interface Removal {
  readonly target: ObjectTarget;
  readonly context: ApiContext;
  readonly options: DeleteOptions;
}

const remove = async (
  stored: StoredObject,
  removal: Removal,
): Promise<{ readonly object: JsonObject; readonly isGone: boolean }> => {
  const { target, context, options } = removal;
  try {
    if (target.rules.row.resource === 'namespaces') return await removeNamespace(stored, removal);
    checkPreconditions(stored, removal);
    const only = { uid: textAt(stored.object, 'metadata', 'uid') };
    if (listAt(stored.object, 'metadata', 'finalizers').length > 0) {
      const leaving = withDeletionTime(stored.object, context, 0);
      if (options.isDryRun) return { object: leaving, isGone: false };
      const kept = await context.store.update(stored.key, leaving, { revision: stored.revision });
      return { object: kept.object, isGone: false };
    }
    if (options.isDryRun) return { object: stored.object, isGone: true };
    return { object: (await context.store.delete(stored.key, only)).object, isGone: true };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Refusal(storeRefusal(error, target, stored.key.name));
  }
};

const checkPreconditions = (stored: StoredObject, { target, options }: Removal): void => {
  const uid = textAt(stored.object, 'metadata', 'uid');
  const { name } = stored.key;
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    refuse(deletionConflict(target, name, why));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== stored.revision) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${stored.revision}). The object might have been modified`;
    refuse(deletionConflict(target, name, why));
  }
};

const withDeletionTime = (
  object: JsonObject,
  { clock }: ApiContext,
  graceSeconds: number | undefined,
): JsonObject => {
  if (textAt(object, 'metadata', 'deletionTimestamp') !== '') return object;
  const time = rfc3339(clock.now());
  const leaving = withMember(object, ['metadata', 'deletionTimestamp'], time);
  return graceSeconds === undefined
    ? leaving
    : withMember(leaving, ['metadata', 'deletionGracePeriodSeconds'], graceSeconds);
};

/** A namespace is only marked here; a controller empties it, and then it goes itself. */
const removeNamespace = async (stored: StoredObject, { target, context, options }: Removal) => {
  const { name } = stored.key;
  const uid = textAt(stored.object, 'metadata', 'uid');
  const lead = 'Precondition failed:';
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `${lead} UID in precondition: ${options.uid}, UID in object meta: ${uid}`;
    refuse(conflict(target, name, why));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== stored.revision) {
    const why = `${lead} ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${stored.revision}`;
    refuse(conflict(target, name, why));
  }
  if (immortalNamespaces.has(name)) {
    refuse(forbiddenObject(target, name, 'this namespace may not be deleted'));
  }
  const isMarked = textAt(stored.object, 'metadata', 'deletionTimestamp') !== '';
  const leaving = withPhase(withDeletionTime(stored.object, context, undefined), 'Terminating');
  if (options.isDryRun) return { object: leaving, isGone: false };
  const marked = isMarked
    ? stored
    : await context.store.update(stored.key, leaving, { uid, revision: stored.revision });
  return { object: marked.object, isGone: false };
};

/** What is said of an object that is gone. */
const successOf = (object: JsonObject, { group, rules }: ObjectTarget): JsonObject =>
  new Map<string, Json>([
    ['kind', 'Status'],
    ['apiVersion', 'v1'],
    ['metadata', new Map()],
    ['status', 'Success'],
    [
      'details',
      new Map<string, Json>([
        ['name', textAt(object, 'metadata', 'name')],
        ...(group === '' ? [] : [['group', group] as const]),
        ['kind', rules.row.resource],
        ['uid', textAt(object, 'metadata', 'uid')],
      ]),
    ],
  ]);

/** From the body, or from the query where there is none. */
const deleteOptions = async (exchange: Exchange): Promise<DeleteOptions> => {
  const body = await readBytes(exchange);
  if (body.kind === 'error') return refuse(body.error);
  const options =
    body.bytes.length === 0 ? queryOptions(exchange) : bodyOptions(exchange, body.bytes);
  const problems = optionProblems(options);
  if (problems.length > 0) {
    refuse(invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io', name: '' }, problems));
  }
  const preconditions = objectAt(options, 'preconditions');
  const textOf = (name: string): string | undefined => {
    const value = preconditions.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    uid: textOf('uid'),
    resourceVersion: textOf('resourceVersion'),
    isDryRun: listAt(options, 'dryRun').length > 0,
    isCascading: options.get('orphanDependents') === false,
  };
};

const queryOptions = ({ target }: Exchange): JsonObject => {
  const grace = target.query.get('gracePeriodSeconds')?.[0];
  if (grace !== undefined && !/^[+-]?\d+$/.test(grace)) {
    refuse(badRequest(`strconv.ParseInt: parsing ${goQuote(grace)}: invalid syntax`));
  }
  const policy = queryValue(target, 'propagationPolicy');
  const orphan = queryValue(target, 'orphanDependents');
  return new Map<string, Json>([
    ['dryRun', target.query.get('dryRun') ?? []],
    ...(policy === '' ? [] : [['propagationPolicy', policy] as const]),
    ...(orphan === ''
      ? []
      : [['orphanDependents', !['false', '0'].includes(orphan.toLowerCase())] as const]),
  ]);
};

const bodyOptions = (exchange: Exchange, bytes: Uint8Array): JsonObject => {
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return refuse(unsupportedMediaType(mediaTypeNames));
  const lead = "couldn't get version/kind; json parse error: ";
  if (format === 'protobuf') {
    const envelope = readEnvelope(bytes);
    if (envelope.kind === 'error') return refuse(badRequest(envelope.message));
    const read = readProtobufObject(envelope.raw, 'DeleteOptions', deleteOptionsSchema);
    if (read.kind === 'error') return refuse(badRequest(read.message));
    return objectOrRefusal(jsonOfValue(read.value), lead);
  }
  if (format === 'yaml') {
    const read = readYamlBody(bytes, { strict: false });
    if (read.kind === 'error') return refuse(badRequest(read.message));
    return objectOrRefusal(jsonOfValue(read.value), lead);
  }
  const tree = parseJsonTree(bytes, bodyLimits.depth);
  if (tree.kind === 'error') return refuse(badRequest(`${lead}${tree.error}`));
  return objectOrRefusal(jsonOfValue(tree.root), lead);
};

const objectOrRefusal = (options: Json, lead: string): JsonObject => {
  if (!isObject(options)) {
    const found = Array.isArray(options) ? 'array' : typeof options;
    const type =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    return refuse(
      badRequest(`${lead}json: cannot unmarshal ${found} into Go value of type ${type}`),
    );
  }
  const kind = textAt(options, 'kind');
  if (kind === '' || kind === 'DeleteOptions') {
    const decoded = decodeObject(valueOfJson(options), deleteOptionsShape);
    return decoded.kind === 'error' ? refuse(badRequest(decoded.message)) : options;
  }
  const version = textAt(options, 'apiVersion') || 'meta.k8s.io/v1';
  const message = `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
  return refuse(badRequest(message));
};

const policies = ['Foreground', 'Background', 'Orphan'];

const optionProblems = (options: JsonObject): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const policy = textAt(options, 'propagationPolicy');
  const field = 'propagationPolicy';
  if (options.has('orphanDependents') && policy !== '') {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    problems.push(invalidValue(field, policy, detail));
  }
  if (policy !== '' && !policies.includes(policy)) {
    problems.push(notSupported(field, policy, [...policies, 'nil']));
  }
  const dryRun = textsAt(options, 'dryRun');
  if (dryRun.some((value) => value !== 'All')) {
    const shown = JSON.stringify(dryRun);
    problems.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${shown}: supported values: "All"`,
      field: 'dryRun',
    });
  }
  return problems;
};
