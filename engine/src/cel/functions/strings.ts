/** The strings library, version 2. Indexes count code points. */

import { formatString, formatStringUntil32 } from '../values/string-format.ts';
import {
  charAt,
  indexInRange,
  indexOf,
  indexOfAnyEmpty,
  join,
  lastIndexInNonEmpty,
  lastIndexInRange,
  lastIndexOf,
  lastIndexOfAnyEmpty,
  lowerAscii,
  quote,
  replace,
  split,
  substring,
  trim,
  upperAscii,
} from '../values/string-operations.ts';
import { dynType, intType, listOf, stringType } from '../values/types.ts';
import { declare, global, member, members, type ParametersById } from './declare.ts';
import type { CelLibrary } from './library.ts';

const indexParameters: ParametersById = {
  string_index_of_string: [stringType, stringType],
  string_index_of_string_int: [stringType, stringType, intType],
};
const lastIndexParameters: ParametersById = {
  string_last_index_of_string: [stringType, stringType],
};
const lastIndexFromParameters: ParametersById = {
  string_last_index_of_string_int: [stringType, stringType, intType],
};

/** The `strings` library. */
export const stringsLibrary: CelLibrary = {
  name: 'strings',
  since: 30,
  doc: 'Functions of strings, whose indexes count code points.',
  functions: [
    declare(
      'charAt',
      'Returns the character at an index; at the length of the string, an empty string.',
      [member('string_char_at_int', [stringType, intType], stringType, charAt)],
    ),
    declare('format', 'Replaces %s, %d, %f, %e, %b, %x and %o with formatted values.', [
      member('string_format', [stringType, listOf(dynType)], stringType, formatStringUntil32, {
        until: 32,
      }),
      member('string_format', [stringType, listOf(dynType)], stringType, formatString, {
        since: 33,
      }),
    ]),
    declare('indexOf', 'Returns the first index of a string in another, or -1.', [
      ...members(intType, indexInRange, indexParameters, { until: 31 }),
      ...members(intType, indexOfAnyEmpty, indexParameters, { since: 32, until: 36 }),
      ...members(intType, indexOf, indexParameters, { since: 37 }),
    ]),
    declare(
      'join',
      'Joins a list of strings with an optional separator.',
      members(stringType, join, {
        list_join: [listOf(stringType)],
        list_join_string: [listOf(stringType), stringType],
      }),
    ),
    declare('lastIndexOf', 'Returns the last index of a string in another, or -1.', [
      ...members(intType, lastIndexInNonEmpty, lastIndexParameters, { until: 33 }),
      ...members(intType, lastIndexOf, lastIndexParameters, { since: 34 }),
      ...members(intType, lastIndexInRange, lastIndexFromParameters, { until: 31 }),
      ...members(intType, lastIndexOfAnyEmpty, lastIndexFromParameters, { since: 32, until: 36 }),
      ...members(intType, lastIndexOf, lastIndexFromParameters, { since: 37 }),
    ]),
    declare('lowerAscii', 'Converts ASCII letters to lowercase.', [
      member('string_lower_ascii', [stringType], stringType, lowerAscii),
    ]),
    declare(
      'replace',
      'Replaces all occurrences of a string, or the first ones up to a limit.',
      members(stringType, replace, {
        string_replace_string_string: [stringType, stringType, stringType],
        string_replace_string_string_int: [stringType, stringType, stringType, intType],
      }),
    ),
    declare(
      'split',
      'Splits a string at a separator into a list.',
      members(listOf(stringType), split, {
        string_split_string: [stringType, stringType],
        string_split_string_int: [stringType, stringType, intType],
      }),
    ),
    declare('strings.quote', 'Quotes a string and escapes special characters.', [
      global('strings_quote', [stringType], stringType, quote),
    ]),
    declare('substring', 'Returns a part of a string from an index, up to an optional end.', [
      member('string_substring_int', [stringType, intType], stringType, substring),
      member('string_substring_int_int', [stringType, intType, intType], stringType, substring),
    ]),
    declare('trim', 'Removes white space from both ends.', [
      member('string_trim', [stringType], stringType, trim),
    ]),
    declare('upperAscii', 'Converts ASCII letters to uppercase.', [
      member('string_upper_ascii', [stringType], stringType, upperAscii),
    ]),
  ],
};
