/** What is wrong with a field, in the real server's words: one function for each of its sorts. */
import { goJsonString } from '../formats/go-json-string.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { ApiErrorCause } from '../model/api-error.ts';
import type { Json } from '../model/json.ts';

/** One thing that is wrong, at its field. */
export type FieldError = ApiErrorCause;

const withDetail = (text: string, detail: string): string =>
  detail === '' ? text : `${text}: ${detail}`;

/** A field that must be there. */
export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field,
});

/** A field that must not be there. */
export const forbiddenField = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
  field,
});

/** A value that cannot be. */
export const invalidValue = (field: string, value: Json, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${shown(value)}`, detail),
  field,
});

/** A text with too many bytes. */
export const tooLong = (field: string, bytes: number): FieldError => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${bytes} bytes`,
  field,
});

/** A value that is not among those that there are. */
export const notSupported = (
  field: string,
  value: string,
  supported: readonly string[],
): FieldError => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${goQuote(value)}: supported values: ${supported.map(goQuote).join(', ')}`,
  field,
});

/** Texts in Go's quotes, everything else as JSON. */
const shown = (value: Json): string => (typeof value === 'string' ? goQuote(value) : json(value));

const json = (value: Json): string => {
  if (typeof value === 'string') return goJsonString(value);
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`;
  if (!(value instanceof Map)) return String(value);
  const members = Array.from(
    value,
    ([name, member]: [string, Json]) => `${goJsonString(name)}:${json(member)}`,
  );
  return `{${members.join(',')}}`;
};
