/**
 * The strings library in its second version. Places in a text are counted in code points.
 */

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
import { declare, global, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Work on texts, counted in code points. */
export const stringsLibrary: CelLibrary = {
  name: 'strings',
  since: 30,
  doc: 'Work on texts, counted in code points.',
  functions: [
    declare('charAt', 'Gives the character at a place; the empty text just behind the end.', [
      member('string_char_at_int', [stringType, intType], stringType, charAt),
    ]),
    declare('format', 'Fills %s, %d, %f, %e, %b, %x, %o in a text with values.', [
      member('string_format', [stringType, listOf(dynType)], stringType, formatStringUntil32, {
        until: 32,
      }),
      member('string_format', [stringType, listOf(dynType)], stringType, formatString, {
        since: 33,
      }),
    ]),
    declare('indexOf', 'First place of a text in another, or -1.', [
      member('string_index_of_string', [stringType, stringType], intType, indexInRange, {
        until: 31,
      }),
      member('string_index_of_string', [stringType, stringType], intType, indexOf, { since: 32 }),
      member(
        'string_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        indexInRange,
        { until: 31 },
      ),
      member(
        'string_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        indexOfAnyEmpty,
        { since: 32, until: 36 },
      ),
      member('string_index_of_string_int', [stringType, stringType, intType], intType, indexOf, {
        since: 37,
      }),
    ]),
    declare('join', 'Joins a list of texts, with a separator between them.', [
      member('list_join', [listOf(stringType)], stringType, join),
      member('list_join_string', [listOf(stringType), stringType], stringType, join),
    ]),
    declare('lastIndexOf', 'Last place of a text in another, or -1.', [
      member(
        'string_last_index_of_string',
        [stringType, stringType],
        intType,
        lastIndexInNonEmpty,
        {
          until: 33,
        },
      ),
      member('string_last_index_of_string', [stringType, stringType], intType, lastIndexOf, {
        since: 34,
      }),
      member(
        'string_last_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        lastIndexInRange,
        { until: 31 },
      ),
      member(
        'string_last_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        lastIndexOfAnyEmpty,
        { since: 32, until: 36 },
      ),
      member(
        'string_last_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        lastIndexOf,
        { since: 37 },
      ),
    ]),
    declare('lowerAscii', 'Makes ASCII letters small.', [
      member('string_lower_ascii', [stringType], stringType, lowerAscii),
    ]),
    declare('replace', 'Replaces every, or the first few, occurrences of a text.', [
      member(
        'string_replace_string_string',
        [stringType, stringType, stringType],
        stringType,
        replace,
      ),
      member(
        'string_replace_string_string_int',
        [stringType, stringType, stringType, intType],
        stringType,
        replace,
      ),
    ]),
    declare('split', 'Splits a text at a separator into a list.', [
      member('string_split_string', [stringType, stringType], listOf(stringType), split),
      member(
        'string_split_string_int',
        [stringType, stringType, intType],
        listOf(stringType),
        split,
      ),
    ]),
    declare('strings.quote', 'Puts a text into quotes and escapes what needs it.', [
      global('strings_quote', [stringType], stringType, quote),
    ]),
    declare('substring', 'Cuts a part out of a text: from a place, up to a place.', [
      member('string_substring_int', [stringType, intType], stringType, substring),
      member('string_substring_int_int', [stringType, intType, intType], stringType, substring),
    ]),
    declare('trim', 'Takes white space away at both ends.', [
      member('string_trim', [stringType], stringType, trim),
    ]),
    declare('upperAscii', 'Makes ASCII letters large.', [
      member('string_upper_ascii', [stringType], stringType, upperAscii),
    ]),
  ],
};
