/**
 * Decodes patched objects: the JSON of a JSON patch or merge patch, or the result of a strategic
 * merge.
 */

import { readPlainJson } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject } from '../../formats/go-struct/decode.ts';
import { type StructShape, string, struct } from '../../formats/go-struct/shape.ts';
import {
  groupVersion,
  readTypeMeta,
  type TypeMetaReading,
} from '../../formats/go-struct/type-meta.ts';
import { invalid } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { invalidValue } from '../../resources/field-error.ts';
import type { PatchMembers } from '../../resources/patch-values.ts';
import { objectMeta } from '../../resources/shape.ts';
import type { CreateOptions } from '../endpoints/create-options.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { convertObject } from '../wire/convert-object.ts';
import { schemeOf, storedForm } from './read-body.ts';
import { throwStatus } from './status-error.ts';
import type { ObjectTarget } from './target.ts';

export interface PatchContext {
  readonly exchange: Exchange;
  readonly options: CreateOptions;
}

interface DecodeContext extends PatchContext {
  /** Strict decoding errors of the patch itself. */
  readonly patchStrictErrors: readonly string[];
}

interface MergeContext extends DecodeContext {
  /** The value shown in error messages. */
  readonly shown: string;
}

/** Decodes the text that a JSON patch or a merge patch produced. */
export const decodePatched = (
  patched: string,
  target: ObjectTarget,
  context: DecodeContext,
): JsonObject => {
  const plain = readPlainJson(new TextEncoder().encode(patched), bodyLimits.depth);
  if (plain.kind === 'error') return throwInvalidPatch(patched, plain.message);
  const stated = readTypeMeta(plain.value);
  if (stated.kind === 'error') return throwInvalidPatch(patched, stated.message);
  const type = typeOf(stated, target);
  if (type === undefined) {
    return throwInvalidPatch(patched, `Object 'apiVersion' is missing in '${patched}'`);
  }
  const scheme = schemeOf(target);
  const registered = scheme.lookUp({ ...type, version: type.version ?? 'v1' });
  if (registered === 'unknown') return throwInvalidPatch(patched, notRegistered(type));
  const hasVersion = type.version !== undefined;
  const decoded = decodeObject(
    plain.value,
    hasVersion ? (registered.shape ?? target.rules.shape) : internalVersionShape,
  );
  if (decoded.kind === 'error') return throwInvalidPatch(patched, decoded.message);
  const ownKind = target.rules.row.kind;
  if (type.kind !== ownKind) {
    const from = `${type.version ?? scheme.packageName}.${type.kind}`;
    const to = `${scheme.packageName}.${ownKind}`;
    return throwInvalidPatch(patched, `converting (${from}) to (${to}): unknown conversion`);
  }
  reportStrictErrors(decoded.strictErrors, { ...context, shown: patched });
  const { fields } = decoded;
  return storedForm(hasVersion ? fields : new Map([['metadata', fields]]), target);
};

/** Converts the result of a strategic merge. */
export const convertMerged = (
  merged: PatchMembers,
  target: ObjectTarget,
  context: MergeContext,
): JsonObject => {
  const converted = convertObject(merged, target.rules.shape);
  if (converted.kind === 'error') return throwInvalidPatch(context.shown, converted.message);
  reportStrictErrors(converted.strictErrors, context);
  return storedForm(converted.fields, target);
};

const throwInvalidPatch = (shown: string, message: string): never =>
  throwStatus(invalid({ kind: '', group: '', name: '' }, [invalidValue('patch', shown, message)]));

const reportStrictErrors = (
  objectStrictErrors: readonly string[],
  { exchange, options, patchStrictErrors, shown }: MergeContext,
): void => {
  const strictErrors = [...patchStrictErrors, ...objectStrictErrors];
  if (strictErrors.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Warn') exchange.warnings.push(...strictErrors);
  else throwInvalidPatch(shown, `strict decoding error: ${strictErrors.join(', ')}`);
};

/**
 * An object without a version is decoded as kube-apiserver's internal type, whose metadata field
 * has no name.
 */
const internalVersionShape: StructShape = struct(
  objectMeta.goType,
  ['kind', string],
  ['apiVersion', string],
  ...objectMeta.rows.map(({ name, shape }) => [name, shape] as const),
);

interface PatchedType {
  readonly group: string;
  /** Absent for kube-apiserver's internal version. */
  readonly version: string | undefined;
  readonly kind: string;
}

/**
 * Returns the type of the patched object, with defaults from the existing one; `undefined` for
 * another group without a version.
 */
const typeOf = (
  { apiVersion, objectKind }: Extract<TypeMetaReading, { kind: 'stated' }>,
  target: ObjectTarget,
): PatchedType | undefined => {
  const kind = objectKind || target.rules.row.kind;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const [, ownGroup = ''] = target.apiVersion.split('/').reverse();
  if (version !== '') return { group, version, kind };
  if (group !== '' && group !== ownGroup) return undefined;
  return { group: ownGroup, version: undefined, kind };
};

const notRegistered = ({ group, version, kind }: PatchedType): string => {
  const place =
    version === undefined
      ? `the internal version of group ${goQuote(group)}`
      : `version ${goQuote(groupVersion({ group, version }))}`;
  return `no kind ${goQuote(kind)} is registered for ${place} in scheme "pkg/runtime/scheme.go:111"`;
};
