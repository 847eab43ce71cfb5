/** PATCH: JSON, merge and strategic merge patches. Server-side apply is not served, and says so. */
import { type JsonNode, parseJsonTree } from '../../formats/json-tree.ts';
import { type ApiError, badRequest, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { JsonObject } from '../../model/json.ts';
import { applyJsonPatch, maxPatchOperations } from '../../resources/json-patch.ts';
import { applyMergePatch } from '../../resources/merge-patch.ts';
import { patchMembersOf } from '../../resources/patch-values.ts';
import { any, raw, type Shape, struct, text } from '../../resources/shape.ts';
import { applyStrategicMerge } from '../../resources/strategic-merge.ts';
import { createOptions } from '../endpoints/create-options.ts';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { decodeValue } from '../wire/decode-object.ts';
import { writeJson } from '../wire/write-json.ts';
import type { ApiContext } from './api-context.ts';
import { convertMerged, decodePatched, type PatchSurroundings } from './decode-patched.ts';
import { demandForm, storedAnswer } from './object-answer.ts';
import { readBytes } from './read-body.ts';
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

const readPatch = (type: PatchType, bytes: Uint8Array, around: PatchSurroundings): Patch => {
  switch (type) {
    case 'application/json-patch+json':
      return jsonPatch(bytes, around);
    case 'application/merge-patch+json':
      return mergePatch(bytes, around);
    default:
      return strategicPatch(bytes, around);
  }
};

/** A patch as it is before it is done: a tree, and what is strictly wrong with it. */
interface ReadPatch {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
  readonly unknown: readonly string[];
}

/** `lead` stands before what is wrong with it. */
const readAs = (shape: Shape, bytes: Uint8Array, lead: string): ReadPatch => {
  const tree = parseJsonTree(bytes, bodyLimits.depth);
  if (tree.kind === 'error') return refuse(badRequest(`${lead}${tree.error}`));
  const reading = decodeValue(tree.root, shape);
  if (reading.kind === 'error') return refuse(badRequest(`${lead}${reading.message}`));
  return { bytes, root: tree.root, unknown: reading.strictErrors };
};

const decodingLead = 'error decoding patch: ';

/** Operations as the library of the real server reads them, and as it reads them when it is strict. */
const looseOperations: Shape = {
  kind: 'list',
  goType: 'jsonpatch.Patch',
  item: { kind: 'map', goType: 'jsonpatch.Operation', value: raw },
};
const strictOperations: Shape = {
  kind: 'list',
  goType: '[]handlers.jsonPatchOp',
  item: struct(
    'jsonPatchOp',
    'handlers.jsonPatchOp',
    ['op', text],
    ['path', text],
    ['from', text],
    ['value', any],
  ),
};

const jsonPatch = (bytes: Uint8Array, around: PatchSurroundings): Patch => {
  const patch = isLoose(around)
    ? readAs(looseOperations, bytes, '')
    : readAs(strictOperations, bytes, decodingLead);
  const count = patch.root.kind === 'array' ? patch.root.items.length : 0;
  if (count > maxPatchOperations) {
    return refuse(
      tooLarge(
        `The allowed maximum operations in a JSON patch is ${maxPatchOperations}, got ${count}`,
      ),
    );
  }
  const unknown = patch.unknown.map((problem) => `json patch ${problem}`);
  return (object, target) => {
    const result = applyJsonPatch(bytesOf(object), patch);
    if (result.kind === 'patched') {
      return decodePatched(result.text, target, { ...around, unknown });
    }
    return refuse(result.kind === 'impossible' ? unprocessable : internalError(result.message));
  };
};

const isLoose = ({ options }: PatchSurroundings): boolean => options.fieldValidation === 'Ignore';

const bytesOf = (object: JsonObject): Uint8Array => new TextEncoder().encode(writeJson(object));

const internalError = (message: string): ApiError => ({ code: 500, reason: '', message });

/** What a client is told of a patch that can't be applied: no more than this. */
const tooLarge = (why: string): ApiError => ({
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: ${why}`,
});

const unprocessable = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
};

const objectPatch: Shape = { kind: 'map', goType: 'map[string]interface {}', value: any };

const mergePatch = (bytes: Uint8Array, around: PatchSurroundings): Patch => {
  const patch = isLoose(around) ? readLooseMerge(bytes) : readAs(objectPatch, bytes, decodingLead);
  return (object, target) => {
    const patched = applyMergePatch(bytesOf(object), patch);
    if (patched === undefined) return refuse(badMerge);
    return decodePatched(patched, target, { ...around, unknown: patch.unknown });
  };
};

const badMerge = badRequest('Invalid JSON Patch');

const readLooseMerge = (bytes: Uint8Array): ReadPatch => {
  const tree = parseJsonTree(bytes, bodyLimits.depth);
  return tree.kind === 'error' ? refuse(badMerge) : { bytes, root: tree.root, unknown: [] };
};

const strategicPatch = (bytes: Uint8Array, around: PatchSurroundings): Patch => {
  const { root, unknown } = readAs(objectPatch, bytes, '');
  return (object, target) => {
    const result = applyStrategicMerge(object, patchMembersOf(root), target.rules.shape);
    if (result.kind === 'merged') {
      return convertMerged(result.object, target, { ...around, unknown, shown: result.rest });
    }
    if (result.kind === 'malformed') return refuse(badRequest(result.message));
    if (result.kind === 'tooLarge') return refuse(tooLarge(result.message));
    return refuse(result.kind === 'unprocessable' ? unprocessable : internalError(result.message));
  };
};
