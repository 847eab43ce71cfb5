/**
 * The common part of review endpoints: format of the response, format of the body, the body, its
 * options and its fields, in kube-apiserver's order; then the review in the requested format.
 */
import type { Fields } from '../../formats/go-struct/decode.ts';
import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import {
  type ApiError,
  formNotAcceptable,
  notAcceptable,
  unsupportedMediaType,
} from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import { bytesOf } from '../api/read-body.ts';
import { throwStatus } from '../api/status-error.ts';
import type { ReviewVersion } from '../api-groups.ts';
import type { Exchange } from '../http/exchange.ts';
import { type HandlerResponse, objectResponse } from '../http/handler-response.ts';
import { bodyLimits } from '../limits.ts';
import {
  type Format,
  inputFormat,
  mediaTypeNames,
  type ObjectForm,
  outputFormat,
  routerAccepts,
} from '../wire/media-type.ts';
import type { ObjectBody } from '../wire/read-object.ts';
import { type ReviewKind, readReview } from '../wire/read-review.ts';
import type { ReviewTypeMeta } from '../wire/write-review.ts';
import { type CreateOptions, createOptions } from './create-options.ts';

/** A body and the options to decode it. */
export interface ReviewBytes extends CreateOptions {
  readonly format: Format;
  readonly bytes: Uint8Array;
}

/** The type of review that the path names. */
export interface ReviewType {
  readonly group: string;
  readonly version: ReviewVersion;
  readonly kind: ReviewKind;
}

/**
 * Reads the body of an authorized request, after its response format has been negotiated. Throws a
 * `StatusError` like the functions below.
 */
export const reviewBytes = async (exchange: Exchange): Promise<ReviewBytes> => {
  const accept = firstHeader(exchange.headers, 'accept');
  if (!routerAccepts(accept)) throwStatus(notAcceptable(mediaTypeNames));
  if (outputFormat(accept, 'resource') === undefined)
    throwStatus(formNotAcceptable(mediaTypeNames));
  const format = inputFormat(firstHeader(exchange.headers, 'content-type'));
  if (format === undefined) return throwStatus(unsupportedMediaType(mediaTypeNames));
  const bytes = bytesOf(await exchange.readBody(bodyLimits.bytes));
  return { format, bytes, ...createOptions(exchange.target) };
};

/** Decodes the review; warnings are added to the exchange. */
export const reviewFields = (
  exchange: Exchange,
  { format, bytes, fieldValidation }: ReviewBytes,
  { group, version, kind }: ReviewType,
): Fields =>
  fieldsOf(
    exchange,
    readReview({ format, bytes, group, version, kind, validation: fieldValidation }),
  );

/** Returns the fields of a decoded body; warnings are added to the exchange. */
export const fieldsOf = (exchange: Exchange, body: ObjectBody): Fields => {
  exchange.warnings.push(...body.warnings);
  return body.kind === 'error' ? throwStatus(body.error) : body.fields;
};

/** Returns the review, or its metadata only if the client requests that. */
export const reviewResponse = (
  exchange: Exchange,
  review: OutputMap,
  typeMeta: ReviewTypeMeta,
): HandlerResponse => {
  const choice = outputFormat(firstHeader(exchange.headers, 'accept'), 'resource');
  if (choice?.form === undefined) return objectResponse(exchange, 201, review, 'resource');
  if (choice.form !== 'PartialObjectMetadata') {
    return throwStatus(wrongFormError(choice.form, typeMeta.kind));
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
