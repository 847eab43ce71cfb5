/** Decodes the body of a write into an object of the kind in the path. */

import type { DecodedValue } from '../../formats/go-struct/decode.ts';
import { jsonOfPlain } from '../../formats/json-as-maps.ts';
import {
  type ApiError,
  badRequest,
  bodyTooLarge,
  unsupportedMediaType,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { toStoredDomain } from '../../resources/group-domain.ts';
import { normalForm } from '../../resources/normal-form.ts';
import { allKindRules } from '../../resources/registry.ts';
import {
  type CreateOptions,
  createOptions,
  type OptionsKind,
} from '../endpoints/create-options.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { inputFormat, mediaTypeNames } from '../wire/media-type.ts';
import { schemaOfShape } from '../wire/protobuf-schema.ts';
import { type BodyScheme, readObject } from '../wire/read-object.ts';
import type { ObjectTarget } from './target.ts';

export type WriteOptions = Extract<CreateOptions, { kind: 'options' }>;

export type WrittenBody =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly options: WriteOptions }
  | { readonly kind: 'error'; readonly error: ApiError };

export type BytesReading =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly error: ApiError };

const failed = (error: ApiError) => ({ kind: 'error' as const, error });

/** Reads the body up to its size limit. */
export const readBytes = async (exchange: Exchange): Promise<BytesReading> => {
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return failed(bodyTooLarge(bodyLimits.bytes));
  return body.kind === 'broken' ? failed(badRequest('unexpected EOF')) : body;
};

/**
 * Decodes the body, converts it to its stored form and applies defaults; warnings are added to the
 * exchange.
 */
export const readWrittenBody = async (
  exchange: Exchange,
  target: ObjectTarget,
  optionsKind: OptionsKind,
): Promise<WrittenBody> => {
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) {
    // An update validates its options before the format of the body.
    const optionsReading =
      optionsKind === 'UpdateOptions' ? createOptions(exchange.target, optionsKind) : undefined;
    return optionsReading?.kind === 'error'
      ? optionsReading
      : failed(unsupportedMediaType(mediaTypeNames));
  }
  if (format === 'protobuf' && hasRawFields(target)) {
    return failed(
      unsupportedMediaType(mediaTypeNames.filter((name) => !name.endsWith('protobuf'))),
    );
  }
  const body = await readBytes(exchange);
  if (body.kind === 'error') return body;
  const options = createOptions(exchange.target, optionsKind);
  if (options.kind === 'error') return options;
  const reading = readObject(
    {
      format,
      bytes: body.bytes,
      group: target.group,
      kind: target.rules.row.kind,
      validation: options.fieldValidation,
    },
    schemeOf(target),
  );
  exchange.warnings.push(...reading.warnings);
  if (reading.kind === 'error') return reading;
  return { kind: 'object', object: storedForm(reading.fields, target), options };
};

/** Reports whether the kind has raw fields, which protobuf cannot decode without a schema. */
const hasRawFields = ({ rules }: ObjectTarget): boolean =>
  rules.shape.rows.some(({ shape }) => shape.kind === 'raw');

/** Converts decoded fields to the stored form. */
export const storedForm = (
  fields: ReadonlyMap<string, DecodedValue>,
  target: ObjectTarget,
): JsonObject => {
  const { rules, domain } = target;
  const typed = toStoredDomain(jsonOfFields(fields), domain);
  return rules.applyDefaults(normalForm(typed, rules.shape, 'request'));
};

/** The versions of the kinds that kube-apiserver registers. */
const coreVersions: readonly string[] = ['v1'];
const rbacVersions: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

/** Returns the scheme that decodes all served kinds and identifies unknown ones. */
export const schemeOf = (target: ObjectTarget): BodyScheme => ({
  packageName: target.group === '' ? 'core' : 'rbac',
  lookUp({ group, version, kind }) {
    const kindRules = allKindRules.find(({ row }) => row.kind === kind);
    const ownGroup = kindRules?.row.group === 'rbac' ? `rbac.authorization.${target.domain}` : '';
    const versions = ownGroup === '' ? coreVersions : rbacVersions;
    if (kindRules === undefined || group !== ownGroup || !versions.includes(version))
      return 'unknown';
    return { shape: kindRules.shape, schema: schemaOfShape(kindRules.shape) };
  },
});

/** Converts decoded fields to JSON. */
export const jsonOfFields = (fields: ReadonlyMap<string, DecodedValue>): JsonObject =>
  new Map(Array.from(fields, ([name, field]): [string, Json] => [name, jsonOf(field)]));

const jsonOf = (field: DecodedValue): Json => {
  if (typeof field === 'bigint' || typeof field === 'number') return Number(field);
  if (typeof field === 'string' || typeof field === 'boolean') return field;
  if (isFieldList(field)) return field.map(jsonOf);
  return isFieldMap(field) ? jsonOfFields(field) : jsonOfPlain(field);
};

const isFieldList = (field: DecodedValue): field is readonly DecodedValue[] => Array.isArray(field);
const isFieldMap = (field: DecodedValue): field is ReadonlyMap<string, DecodedValue> =>
  field instanceof Map;
