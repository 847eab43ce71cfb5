/**
 * What both review endpoints do before they answer: the form of the answer, the form of the body,
 * the body itself, its options and its fields, in the real server's order.
 */
import {
  type ApiError,
  badRequest,
  bodyTooLarge,
  formNotAcceptable,
  notAcceptable,
  unsupportedMediaType,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import type { Field } from '../wire/decode-object.ts';
import { inputFormat, mediaTypeNames, outputFormat, routerAccepts } from '../wire/media-type.ts';
import { type ReviewKind, readReview } from '../wire/read-review.ts';
import { createOptions } from './create-options.ts';

export type ReviewBody =
  | {
      readonly kind: 'body';
      readonly fields: ReadonlyMap<string, Field>;
      /** `fieldManager` of the query; empty when none. */
      readonly fieldManager: string;
    }
  | { readonly kind: 'error'; readonly error: ApiError };

const refused = (error: ApiError): ReviewBody => ({ kind: 'error', error });

/** Reads the review of an authorized request; warnings go to the exchange. */
export const createReview = async (
  exchange: Exchange,
  { group, kind }: { readonly group: string; readonly kind: ReviewKind },
): Promise<ReviewBody> => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return refused(notAcceptable(mediaTypeNames));
  if (outputFormat(accept, 'resource') === undefined)
    return refused(formNotAcceptable(mediaTypeNames));
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return refused(unsupportedMediaType(mediaTypeNames));
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return refused(bodyTooLarge(bodyLimits.bytes));
  if (body.kind === 'broken') return refused(badRequest('unexpected EOF'));
  const options = createOptions(exchange.target);
  if (options.kind === 'error') return refused(options.error);
  const review = readReview({
    format,
    bytes: body.bytes,
    group,
    kind,
    validation: options.fieldValidation,
  });
  exchange.warnings.push(...review.warnings);
  if (review.kind === 'error') return refused(review.error);
  return { kind: 'body', fields: review.fields, fieldManager: options.fieldManager };
};
