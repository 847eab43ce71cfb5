/** PATCH: JSON, merge and strategic merge patches. Server-side apply is not served, and says so. */
import { goQuote } from '../../formats/go-quote.ts';
import { parseJsonTree } from '../../formats/json-tree.ts';
import { byCodePoint } from '../../formats/text-order.ts';
import { badRequest, invalid, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { invalidValue } from '../../resources/field-problem.ts';
import { applyJsonPatch, maxPatchOperations } from '../../resources/json-patch.ts';
import { applyMergePatch } from '../../resources/merge-patch.ts';
import { emptyObject, isList, isObject, textAt } from '../../resources/object-fields.ts';
import { applyStrategicMerge } from '../../resources/strategic-merge.ts';
import { createOptions } from '../endpoints/create-options.ts';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { decodeObject } from '../wire/decode-object.ts';
import { repeatedMembers } from '../wire/repeated-members.ts';
import { writeJson } from '../wire/write-json.ts';
import type { ApiContext } from './api-context.ts';
import { demandForm, storedAnswer } from './object-answer.ts';
import {
  jsonOfValue,
  readBytes,
  schemeOf,
  storedForm,
  valueOfJson,
  type WriteOptions,
} from './read-body.ts';
import { refuse, refusing } from './refusal.ts';
import { notFound } from './refusals.ts';
import { shownObject } from './shown-object.ts';
import type { ObjectTarget } from './target.ts';
import { update } from './update.ts';
import { checkName, inNamespace } from './write.ts';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;
type PatchType = (typeof patchTypes)[number];

/** Known to the real router, and not served here. */
const applyType = 'application/apply-patch+yaml';

/** PATCH of an object. */
export const patchObject = (
  exchange: Exchange,
  target: ObjectTarget,
  context: ApiContext,
): Promise<Answer> =>
  refusing(exchange, target, async () => {
    const patchType = patchTypeOf(exchange);
    demandForm(exchange);
    const body = await readBytes(exchange);
    if (body.kind === 'error') return refuse(body.error);
    const options = createOptions(exchange.target, 'PatchOptions');
    if (options.kind === 'error') return refuse(options.error);
    const { status, object } = await update(
      (existing) => {
        if (existing === undefined) return refuse(notFound(target, target.name));
        const patch = readPatch(patchType, body.bytes, { exchange, options });
        const patched = patch(shownObject(existing.object, target), target);
        const placed = inNamespace(patched, target);
        checkName(placed, target);
        return placed;
      },
      { exchange, target, context, options },
    );
    return storedAnswer(exchange, target, { status, object, now: context.clock.now() });
  });

const patchTypeOf = (exchange: Exchange): PatchType => {
  const stated = firstHeader(exchange.headers, 'content-type') ?? '';
  const type = stated.split(';', 1)[0] ?? '';
  const known = patchTypes.find((candidate) => candidate === type);
  if (known !== undefined) return known;
  if (type === applyType) return refuse(unsupportedMediaType(patchTypes));
  return refuse({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
};

type Patch = (object: JsonObject, target: ObjectTarget) => JsonObject;

interface PatchSurroundings {
  readonly exchange: Exchange;
  readonly options: WriteOptions;
}

const readPatch = (type: PatchType, bytes: Uint8Array, around: PatchSurroundings): Patch => {
  const isStrategic = type === 'application/strategic-merge-patch+json';
  const lead = isStrategic ? '' : 'error decoding patch: ';
  const tree = parseJsonTree(bytes, bodyLimits.depth);
  if (tree.kind === 'error') return refuse(badRequest(`${lead}${tree.error}`));
  const patch = jsonOfValue(tree.root);
  // Nothing is no operations.
  if (type === 'application/json-patch+json') return jsonPatch(patch ?? [], around);
  if (patch === null && !isStrategic) return refuse(badRequest('Invalid JSON Patch'));
  if (!isObject(patch)) {
    const found = tree.root.kind;
    const message = `${lead}json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    return refuse(badRequest(message));
  }
  const unknown = repeatedMembers(tree.root);
  return isStrategic
    ? strategicPatch(patch, { ...around, unknown })
    : mergePatch(patch, { ...around, unknown });
};

const jsonPatch = (patch: Json, around: PatchSurroundings): Patch => {
  const odd = isList(patch) ? patch.find((item) => item !== null && !isObject(item)) : patch;
  if (!isList(patch) || odd !== undefined) {
    const found = nameOf(odd ?? null);
    const type = isList(patch) ? 'handlers.jsonPatchOp' : '[]handlers.jsonPatchOp';
    const message = `error decoding patch: json: cannot unmarshal ${found} into Go value of type ${type}`;
    return refuse(badRequest(message));
  }
  if (patch.length > maxPatchOperations) {
    return refuse({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `The allowed maximum operations in a JSON patch is ${maxPatchOperations}, got ${patch.length}`,
    });
  }
  const operations = patch.map((item) => (isObject(item) ? item : emptyObject));
  const unknown = operations.flatMap((operation, index) =>
    [...operation.keys()]
      .filter((name) => !operationMembers.has(name))
      .map((name) => `json patch unknown field ${goQuote(`[${index}].${name}`)}`),
  );
  return (object, target) => {
    const result = applyJsonPatch(object, operations);
    if (result.kind === 'impossible' || !isObject(result.value)) return refuse(unprocessable);
    return decodePatched(result.value, target, { ...around, unknown });
  };
};

/** As messages call what was found. */
const nameOf = (value: Json): string => {
  if (isList(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' || typeof value === 'object' ? typeof value : 'number';
};

const operationMembers = new Set(['op', 'path', 'from', 'value']);

/** What a client is told of a patch that can't be applied: no more than this. */
const unprocessable = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
};

const mergePatch =
  (patch: JsonObject, around: DecodeSurroundings): Patch =>
  (object, target) =>
    decodePatched(applyMergePatch(object, patch), target, around);

const strategicPatch =
  (patch: JsonObject, around: DecodeSurroundings): Patch =>
  (object, target) => {
    const result = applyStrategicMerge(object, patch, target.rules.shape);
    if (result.kind !== 'merged') {
      const { kind, message } = result;
      if (kind === 'malformed') return refuse(badRequest(message));
      return refuse(kind === 'unprocessable' ? unprocessable : { code: 500, reason: '', message });
    }
    return decodePatched(result.object, target, { ...around, shown: result.rest });
  };

interface DecodeSurroundings extends PatchSurroundings {
  /** What messages say was sent; the whole patched object where absent. */
  readonly shown?: string;
  /** Strict errors of the patch itself. */
  readonly unknown?: readonly string[];
}

/** The patched object as one that is written. */
const decodePatched = (
  patched: JsonObject,
  target: ObjectTarget,
  { exchange, options, shown, unknown = [] }: DecodeSurroundings,
): JsonObject => {
  const told = (message: string): never =>
    refuse(
      invalid({ kind: '', group: '', name: '' }, [
        invalidValue('patch', shown ?? writeJson(patched).trimEnd(), message),
      ]),
    );
  // A strategic merge is converted into what is there, whatever it says to be.
  const changed = shown === undefined ? kindProblem(patched, target) : undefined;
  if (changed !== undefined) return told(changed);
  const decoded = decodeObject(valueOfJson(patched), target.rules.shape);
  if (decoded.kind === 'error') {
    return told(shown === undefined ? decoded.message : conversionMessage(decoded.message));
  }
  const found =
    shown === undefined ? decoded.strictErrors : decoded.strictErrors.toSorted(byCodePoint);
  const strictErrors = [...unknown, ...found];
  if (strictErrors.length > 0) {
    if (options.fieldValidation === 'Strict') {
      return told(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') exchange.warnings.push(...strictErrors);
  }
  return storedForm(decoded.fields, target);
};

const unstructuredNames: ReadonlyMap<string, readonly [kind: string, type: string]> = new Map([
  ['number', ['int64', 'int64']],
  ['string', ['string', 'string']],
  ['bool', ['bool', 'bool']],
  ['array', ['slice', '[]interface {}']],
  ['object', ['map', 'map[string]interface {}']],
]);

const plainKinds: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['types.UID', 'string'],
  ['int64', 'int64'],
]);

/** A strategic merge is converted by other code, which says the same in its own words. */
const conversionMessage = (message: string): string => {
  if (message.startsWith('illegal base64')) return `error decoding from json: ${message}`;
  const misfit = /^json: cannot unmarshal (?<found>\w+)\b.* of type (?<type>.+)$/.exec(message);
  const [kind, type] = unstructuredNames.get(misfit?.groups?.found ?? '') ?? [];
  const wanted = misfit?.groups?.type;
  if (kind === undefined || wanted === undefined) return message;
  if (wanted.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (wanted.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (wanted === 'bool') return 'unrecognized type: bool';
  const plain = plainKinds.get(wanted);
  if (plain === undefined) return `cannot restore struct from: ${kind}`;
  // Only a number could be made a text.
  return kind === 'int64' ? `cannot convert ${type} to ${wanted}` : `unrecognized type: ${plain}`;
};

/** A patch can't make one kind of another; without a kind it is the kind that it was. */
const kindProblem = (patched: JsonObject, target: ObjectTarget): string | undefined => {
  const kind = textAt(patched, 'kind');
  const own = target.rules.row.kind;
  const apiVersion = textAt(patched, 'apiVersion') || target.apiVersion;
  if (kind === '' || (kind === own && apiVersion === target.apiVersion)) return undefined;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const scheme = schemeOf(target);
  return scheme.lookUp({ group, version, kind }) === 'unknown'
    ? `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
    : `converting (${version}.${kind}) to (${scheme.packageName}.${own}): unknown conversion`;
};
