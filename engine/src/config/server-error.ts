/** kube-apiserver's validation errors: how it prints a field, a value and a reason. */

import type { ServerError } from '../diagnostics/diagnostic.ts';
import { goJsonString } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';

export const requiredError = (field: string, detail = ''): ServerError => ({
  type: 'FieldValueRequired',
  field,
  badValue: '',
  detail,
  message: errorLine(field, 'Required value', detail),
});

export const invalidError = (field: string, value: string, detail: string): ServerError => ({
  type: 'FieldValueInvalid',
  field,
  badValue: value,
  detail,
  message: errorLine(field, `Invalid value: ${goQuote(value)}`, detail),
});

/** Returns an error for a value of a named string type, which kube-apiserver prints as JSON. */
export const invalidNamedError = (field: string, value: string, detail: string): ServerError => ({
  type: 'FieldValueInvalid',
  field,
  badValue: value,
  detail,
  message: errorLine(field, `Invalid value: ${goJsonString(value)}`, detail),
});

export const duplicateError = (field: string, value: string): ServerError => ({
  type: 'FieldValueDuplicate',
  field,
  badValue: value,
  detail: '',
  message: errorLine(field, `Duplicate value: ${goQuote(value)}`, ''),
});

export const forbiddenError = (field: string, detail: string): ServerError => ({
  type: 'FieldValueForbidden',
  field,
  badValue: '',
  detail,
  message: errorLine(field, 'Forbidden', detail),
});

export const tooManyError = (field: string, count: number, limit: number): ServerError => {
  const detail = `must have at most ${limit} items`;
  return {
    type: 'FieldValueTooMany',
    field,
    badValue: count,
    detail,
    message: errorLine(field, `Too many: ${count}`, detail),
  };
};

/** Returns an internal error. Releases before 1.36 do not keep its value. */
export const internalError = (
  field: string,
  detail: string,
  options: { readonly keepsValue: boolean },
): ServerError => ({
  type: 'InternalError',
  field,
  badValue: options.keepsValue ? detail : null,
  detail,
  message: errorLine(field, 'Internal error', detail),
});

/** Returns the message that is shown to people: the detail, or the whole error if there is none. */
export const displayMessage = (error: ServerError): string =>
  error.detail === '' ? error.message.slice(error.field.length + 2) : error.detail;

const errorLine = (field: string, body: string, detail: string): string =>
  `${field}: ${body}${detail === '' ? '' : `: ${detail}`}`;
