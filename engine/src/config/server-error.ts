/** kube-apiserver's validation errors: how it prints a field, a value and a reason. */

import type { ServerError } from '../diagnostics/diagnostic.ts';
import { goJsonString } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';

const serverError = (
  type: ServerError['type'],
  field: string,
  { body, detail = '', badValue = '' }: Partial<ServerError> & { readonly body: string },
): ServerError => ({
  type,
  field,
  badValue,
  detail,
  message: `${field}: ${body}${detail === '' ? '' : `: ${detail}`}`,
});

export const requiredError = (field: string, detail = ''): ServerError =>
  serverError('FieldValueRequired', field, { body: 'Required value', detail });

const invalid = (field: string, badValue: string, printed: string, detail: string): ServerError =>
  serverError('FieldValueInvalid', field, { body: `Invalid value: ${printed}`, detail, badValue });

export const invalidError = (field: string, value: string, detail: string): ServerError =>
  invalid(field, value, goQuote(value), detail);

/** Returns an error for a value of a named string type, which kube-apiserver prints as JSON. */
export const invalidNamedError = (field: string, value: string, detail: string): ServerError =>
  invalid(field, value, goJsonString(value), detail);

export const duplicateError = (field: string, value: string): ServerError =>
  serverError('FieldValueDuplicate', field, {
    body: `Duplicate value: ${goQuote(value)}`,
    badValue: value,
  });

export const forbiddenError = (field: string, detail: string): ServerError =>
  serverError('FieldValueForbidden', field, { body: 'Forbidden', detail });

export const tooManyError = (field: string, count: number, limit: number): ServerError =>
  serverError('FieldValueTooMany', field, {
    body: `Too many: ${count}`,
    detail: `must have at most ${limit} items`,
    badValue: count,
  });

/** Returns an internal error. Releases before 1.36 do not keep its value. */
export const internalError = (
  field: string,
  detail: string,
  { keepsValue }: { readonly keepsValue: boolean },
): ServerError =>
  serverError('InternalError', field, {
    body: 'Internal error',
    detail,
    badValue: keepsValue ? detail : null,
  });

/** Returns the message that is shown to people: the detail, or the whole error if there is none. */
export const displayMessage = (error: ServerError): string =>
  error.detail === '' ? error.message.slice(error.field.length + 2) : error.detail;
