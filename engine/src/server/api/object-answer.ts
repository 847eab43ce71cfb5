/** Stored objects as answers: as they are, as a table, as metadata alone. */
import { type ApiError, formNotAcceptable, notAcceptable } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { textAt, withMember } from '../../resources/object-fields.ts';
import { type Answer, objectAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { partial, shownObject } from './shown-object.ts';
import { type ListMeta, listMetadata, tableOf } from './table.ts';
import type { ObjectTarget } from './target.ts';

/** Can the client be answered at all? Asked before any work. */
export const acceptProblem = (exchange: Exchange): ApiError | undefined => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return notAcceptable(mediaTypeNames);
  return outputFormat(accept, 'stored') === undefined
    ? formNotAcceptable(mediaTypeNames)
    : undefined;
};

/** One object. */
export const storedAnswer = (
  exchange: Exchange,
  target: ObjectTarget,
  {
    status,
    object,
    now,
  }: { readonly status: number; readonly object: JsonObject; readonly now: number },
): Answer => {
  const form = formOf(exchange);
  const shown = shownObject(object, target);
  if (form === 'Table') {
    const meta = { revision: textAt(object, 'metadata', 'resourceVersion') };
    const table = tableOf([object], target, { now, meta, include: includeOf(exchange) });
    return objectAnswer(exchange, status, table, 'stored');
  }
  if (form === 'PartialObjectMetadata') {
    return objectAnswer(exchange, status, partial(shown), 'stored');
  }
  return objectAnswer(exchange, status, shown, 'stored');
};

/** A list in the order in which it was given. */
export const listAnswer = (
  exchange: Exchange,
  target: ObjectTarget,
  {
    objects,
    meta,
    now,
  }: { readonly objects: readonly JsonObject[]; readonly meta: ListMeta; readonly now: number },
): Answer => {
  const form = formOf(exchange);
  if (form === 'Table') {
    const table = tableOf(objects, target, { now, meta, include: includeOf(exchange) });
    return objectAnswer(exchange, 200, table, 'stored');
  }
  const shown = objects.map((object) => shownObject(object, target));
  const isPartial = form === 'PartialObjectMetadataList' || form === 'PartialObjectMetadata';
  return objectAnswer(
    exchange,
    200,
    new Map<string, Json>([
      ['kind', isPartial ? 'PartialObjectMetadataList' : `${target.rules.row.kind}List`],
      ['apiVersion', isPartial ? 'meta.k8s.io/v1' : target.apiVersion],
      ['metadata', listMetadata(meta)],
      ['items', isPartial ? shown.map(partial) : shown.map(withoutType)],
    ]),
    'stored',
  );
};

/** Items of a list do not say what they are: the list does. */
const withoutType = (object: JsonObject): Json =>
  withMember(withMember(object, ['kind'], undefined), ['apiVersion'], undefined);

/** The form in which the client wants objects; `undefined`: as they are. */
export const formOf = (exchange: Exchange) =>
  outputFormat(firstHeader(exchange.headers, 'accept'), 'stored')?.form;

/** `includeObject`: what the rows of a table carry. */
export const includeOf = (exchange: Exchange): string =>
  exchange.target.query.get('includeObject')?.[0] ?? 'Metadata';
