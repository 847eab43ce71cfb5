/** What the API's refusals mean to the reader of a store. */
import type { ApiError, ApiErrorDetails } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { StoreError, type StoreProblem } from '../../ports/store.ts';
import { objectAt, objectsAt, textAt } from '../../resources/object-fields.ts';

/** `status` is the body, where it is one. */
export const problemOfStatus = (code: number, status: JsonObject | undefined): StoreError => {
  const answer =
    status !== undefined && textAt(status, 'kind') === 'Status'
      ? answerOf(code, status)
      : undefined;
  const problem = problemOf(code, answer?.reason ?? '');
  const message = answer?.message || `HTTP status ${code}`;
  return new StoreError(problem, message, isTold(problem) ? answer : undefined);
};

/** What is wrong with the request; the rest is between this server and the cluster. */
const isTold = (problem: StoreProblem): boolean =>
  problem === 'refused' || problem === 'conflict' || problem === 'missing' || problem === 'exists';

const answerOf = (code: number, status: JsonObject): ApiError => ({
  code,
  reason: textAt(status, 'reason'),
  message: textAt(status, 'message'),
  details: detailsOf(objectAt(status, 'details')),
});

const detailsOf = (details: JsonObject): ApiErrorDetails => {
  const causes = objectsAt(details, 'causes').map((cause) => ({
    reason: textAt(cause, 'reason'),
    message: textAt(cause, 'message'),
    field: textAt(cause, 'field'),
  }));
  const told = (name: 'name' | 'group' | 'kind') => {
    const value = textAt(details, name);
    return value === '' ? {} : { [name]: value };
  };
  return {
    ...told('name'),
    ...told('group'),
    ...told('kind'),
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
      // 401 too: the token may have been renewed by the time of the next try.
      return 'unavailable';
  }
};
