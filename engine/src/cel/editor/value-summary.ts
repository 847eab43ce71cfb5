/** A value as a person reads it beside a text: one short line of JSON, or the words of its type. */
import { escapeUnprintable } from '../../source/unprintable.ts';
import { isMap, mapEntries, VariableMap } from '../values/map-value.ts';
import { printValue } from '../values/print-value.ts';
import { CelOptional, type CelValue, isList } from '../values/value.ts';
import { valueData } from '../values/value-data.ts';

/** Not safe to show as it stands: texts are foreign. Of long ones the beginning is enough. */
export const shownValue = (value: CelValue): string => {
  if (value instanceof CelOptional)
    return value.value === undefined ? 'absent' : `optional ${shownValue(value.value)}`;
  if (value instanceof VariableMap) return shownValue(value.record);
  const data = valueData(shortened(value, 4));
  return typeof data === 'string' && typeof value !== 'string' ? data : shownJson(data);
};

/**
 * JSON data in its own notation. What nobody would see, or would see something else for, stands there as
 * an escape; where a text is shown without quotes, `printable` shows a picture of it.
 */
export const shownJson = (data: unknown): string => escapeUnprintable(JSON.stringify(data));

const mostItems = 24;
const mostLetters = 400;

/** Claims may be large: nobody reads more than a line of them. */
const shortened = (value: CelValue, depth: number): CelValue => {
  if (typeof value === 'string') return value.slice(0, mostLetters);
  if (isList(value)) {
    if (depth === 0) return '…';
    return value.slice(0, mostItems).map((item) => shortened(item, depth - 1));
  }
  if (value === null || !isMap(value)) return value;
  if (depth === 0) return '…';
  const entries = mapEntries(value).slice(0, mostItems);
  return Object.fromEntries(
    entries.map(([key, entry]) => [printValue(key), shortened(entry, depth - 1)]),
  );
};
