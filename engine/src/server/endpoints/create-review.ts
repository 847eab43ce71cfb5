/**
 * What review endpoints do around their decision: the form of the answer, the form of the body, the body
 * itself, its options and its fields, in the real server's order; and the review in its form.
 */
import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import {
  type ApiError,
  badRequest,
  bodyTooLarge,
  formNotAcceptable,
  notAcceptable,
  unsupportedMediaType,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { ReviewVersion } from '../api-groups.ts';
import { type HandlerResponse, errorResponse, objectResponse } from '../http/handler-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import type { DecodedValue } from '../wire/decode-object.ts';
import {
  type Format,
  inputFormat,
  mediaTypeNames,
  type ObjectForm,
  outputFormat,
  routerAccepts,
} from '../wire/media-type.ts';
import { type ReviewKind, readReview } from '../wire/read-review.ts';
import type { ReviewTypeMeta } from '../wire/write-review.ts';
import { createOptions, type FieldValidation } from './create-options.ts';

interface ReviewError {
  readonly kind: 'error';
  readonly error: ApiError;
}

/** A body that may be read, and how. */
export interface ReviewBytes {
  readonly kind: 'bytes';
  readonly format: Format;
  readonly bytes: Uint8Array;
  readonly fieldValidation: FieldValidation;
  /** `fieldManager` of the query; empty when none. */
  readonly fieldManager: string;
}

/** What the path says that a review is. */
export interface ReviewType {
  readonly group: string;
  readonly version: ReviewVersion;
  readonly kind: ReviewKind;
}

export type ReviewFields =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, DecodedValue> }
  | ReviewError;

const failed = (error: ApiError): ReviewError => ({ kind: 'error', error });

/** The body of an authorized request, once it is known that its answer can be told. */
export const reviewBytes = async (exchange: Exchange): Promise<ReviewBytes | ReviewError> => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) return failed(notAcceptable(mediaTypeNames));
  if (outputFormat(accept, 'resource') === undefined)
    return failed(formNotAcceptable(mediaTypeNames));
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return failed(unsupportedMediaType(mediaTypeNames));
  const body = await exchange.readBody(bodyLimits.bytes);
  if (body.kind === 'tooLarge') return failed(bodyTooLarge(bodyLimits.bytes));
  if (body.kind === 'broken') return failed(badRequest('unexpected EOF'));
  const options = createOptions(exchange.target);
  if (options.kind === 'error') return failed(options.error);
  const { fieldValidation, fieldManager } = options;
  return { kind: 'bytes', format, bytes: body.bytes, fieldValidation, fieldManager };
};

/** Reads the review; warnings go to the exchange. */
export const reviewFields = (
  exchange: Exchange,
  { format, bytes, fieldValidation }: ReviewBytes,
  { group, version, kind }: ReviewType,
): ReviewFields => {
  const review = readReview({ format, bytes, group, version, kind, validation: fieldValidation });
  exchange.warnings.push(...review.warnings);
  return review.kind === 'error' ? failed(review.error) : { kind: 'fields', fields: review.fields };
};

/** The review that was made, or its metadata alone where the client wants no more. */
export const reviewAnswer = (
  exchange: Exchange,
  review: OutputMap,
  typeMeta: ReviewTypeMeta,
): HandlerResponse => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), 'resource');
  if (choice?.form === undefined) return objectResponse(exchange, 201, review, 'resource');
  if (choice.form !== 'PartialObjectMetadata') {
    return errorResponse(exchange, wrongFormError(choice.form, typeMeta.kind));
  }
  const partial = outputMap(
    ['kind', choice.form],
    ['apiVersion', `meta.k8s.io/${choice.formVersion}`],
    ['metadata', review.get('metadata')],
  );
  return objectResponse(exchange, 201, partial, 'resource');
};

const wrongFormError = (form: ObjectForm, kind: string): ApiError => ({
  code: 406,
  reason: 'NotAcceptable',
  message: `you requested ${form}, but the requested object is not a list (*authentication.${kind})`,
});
