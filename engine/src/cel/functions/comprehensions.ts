/** Functions that the two-variable macros expand to. */
import { mapOf, typeParam } from '../types.ts';
import { declare, global, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

const paramK = typeParam('K');
const paramV = typeParam('V');

/** Functions that the two-variable macros expand to. */
export const comprehensionsLibrary: CelLibrary = {
  name: 'comprehensions',
  since: 32,
  doc: 'Functions that the two-variable macros expand to.',
  functions: [
    declare('cel.@mapInsert', '', [
      global(
        '@mapInsert_map_key_value',
        [mapOf(paramK, paramV), paramK, paramV],
        mapOf(paramK, paramV),
        pending,
      ),
      global(
        '@mapInsert_map_map',
        [mapOf(paramK, paramV), mapOf(paramK, paramV)],
        mapOf(paramK, paramV),
        pending,
      ),
    ]),
  ],
};
