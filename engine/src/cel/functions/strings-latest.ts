/** What the newest version of the strings library has beyond the second. */
import { stringType } from '../types.ts';
import { declare, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** What the newest version of the strings library has beyond the second. */
export const stringsLatestLibrary: CelLibrary = {
  name: 'strings-latest',
  since: 30,
  doc: 'What the newest version of the strings library has beyond the second.',
  functions: [
    declare('reverse', '', [member('string_reverse', [stringType], stringType, pending)]),
  ],
};
