/**
 * Functions of the latest strings library that version 2 lacks. Only conformance tests select them.
 */

import { declare, member } from '../../../engine/src/cel/functions/declare.ts';
import type { CelLibrary } from '../../../engine/src/cel/functions/library.ts';
import { dynType, listOf, stringType } from '../../../engine/src/cel/values/types.ts';
import { type Body, noSuchOverload } from '../../../engine/src/cel/values/value.ts';
import { formatStringLatest } from './string-format-latest.ts';

const reverse: Body = (text = null) =>
  typeof text === 'string' ? [...text].reverse().join('') : noSuchOverload;

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
