/** Converts error responses of the API to `StoreError`s. */
import type { ApiError, ApiErrorDetails } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { StoreError, type StoreProblem } from '../../ports/store.ts';
import { objectAt, objectsAt, stringAt } from '../../resources/object-fields.ts';

/** Returns the error for a status code; `status` is the parsed body, if there is one. */
export const storeErrorOfStatus = (code: number, status: JsonObject | undefined): StoreError => {
  const apiError =
    status !== undefined && stringAt(status, 'kind') === 'Status'
      ? apiErrorOf(code, status)
      : undefined;
  const problem = problemOf(code, apiError?.reason ?? '');
  const message = apiError?.message || `HTTP status ${code}`;
  return new StoreError(problem, message, isForClient(problem) ? apiError : undefined);
};

/**
 * Returns whether the client gets the API's response. Other errors concern only this server and the
 * cluster.
 */
const isForClient = (problem: StoreProblem): boolean =>
  problem === 'refused' || problem === 'conflict' || problem === 'missing' || problem === 'exists';

const apiErrorOf = (code: number, status: JsonObject): ApiError => ({
  code,
  reason: stringAt(status, 'reason'),
  message: stringAt(status, 'message'),
  details: detailsOf(objectAt(status, 'details')),
});

const detailsOf = (details: JsonObject): ApiErrorDetails => {
  const causes = objectsAt(details, 'causes').map((cause) => ({
    reason: stringAt(cause, 'reason'),
    message: stringAt(cause, 'message'),
    field: stringAt(cause, 'field'),
  }));
  const optionalMember = (name: 'name' | 'group' | 'kind') => {
    const value = stringAt(details, name);
    return value === '' ? {} : { [name]: value };
  };
  return {
    ...optionalMember('name'),
    ...optionalMember('group'),
    ...optionalMember('kind'),
    ...(causes.length === 0 ? {} : { causes }),
  };
};

const problemOf = (code: number, reason: string): StoreProblem => {
  switch (code) {
    case 404:
      return 'missing';
    case 409:
      return reason === 'AlreadyExists' ? 'exists' : 'conflict';
    case 410:
      return 'gone';
    case 400:
    case 403:
    case 405:
    case 413:
    case 422:
      return 'refused';
    default:
      // This includes 401: the token may have been renewed by the next attempt.
      return 'unavailable';
  }
};
