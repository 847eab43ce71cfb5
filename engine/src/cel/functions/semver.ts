/** Semantic versions. */
import { boolType, intType, opaqueType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Semantic versions. */
export const semverLibrary: CelLibrary = {
  name: 'semver',
  since: 33,
  doc: 'Semantic versions.',
  types: [opaqueType('kubernetes.Semver')],
  functions: [
    declare('compareTo', '', [
      member(
        'semver_compare_to',
        [opaqueType('kubernetes.Semver'), opaqueType('kubernetes.Semver')],
        intType,
        pending,
      ),
    ]),
    declare('isGreaterThan', '', [
      member(
        'semver_is_greater_than',
        [opaqueType('kubernetes.Semver'), opaqueType('kubernetes.Semver')],
        boolType,
        pending,
      ),
    ]),
    declare('isLessThan', '', [
      member(
        'semver_is_less_than',
        [opaqueType('kubernetes.Semver'), opaqueType('kubernetes.Semver')],
        boolType,
        pending,
      ),
    ]),
    declare('isSemver', '', [
      global('is_semver_string', [stringType], boolType, pending),
      global('is_semver_string_bool', [stringType, boolType], boolType, pending),
    ]),
    declare('major', '', [
      member('semver_major', [opaqueType('kubernetes.Semver')], intType, pending),
    ]),
    declare('minor', '', [
      member('semver_minor', [opaqueType('kubernetes.Semver')], intType, pending),
    ]),
    declare('patch', '', [
      member('semver_patch', [opaqueType('kubernetes.Semver')], intType, pending),
    ]),
    declare('semver', '', [
      global('string_to_semver', [stringType], opaqueType('kubernetes.Semver'), pending),
      global(
        'string_bool_to_semver',
        [stringType, boolType],
        opaqueType('kubernetes.Semver'),
        pending,
      ),
    ]),
  ],
};
