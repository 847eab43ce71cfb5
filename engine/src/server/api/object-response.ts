/** Responses with stored objects: whole objects, tables or metadata only. */
import { goQuote } from '../../formats/go-quote.ts';
import {
  type ApiError,
  badRequest,
  formNotAcceptable,
  notAcceptable,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { stringAt, withMember } from '../../resources/object-fields.ts';
import type { Exchange } from '../http/exchange.ts';
import { type HandlerResponse, objectResponse } from '../http/handler-response.ts';
import {
  type MetaVersion,
  mediaTypeNames,
  type ObjectForm,
  outputFormat,
  routerAccepts,
} from '../wire/media-type.ts';
import { partial, shownObject } from './shown-object.ts';
import { throwStatus } from './status-error.ts';
import { type ListMeta, listMetadata, tableOf } from './table.ts';
import type { ObjectTarget } from './target.ts';

/** The media types of list responses, which include streams for watches. */
const listTypeNames: readonly string[] = [
  ...mediaTypeNames,
  ...mediaTypeNames.filter((name) => !name.endsWith('yaml')).map((name) => `${name};stream=watch`),
];

/** Rejects a request if no response format is acceptable; called before any other work. */
export const requireAcceptable = (
  exchange: Exchange,
  responseKind: 'object' | 'list' = 'object',
): void => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) {
    throwStatus(notAcceptable(responseKind === 'list' ? listTypeNames : mediaTypeNames));
  }
  if (outputFormat(accept, 'stored') === undefined) throwStatus(formNotAcceptable(mediaTypeNames));
};

/** Returns one object. */
export const storedObjectResponse = (
  exchange: Exchange,
  target: ObjectTarget,
  {
    status,
    object,
    now,
  }: { readonly status: number; readonly object: JsonObject; readonly now: number },
): HandlerResponse => {
  const { form, version } = formOf(exchange);
  const shown = shownObject(object, target);
  if (form === 'PartialObjectMetadataList') {
    return throwStatus(wrongForm(form, 'is not a list', { target, suffix: '' }));
  }
  if (form === 'Table') {
    const meta = { revision: stringAt(object, 'metadata', 'resourceVersion') };
    const table = tableOf([object], target, { now, meta, include: includeOf(exchange), version });
    return objectResponse(exchange, status, table, 'stored');
  }
  if (form === 'PartialObjectMetadata') {
    return objectResponse(exchange, status, partial(shown, version), 'stored');
  }
  return objectResponse(exchange, status, shown, 'stored');
};

/** Returns a list, in the given order. */
export const listResponse = (
  exchange: Exchange,
  target: ObjectTarget,
  {
    objects,
    meta,
    now,
  }: { readonly objects: readonly JsonObject[]; readonly meta: ListMeta; readonly now: number },
): HandlerResponse => {
  const { form, version } = formOf(exchange);
  if (form === 'Table') {
    const table = tableOf(objects, target, { now, meta, include: includeOf(exchange), version });
    return objectResponse(exchange, 200, table, 'stored');
  }
  if (form === 'PartialObjectMetadata') {
    return throwStatus(wrongForm(form, 'is a list', { target, suffix: 'List' }));
  }
  const shown = objects.map((object) => shownObject(object, target));
  const isPartial = form === 'PartialObjectMetadataList';
  const items = shown.map((object) => (isPartial ? partial(object, version) : withoutType(object)));
  return objectResponse(
    exchange,
    200,
    new Map<string, Json>([
      ['kind', isPartial ? 'PartialObjectMetadataList' : `${target.rules.row.kind}List`],
      ['apiVersion', isPartial ? `meta.k8s.io/${version}` : target.apiVersion],
      ['metadata', listMetadata(meta)],
      ['items', isPartial && items.length === 0 ? null : items],
    ]),
    'stored',
  );
};

/** Removes the type, which list items do not have. */
const withoutType = (object: JsonObject): Json =>
  withMember(withMember(object, ['kind'], undefined), ['apiVersion'], undefined);

/** Returns the requested form of objects; `undefined` for whole objects. */
export const formOf = (
  exchange: Exchange,
): { readonly form: ObjectForm | undefined; readonly version: MetaVersion } => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), 'stored');
  return { form: choice?.form, version: choice?.formVersion ?? 'v1' };
};

/** Returns the 406 for a form that does not fit the response. */
const wrongForm = (
  form: string,
  why: string,
  { target, suffix }: { readonly target: ObjectTarget; readonly suffix: string },
): ApiError => {
  const { kind, group } = target.rules.row;
  const type = `*${group === '' ? 'core' : 'rbac'}.${kind}${suffix}`;
  return {
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${form}, but the requested object ${why} (${type})`,
  };
};

/** Returns `includeObject`: the content of table rows. */
export const includeOf = (exchange: Exchange): string => {
  const include = exchange.target.query.get('includeObject')?.[0] ?? '';
  if (['', 'None', 'Metadata', 'Object'].includes(include)) return include;
  const problem = `includeObject: Invalid value: ${goQuote(include)}: must be 'Metadata', 'Object', 'None', or empty`;
  return throwStatus(badRequest(`Unable to convert to Table as requested: ${problem}`));
};
