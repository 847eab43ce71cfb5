/** Errors about stored objects, with kube-apiserver's messages. */
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiError, internalError, overloaded } from '../../model/api-error.ts';
import type { StoreError } from '../../ports/store.ts';
import {
  type ErrorSubject,
  objectConflict,
  objectDetails,
  objectNotFound,
  qualifiedKind,
} from '../../resources/object-error.ts';
import { requestLimits } from '../limits.ts';
import type { ObjectTarget } from './target.ts';

/** The resource, with its group if it has one. */
export type Subject = Pick<ObjectTarget, 'group' | 'rules'>;

const resourceOf = ({ group, rules }: Subject): ErrorSubject => ({
  kind: rules.row.resource,
  group,
});

export const notFound = (subject: Subject, name: string): ApiError =>
  objectNotFound(resourceOf(subject), name);

export const namespaceNotFound = (name: string): ApiError =>
  objectNotFound({ kind: 'namespaces', group: '' }, name);

/** The name is taken. */
export const alreadyExists = (subject: Subject, name: string): ApiError => ({
  code: 409,
  reason: 'AlreadyExists',
  message: `${qualifiedKind(resourceOf(subject))} ${goQuote(name)} already exists`,
  details: objectDetails(resourceOf(subject), name),
});

/** Returns a conflict; `why` follows the colon of the message. */
export const conflict = (subject: Subject, name: string, why: string): ApiError =>
  objectConflict(resourceOf(subject), name, why);

/** Returns the error of a deletion's precondition, which names the kind instead of the resource. */
export const deletionConflict = ({ group, rules }: Subject, name: string, why: string): ApiError =>
  objectConflict({ kind: rules.row.kind, group }, name, why);

export const optimisticLockMessage =
  'the object has been modified; please apply your changes to the latest version and try again';

export const forbiddenObject = (subject: Subject, name: string, why: string): ApiError => ({
  code: 403,
  reason: 'Forbidden',
  message: `${qualifiedKind(resourceOf(subject))} ${goQuote(name)} is forbidden: ${why}`,
  details: objectDetails(resourceOf(subject), name),
});

/** Returns a 410: the client has to start its list or watch again. */
export const expired = (message: string): ApiError => ({ code: 410, reason: 'Expired', message });

/** Converts an error of the store. */
export const storeApiError = (error: StoreError, subject: Subject, name: string): ApiError => {
  if (error.apiError !== undefined) return error.apiError;
  switch (error.problem) {
    case 'exists':
      return alreadyExists(subject, name);
    case 'missing':
      return notFound(subject, name);
    case 'conflict':
      return conflict(subject, name, error.message);
    case 'gone':
      return expired('The resourceVersion for the provided watch is too old.');
    case 'refused':
      return forbiddenObject(subject, name, error.message);
    case 'unavailable':
      return { ...overloaded(requestLimits.retryAfterSeconds), message: error.message };
    default:
      return internalError(error.message);
  }
};
