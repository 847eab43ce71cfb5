/** Errors about an object, in kube-apiserver's words. */
import { goQuote } from '../formats/go-quote.ts';
import type { ApiError, ApiErrorDetails } from '../model/api-error.ts';

/** The resource or the kind of an object that an error is about. */
export interface ErrorSubject {
  readonly kind: string;
  readonly group: string;
}

/** Returns a resource or a kind with its group, if it has one. */
export const qualifiedKind = ({ kind, group }: ErrorSubject): string =>
  group === '' ? kind : `${kind}.${group}`;

/** Returns the details of an error about an object; the name is absent if it is empty. */
export const objectDetails = ({ kind, group }: ErrorSubject, name: string): ApiErrorDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind,
});

/** Creates the 404 response for an object. */
export const objectNotFound = (subject: ErrorSubject, name: string): ApiError => ({
  code: 404,
  reason: 'NotFound',
  message: `${qualifiedKind(subject)} ${goQuote(name)} not found`,
  details: objectDetails(subject, name),
});

/** Creates a 409 response; `why` follows the colon of the message. */
export const objectConflict = (subject: ErrorSubject, name: string, why: string): ApiError => ({
  code: 409,
  reason: 'Conflict',
  message: `Operation cannot be fulfilled on ${qualifiedKind(subject)} ${goQuote(name)}: ${why}`,
  details: objectDetails(subject, name),
});
