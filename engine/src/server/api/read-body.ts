/** Decodes the body of a write into an object of the kind in the path. */

import type { DecodedValue } from '../../formats/go-struct/decode.ts';
import { jsonOfPlain } from '../../formats/json-as-maps.ts';
import { badRequest, bodyTooLarge, unsupportedMediaType } from '../../model/api-error.ts';
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
import type { BodyBytes } from '../http/incoming-request.ts';
import { bodyLimits } from '../limits.ts';
import { inputFormat, mediaTypeNames } from '../wire/media-type.ts';
import { schemaOfShape } from '../wire/protobuf-schema.ts';
import { type BodyScheme, readObject } from '../wire/read-object.ts';
import { throwStatus } from './status-error.ts';
import type { ObjectTarget } from './target.ts';

/** Reads the body up to its size limit; throws a `StatusError`. */
export const readBytes = async (exchange: Exchange): Promise<Uint8Array> =>
  bytesOf(await exchange.readBody(bodyLimits.bytes));

/** Returns the bytes of a body; throws a `StatusError` for one that is too large or broke off. */
export const bytesOf = (body: BodyBytes): Uint8Array => {
  if (body.kind === 'tooLarge') return throwStatus(bodyTooLarge(bodyLimits.bytes));
  return body.kind === 'broken' ? throwStatus(badRequest('unexpected EOF')) : body.bytes;
};

/**
 * Decodes the body, converts it to its stored form and applies defaults; warnings are added to the
 * exchange.
 */
export const readWrittenBody = async (
  exchange: Exchange,
  target: ObjectTarget,
  optionsKind: OptionsKind,
): Promise<{ readonly object: JsonObject; readonly options: CreateOptions }> => {
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) {
    // An update validates its options before the format of the body.
    if (optionsKind === 'UpdateOptions') createOptions(exchange.target, optionsKind);
    return throwStatus(unsupportedMediaType(mediaTypeNames));
  }
  if (format === 'protobuf' && hasRawFields(target)) {
    const others = mediaTypeNames.filter((name) => !name.endsWith('protobuf'));
    return throwStatus(unsupportedMediaType(others));
  }
  const bytes = await readBytes(exchange);
  const options = createOptions(exchange.target, optionsKind);
  const { group, rules } = target;
  const { kind } = rules.row;
  const reading = readObject(
    { format, bytes, group, kind, validation: options.fieldValidation },
    schemeOf(target),
  );
  exchange.warnings.push(...reading.warnings);
  if (reading.kind === 'error') return throwStatus(reading.error);
  return { object: storedForm(reading.fields, target), options };
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
