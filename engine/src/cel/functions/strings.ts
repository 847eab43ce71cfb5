/** Work on texts, counted in code points. */
import { dynType, intType, listOf, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Work on texts, counted in code points. */
export const stringsLibrary: CelLibrary = {
  name: 'strings',
  since: 30,
  doc: 'Work on texts, counted in code points.',
  functions: [
    declare('charAt', '', [
      member('string_char_at_int', [stringType, intType], stringType, pending),
    ]),
    declare('format', '', [
      member('string_format', [stringType, listOf(dynType)], stringType, pending),
    ]),
    declare('indexOf', '', [
      member('string_index_of_string', [stringType, stringType], intType, pending),
      member('string_index_of_string_int', [stringType, stringType, intType], intType, pending),
    ]),
    declare('join', '', [
      member('list_join', [listOf(stringType)], stringType, pending),
      member('list_join_string', [listOf(stringType), stringType], stringType, pending),
    ]),
    declare('lastIndexOf', '', [
      member('string_last_index_of_string', [stringType, stringType], intType, pending),
      member(
        'string_last_index_of_string_int',
        [stringType, stringType, intType],
        intType,
        pending,
      ),
    ]),
    declare('lowerAscii', '', [member('string_lower_ascii', [stringType], stringType, pending)]),
    declare('replace', '', [
      member(
        'string_replace_string_string',
        [stringType, stringType, stringType],
        stringType,
        pending,
      ),
      member(
        'string_replace_string_string_int',
        [stringType, stringType, stringType, intType],
        stringType,
        pending,
      ),
    ]),
    declare('split', '', [
      member('string_split_string', [stringType, stringType], listOf(stringType), pending),
      member(
        'string_split_string_int',
        [stringType, stringType, intType],
        listOf(stringType),
        pending,
      ),
    ]),
    declare('strings.quote', '', [global('strings_quote', [stringType], stringType, pending)]),
    declare('substring', '', [
      member('string_substring_int', [stringType, intType], stringType, pending),
      member('string_substring_int_int', [stringType, intType, intType], stringType, pending),
    ]),
    declare('trim', '', [member('string_trim', [stringType], stringType, pending)]),
    declare('upperAscii', '', [member('string_upper_ascii', [stringType], stringType, pending)]),
  ],
};
