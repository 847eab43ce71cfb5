/** Search by RE2 expressions. */
import { intType, listOf, stringType } from '../types.ts';
import { declare, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Search by RE2 expressions. */
export const regexLibrary: CelLibrary = {
  name: 'regex',
  since: 30,
  doc: 'Search by RE2 expressions.',
  functions: [
    declare('find', '', [
      member('string_find_string', [stringType, stringType], stringType, pending),
    ]),
    declare('findAll', '', [
      member('string_find_all_string', [stringType, stringType], listOf(stringType), pending),
      member(
        'string_find_all_string_int',
        [stringType, stringType, intType],
        listOf(stringType),
        pending,
      ),
    ]),
  ],
};
