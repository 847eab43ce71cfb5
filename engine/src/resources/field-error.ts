/** Field errors in kube-apiserver's words, with a function for each type. */
import { goJsonString } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { ApiErrorCause } from '../model/api-error.ts';
import type { Json } from '../model/json.ts';

/** An error of one field. */
export type FieldError = ApiErrorCause;

const withDetail = (text: string, detail: string): string =>
  detail === '' ? text : `${text}: ${detail}`;

/** Returns the error for a required field that is missing. */
export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field,
});

/** Returns the error for a field that must not be set. */
export const forbiddenField = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
  field,
});

/** Returns the error for an invalid value. */
export const invalidValue = (field: string, value: Json, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${shown(value)}`, detail),
  field,
});

/** Returns the error for a string with too many bytes. */
export const tooLong = (field: string, bytes: number): FieldError => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${bytes} bytes`,
  field,
});

/** Returns the error for a value that is not among the supported ones. */
export const notSupported = (
  field: string,
  value: string,
  supported: readonly string[],
): FieldError => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${goQuote(value)}: supported values: ${supported.map(goQuote).join(', ')}`,
  field,
});

/** Errors of one list, after which its other items are not validated: a body can have thousands of wrong items. */
const maxErrorsOfList = 1_000;

/** Validates the items of a list until there are too many errors. */
export const errorsOfItems = <T>(
  items: Iterable<T>,
  validate: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] => {
  const errors: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    if (errors.length >= maxErrorsOfList) break;
    errors.push(...validate(item, index));
    index += 1;
  }
  return errors;
};

/** Prints strings in Go's quotes and other values as JSON, up to a length. */
const shown = (value: Json): string => {
  const text = typeof value === 'string' ? goQuote(cut(value)) : printJson(value);
  return cut(text);
};

/** Characters of a value that an error shows; a body can repeat a value of megabytes in thousands of errors. */
const maxShownLength = 2_048;

const cut = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;

/** Prints a value as JSON, and stops once there is more than an error shows. */
const printJson = (value: Json): string => {
  let text = '';
  const print = (part: Json): void => {
    if (text.length > maxShownLength) return;
    if (typeof part === 'string') text += goJsonString(cut(part));
    else if (Array.isArray(part)) printList('[]', part, print);
    else if (part instanceof Map) {
      printList('{}', [...part], ([name, member]) => {
        text += `${goJsonString(name)}:`;
        print(member);
      });
    } else text += String(part);
  };
  const printList = <T>(brackets: string, items: readonly T[], printItem: (item: T) => void) => {
    text += brackets.charAt(0);
    for (const [index, item] of items.entries()) {
      if (text.length > maxShownLength) return;
      if (index > 0) text += ',';
      printItem(item);
    }
    text += brackets.charAt(1);
  };
  print(value);
  return text;
};
