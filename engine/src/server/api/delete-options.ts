/** Reads DeleteOptions from the body, or from the query if there is no body. */

import { type PlainReading, readPlainJson } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject } from '../../formats/go-struct/decode.ts';
import { bool, int64, string, stringList, struct, uid } from '../../formats/go-struct/shape.ts';
import { notRegistered, readTypeMeta } from '../../formats/go-struct/type-meta.ts';
import { badRequest, invalid, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type FieldError, invalidValue, notSupported } from '../../resources/field-error.ts';
import { listAt, objectAt, stringAt, stringsAt } from '../../resources/object-fields.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryValue } from '../http/target.ts';
import { bodyLimits } from '../limits.ts';
import { type Format, inputFormat, mediaTypeNames } from '../wire/media-type.ts';
import { schemaOfShape } from '../wire/protobuf-schema.ts';
import { readEnvelope, readProtobufObject } from '../wire/read-protobuf.ts';
import { readYamlBody } from '../wire/read-yaml.ts';
import { jsonOfFields, readBytes } from './read-body.ts';
import { throwStatus } from './status-error.ts';

export interface DeleteOptions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDryRun: boolean;
  /** `orphanDependents: false`, the only case in which a pending deletion has status 202. */
  readonly isCascading: boolean;
  /** All options, for a store that implements deletion itself. */
  readonly fields: JsonObject;
}

const deleteOptionsShape = struct(
  'v1.DeleteOptions',
  ['kind', string],
  ['apiVersion', string],
  ['gracePeriodSeconds', int64, { number: 1, written: 'when-set' }],
  [
    'preconditions',
    struct(
      'v1.Preconditions',
      ['uid', uid, { number: 1, written: 'when-set' }],
      ['resourceVersion', string, { number: 2, written: 'when-set' }],
    ),
    { number: 2, written: 'when-set' },
  ],
  ['orphanDependents', bool, { number: 3, written: 'when-set' }],
  [
    'propagationPolicy',
    { kind: 'string', goType: 'v1.DeletionPropagation' },
    { number: 4, written: 'when-set' },
  ],
  ['dryRun', stringList, { number: 5 }],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', bool, { written: 'when-set' }],
);

/** Reads and validates the options. */
export const deleteOptions = async (exchange: Exchange): Promise<DeleteOptions> => {
  const bytes = await readBytes(exchange);
  const options = bytes.length === 0 ? queryOptions(exchange) : bodyOptions(exchange, bytes);
  const problems = optionProblems(options);
  if (problems.length > 0) {
    throwStatus(invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io', name: '' }, problems));
  }
  const preconditions = objectAt(options, 'preconditions');
  const stringOf = (name: string): string | undefined => {
    const value = preconditions.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    uid: stringOf('uid'),
    resourceVersion: stringOf('resourceVersion'),
    isDryRun: listAt(options, 'dryRun').length > 0,
    isCascading: options.get('orphanDependents') === false,
    fields: options,
  };
};

const queryOptions = ({ target }: Exchange): JsonObject => {
  const grace = target.query.get('gracePeriodSeconds')?.[0];
  if (grace !== undefined && !/^[+-]?\d+$/.test(grace)) {
    throwStatus(badRequest(`strconv.ParseInt: parsing ${goQuote(grace)}: invalid syntax`));
  }
  const policy = queryValue(target, 'propagationPolicy');
  const orphan = queryValue(target, 'orphanDependents');
  return new Map<string, Json>([
    ['dryRun', target.query.get('dryRun') ?? []],
    ...(grace === undefined ? [] : [['gracePeriodSeconds', Number(grace)] as const]),
    ...(policy === '' ? [] : [['propagationPolicy', policy] as const]),
    ...(orphan === ''
      ? []
      : [['orphanDependents', !['false', '0'].includes(orphan.toLowerCase())] as const]),
  ]);
};

const bodyOptions = (exchange: Exchange, bytes: Uint8Array): JsonObject => {
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return throwStatus(unsupportedMediaType(mediaTypeNames));
  const value = readOptions(format, bytes);
  if (value.kind === 'error') return throwStatus(badRequest(value.message));
  const stated = readTypeMeta(value.value);
  if (stated.kind === 'error') return throwStatus(badRequest(stated.message));
  const { objectKind, apiVersion } = stated;
  if (objectKind !== '' && objectKind !== 'DeleteOptions') {
    return throwStatus(badRequest(notRegistered(objectKind, apiVersion || 'meta.k8s.io/v1')));
  }
  const decoded = decodeObject(value.value, deleteOptionsShape);
  if (decoded.kind === 'error') return throwStatus(badRequest(decoded.message));
  return jsonOfFields(decoded.fields);
};

const readOptions = (format: Format, bytes: Uint8Array): PlainReading => {
  if (format === 'protobuf') {
    const envelope = readEnvelope(bytes);
    return envelope.kind === 'error'
      ? envelope
      : readProtobufObject(envelope.raw, 'DeleteOptions', schemaOfShape(deleteOptionsShape));
  }
  if (format === 'yaml') return readYamlBody(bytes, { strict: false });
  return readPlainJson(bytes, bodyLimits.depth);
};

const policies = ['Foreground', 'Background', 'Orphan'];

const optionProblems = (options: JsonObject): readonly FieldError[] => {
  const problems: FieldError[] = [];
  const field = 'propagationPolicy';
  const policy = stringAt(options, field);
  if (options.has('orphanDependents') && options.has(field)) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    problems.push(invalidValue(field, policy, detail));
  }
  if (options.has(field) && !policies.includes(policy)) {
    problems.push(notSupported(field, policy, [...policies, 'nil']));
  }
  const dryRun = stringsAt(options, 'dryRun');
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
