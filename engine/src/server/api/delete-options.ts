/** Reads DeleteOptions from the body, or from the query if there is no body. */
import { goQuote } from '../../formats/go-quote.ts';
import { parseJsonWithPositions } from '../../formats/json-with-positions.ts';
import { badRequest, invalid, unsupportedMediaType } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type FieldError, invalidValue, notSupported } from '../../resources/field-error.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../../resources/object-fields.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryValue } from '../http/target.ts';
import { bodyLimits } from '../limits.ts';
import { decodeObject } from '../wire/decode-object.ts';
import { inputFormat, mediaTypeNames } from '../wire/media-type.ts';
import { deleteOptionsSchema } from '../wire/protobuf-schema.ts';
import { readEnvelope, readProtobufObject } from '../wire/read-protobuf.ts';
import { readYamlBody } from '../wire/read-yaml.ts';
import { deleteOptionsShape } from '../wire/shape.ts';
import { jsonOfValue, readBytes, valueOfJson } from './read-body.ts';
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

/** Reads and validates the options. */
export const deleteOptions = async (exchange: Exchange): Promise<DeleteOptions> => {
  const body = await readBytes(exchange);
  if (body.kind === 'error') return throwStatus(body.error);
  const options =
    body.bytes.length === 0 ? queryOptions(exchange) : bodyOptions(exchange, body.bytes);
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
  const errorPrefix = "couldn't get version/kind; json parse error: ";
  if (format === 'protobuf') {
    const envelope = readEnvelope(bytes);
    if (envelope.kind === 'error') return throwStatus(badRequest(envelope.message));
    const read = readProtobufObject(envelope.raw, 'DeleteOptions', deleteOptionsSchema);
    if (read.kind === 'error') return throwStatus(badRequest(read.message));
    return checkedOptions(jsonOfValue(read.value), errorPrefix);
  }
  if (format === 'yaml') {
    const read = readYamlBody(bytes, { strict: false });
    if (read.kind === 'error') return throwStatus(badRequest(read.message));
    return checkedOptions(jsonOfValue(read.value), errorPrefix);
  }
  const tree = parseJsonWithPositions(bytes, bodyLimits.depth);
  if (tree.kind === 'error') return throwStatus(badRequest(`${errorPrefix}${tree.error}`));
  return checkedOptions(jsonOfValue(tree.root), errorPrefix);
};

const checkedOptions = (options: Json, errorPrefix: string): JsonObject => {
  if (!isObject(options)) {
    const found = Array.isArray(options) ? 'array' : typeof options;
    const type =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    return throwStatus(
      badRequest(`${errorPrefix}json: cannot unmarshal ${found} into Go value of type ${type}`),
    );
  }
  const kind = stringAt(options, 'kind');
  if (kind === '' || kind === 'DeleteOptions') {
    const decoded = decodeObject(valueOfJson(options), deleteOptionsShape);
    return decoded.kind === 'error' ? throwStatus(badRequest(decoded.message)) : options;
  }
  const version = stringAt(options, 'apiVersion') || 'meta.k8s.io/v1';
  const message = `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
  return throwStatus(badRequest(message));
};

const policies = ['Foreground', 'Background', 'Orphan'];

const optionProblems = (options: JsonObject): readonly FieldError[] => {
  const problems: FieldError[] = [];
  const policy = stringAt(options, 'propagationPolicy');
  const field = 'propagationPolicy';
  if (options.has('orphanDependents') && policy !== '') {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    problems.push(invalidValue(field, policy, detail));
  }
  if (policy !== '' && !policies.includes(policy)) {
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
