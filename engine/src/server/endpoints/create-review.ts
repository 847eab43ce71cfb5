/**
 * The common part of review endpoints: format of the response, format of the body, the body, its
 * options and its fields, in kube-apiserver's order; then the review in the requested format.
 */
import type { DecodedValue } from '../../formats/go-struct/decode.ts';
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
import type { Exchange } from '../http/exchange.ts';
import { errorResponse, type HandlerResponse, objectResponse } from '../http/handler-response.ts';
import { bodyLimits } from '../limits.ts';
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

/** A body and the options to decode it. */
export interface ReviewBytes {
  readonly kind: 'bytes';
  readonly format: Format;
  readonly bytes: Uint8Array;
  readonly fieldValidation: FieldValidation;
  /** The `fieldManager` query parameter; empty if absent. */
  readonly fieldManager: string;
}

/** The type of review that the path names. */
export interface ReviewType {
  readonly group: string;
  readonly version: ReviewVersion;
  readonly kind: ReviewKind;
}

export type ReviewFields =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, DecodedValue> }
  | ReviewError;

const failed = (error: ApiError): ReviewError => ({ kind: 'error', error });

/** Reads the body of an authorized request, after its response format has been negotiated. */
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

/** Decodes the review; warnings are added to the exchange. */
export const reviewFields = (
  exchange: Exchange,
  { format, bytes, fieldValidation }: ReviewBytes,
  { group, version, kind }: ReviewType,
): ReviewFields => {
  const review = readReview({ format, bytes, group, version, kind, validation: fieldValidation });
  exchange.warnings.push(...review.warnings);
  return review.kind === 'error' ? failed(review.error) : { kind: 'fields', fields: review.fields };
};

/** Returns the review, or its metadata only if the client asks for that. */
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
