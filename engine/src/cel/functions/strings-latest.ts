/**
 * What the newest version of the strings library has beyond the second. Only conformance tests select it.
 */

import { formatStringLatest } from '../values/string-format-latest.ts';
import { reverse } from '../values/string-operations.ts';
import { dynType, listOf, stringType } from '../values/types.ts';
import { declare, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** The rest of the newest strings library. */
export const stringsLatestLibrary: CelLibrary = {
  name: 'strings-latest',
  since: 30,
  doc: 'The rest of the newest strings library.',
  functions: [
    declare('format', 'Fills %s, %d, %f, %e, %b, %x, %o in a text with values.', [
      member('string_format', [stringType, listOf(dynType)], stringType, formatStringLatest),
    ]),
    declare('reverse', 'Turns a text round.', [
      member('string_reverse', [stringType], stringType, reverse),
    ]),
  ],
};
