/** What the API's refusals mean to the reader of a store. */
import type { JsonObject } from '../../model/json.ts';
import { StoreError, type StoreProblem } from '../../ports/store.ts';

/** `status` is the body, where it is one. */
export const problemOfStatus = (code: number, status: JsonObject | undefined): StoreError => {
  const text = (name: string): string => {
    const value = status?.get(name);
    return typeof value === 'string' ? value : '';
  };
  const message = text('message') === '' ? `HTTP status ${code}` : text('message');
  return new StoreError(problemOf(code, text('reason')), message);
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
