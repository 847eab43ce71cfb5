/** Errors about stored objects, with kube-apiserver's messages. */
import { goQuote } from '../../formats/go-quote.ts';
import { type ApiError, internalError, overloaded } from '../../model/api-error.ts';
import type { StoreError } from '../../ports/store.ts';
import { requestLimits } from '../limits.ts';
import type { ObjectTarget } from './target.ts';

/** The resource, with its group if it has one. */
export type Subject = Pick<ObjectTarget, 'group' | 'rules'>;

const detailsOf = ({ group, rules }: Subject, name: string) => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: rules.row.resource,
});

const qualified = ({ group, rules }: Subject): string =>
  group === '' ? rules.row.resource : `${rules.row.resource}.${group}`;

export const notFound = (subject: Subject, name: string): ApiError => ({
  code: 404,
  reason: 'NotFound',
  message: `${qualified(subject)} ${goQuote(name)} not found`,
  details: detailsOf(subject, name),
});

export const namespaceNotFound = (name: string): ApiError => ({
  code: 404,
  reason: 'NotFound',
  message: `namespaces ${goQuote(name)} not found`,
  details: { name, kind: 'namespaces' },
});

/** The name is taken. */
export const alreadyExists = (subject: Subject, name: string): ApiError => ({
  code: 409,
  reason: 'AlreadyExists',
  message: `${qualified(subject)} ${goQuote(name)} already exists`,
  details: detailsOf(subject, name),
});

/** Returns a conflict; `why` follows the colon of the message. */
export const conflict = (subject: Subject, name: string, why: string): ApiError => ({
  code: 409,
  reason: 'Conflict',
  message: `Operation cannot be fulfilled on ${qualified(subject)} ${goQuote(name)}: ${why}`,
  details: detailsOf(subject, name),
});

/** Returns the error of a deletion's precondition, which names the kind instead of the resource. */
export const deletionConflict = (subject: Subject, name: string, why: string): ApiError => {
  const { kind } = subject.rules.row;
  const shown = subject.group === '' ? kind : `${kind}.${subject.group}`;
  return {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${shown} ${goQuote(name)}: ${why}`,
    details: { name, ...(subject.group === '' ? {} : { group: subject.group }), kind },
  };
};

export const optimisticLockMessage =
  'the object has been modified; please apply your changes to the latest version and try again';

export const forbiddenObject = (subject: Subject, name: string, why: string): ApiError => ({
  code: 403,
  reason: 'Forbidden',
  message: `${qualified(subject)} ${goQuote(name)} is forbidden: ${why}`,
  details: detailsOf(subject, name),
});

/** Returns a 410: the client has to start its list or watch again. */
export const expired = (message: string): ApiError => ({ code: 410, reason: 'Expired', message });

/** Converts an error of the store. */
export const storeApiError = (error: StoreError, subject: Subject, name: string): ApiError => {
  if (error.answer !== undefined) return error.answer;
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
