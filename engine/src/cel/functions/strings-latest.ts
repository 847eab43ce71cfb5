/**
 * Functions of the latest strings library that version 2 lacks. Only conformance tests select them.
 */

import { formatStringLatest } from '../values/string-format-latest.ts';
import { reverse } from '../values/string-operations.ts';
import { dynType, listOf, stringType } from '../values/types.ts';
import { declare, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Functions of the latest strings library that version 2 lacks. */
export const stringsLatestLibrary: CelLibrary = {
  name: 'strings-latest',
  since: 30,
  doc: 'Functions that only the latest strings library has.',
  functions: [
    declare('format', 'Replaces %s, %d, %f, %e, %b, %x and %o with formatted values.', [
      member('string_format', [stringType, listOf(dynType)], stringType, formatStringLatest),
    ]),
    declare('reverse', 'Reverses a string.', [
      member('string_reverse', [stringType], stringType, reverse),
    ]),
  ],
};
