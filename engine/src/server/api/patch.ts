/**
 * PATCH requests: JSON patch, merge patch and strategic merge patch. Server-side apply is rejected.
 */
import { decodeValue } from '../../formats/go-struct/decode.ts';
import { any, raw, type Shape, string, struct } from '../../formats/go-struct/shape.ts';
import { type JsonNode, parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { type ApiError, badRequest, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { JsonObject } from '../../model/json.ts';
import { applyJsonPatch, maxPatchOperations } from '../../resources/json-patch.ts';
import { applyMergePatch } from '../../resources/merge-patch.ts';
import { patchMembersOf } from '../../resources/patch-values.ts';
import { applyStrategicMerge } from '../../resources/strategic-merge.ts';
import { createOptions } from '../endpoints/create-options.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { writeJson } from '../wire/write-json.ts';
import { convertMerged, decodePatched, type PatchContext } from './decode-patched.ts';
import { notFound } from './object-errors.ts';
import { requireAcceptable, storedObjectResponse } from './object-response.ts';
import { readBytes } from './read-body.ts';
import { shownObject } from './shown-object.ts';
import { throwStatus, withStatusErrors } from './status-error.ts';
import type { ObjectTarget } from './target.ts';
import { update } from './update.ts';
import { checkName, inNamespace } from './write.ts';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;
type PatchType = (typeof patchTypes)[number];

/** kube-apiserver supports this type; this server does not. */
const applyType = 'application/apply-patch+yaml';

/** Handles PATCH of an object. */
export const patchObject = withStatusErrors(async (exchange, target, context) => {
  const patchType = patchTypeOf(exchange);
  requireAcceptable(exchange);
  const bytes = await readBytes(exchange);
  const options = createOptions(exchange.target, 'PatchOptions');
  const { status, object } = await update(
    (existing) => {
      if (existing === undefined) return throwStatus(notFound(target, target.name));
      const patch = readPatch(patchType, bytes, { exchange, options });
      const patched = patch(shownObject(existing.object, target), target);
      const placed = inNamespace(patched, target);
      checkName(placed, target);
      return placed;
    },
    { exchange, target, context, options },
  );
  return storedObjectResponse(exchange, target, { status, object, now: context.clock.now() });
});

const patchTypeOf = (exchange: Exchange): PatchType => {
  const stated = firstHeader(exchange.headers, 'content-type') ?? '';
  const type = stated.split(';', 1)[0] ?? '';
  const patchType = patchTypes.find((candidate) => candidate === type);
  if (patchType !== undefined) return patchType;
  if (type === applyType) return throwStatus(unsupportedMediaType(patchTypes));
  return throwStatus({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
};

type Patch = (object: JsonObject, target: ObjectTarget) => JsonObject;

const readPatch = (type: PatchType, bytes: Uint8Array, context: PatchContext): Patch => {
  switch (type) {
    case 'application/json-patch+json':
      return jsonPatch(bytes, context);
    case 'application/merge-patch+json':
      return mergePatch(bytes, context);
    default:
      return strategicPatch(bytes, context);
  }
};

/** A parsed patch with its strict decoding errors. */
interface ReadPatch {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
  readonly strictErrors: readonly string[];
}

/** Parses and decodes a patch; `errorPrefix` starts every error message. */
const readAs = (shape: Shape, bytes: Uint8Array, errorPrefix: string): ReadPatch => {
  const tree = parseJsonWithPositions(bytes, bodyLimits.depth);
  if (tree.kind === 'error') return throwStatus(badRequest(`${errorPrefix}${tree.error}`));
  const reading = decodeValue(tree.root, shape);
  if (reading.kind === 'error') return throwStatus(badRequest(`${errorPrefix}${reading.message}`));
  return { bytes, root: tree.root, strictErrors: reading.strictErrors };
};

const decodingErrorPrefix = 'error decoding patch: ';

/** The types that kube-apiserver decodes operations into, without and with strict validation. */
const looseOperations: Shape = {
  kind: 'list',
  goType: 'jsonpatch.Patch',
  item: { kind: 'map', goType: 'jsonpatch.Operation', value: raw },
};
const strictOperations: Shape = {
  kind: 'list',
  goType: '[]handlers.jsonPatchOp',
  item: struct(
    'handlers.jsonPatchOp',
    ['op', string],
    ['path', string],
    ['from', string],
    ['value', any],
  ),
};

const jsonPatch = (bytes: Uint8Array, context: PatchContext): Patch => {
  const patch = isLoose(context)
    ? readAs(looseOperations, bytes, '')
    : readAs(strictOperations, bytes, decodingErrorPrefix);
  const count = patch.root.kind === 'array' ? patch.root.items.length : 0;
  if (count > maxPatchOperations) {
    return throwStatus(
      tooLarge(
        `The allowed maximum operations in a JSON patch is ${maxPatchOperations}, got ${count}`,
      ),
    );
  }
  const patchStrictErrors = patch.strictErrors.map((problem) => `json patch ${problem}`);
  return (object, target) => {
    const result = applyJsonPatch(bytesOf(object), patch);
    if (result.kind === 'patched') {
      return decodePatched(result.text, target, { ...context, patchStrictErrors });
    }
    return throwStatus(
      result.kind === 'impossible' ? unprocessable : internalError(result.message),
    );
  };
};

const isLoose = ({ options }: PatchContext): boolean => options.fieldValidation === 'Ignore';

const bytesOf = (object: JsonObject): Uint8Array => new TextEncoder().encode(writeJson(object));

const internalError = (message: string): ApiError => ({ code: 500, reason: '', message });

/** Returns the 413 for a patch that is too large. */
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

const mergePatch = (bytes: Uint8Array, context: PatchContext): Patch => {
  const patch = isLoose(context)
    ? readLooseMerge(bytes)
    : readAs(objectPatch, bytes, decodingErrorPrefix);
  return (object, target) => {
    const patched = applyMergePatch(bytesOf(object), patch);
    if (patched === undefined) return throwStatus(badMerge);
    return decodePatched(patched, target, { ...context, patchStrictErrors: patch.strictErrors });
  };
};

const badMerge = badRequest('Invalid JSON Patch');

const readLooseMerge = (bytes: Uint8Array): ReadPatch => {
  const tree = parseJsonWithPositions(bytes, bodyLimits.depth);
  return tree.kind === 'error'
    ? throwStatus(badMerge)
    : { bytes, root: tree.root, strictErrors: [] };
};

const strategicPatch = (bytes: Uint8Array, context: PatchContext): Patch => {
  const { root, strictErrors: patchStrictErrors } = readAs(objectPatch, bytes, '');
  return (object, target) => {
    const result = applyStrategicMerge(object, patchMembersOf(root), target.rules.shape);
    if (result.kind === 'merged') {
      return convertMerged(result.object, target, {
        ...context,
        patchStrictErrors,
        shown: result.rest,
      });
    }
    if (result.kind === 'malformed') return throwStatus(badRequest(result.message));
    if (result.kind === 'tooLarge') return throwStatus(tooLarge(result.message));
    return throwStatus(
      result.kind === 'unprocessable' ? unprocessable : internalError(result.message),
    );
  };
};
