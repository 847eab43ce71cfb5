/** Semantic versions. */
import { boolType, intType, objectType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Semantic versions. */
export const semverLibrary: CelLibrary = {
  name: 'semver',
  since: 33,
  doc: 'Semantic versions.',
  functions: [
    declare('compareTo', '', [
      member(
        'semver_compare_to',
        [objectType('kubernetes.Semver'), objectType('kubernetes.Semver')],
        intType,
        pending,
      ),
    ]),
    declare('isGreaterThan', '', [
      member(
        'semver_is_greater_than',
        [objectType('kubernetes.Semver'), objectType('kubernetes.Semver')],
        boolType,
        pending,
      ),
    ]),
    declare('isLessThan', '', [
      member(
        'semver_is_less_than',
        [objectType('kubernetes.Semver'), objectType('kubernetes.Semver')],
        boolType,
        pending,
      ),
    ]),
    declare('isSemver', '', [
      global('is_semver_string', [stringType], boolType, pending),
      global('is_semver_string_bool', [stringType, boolType], boolType, pending),
    ]),
    declare('major', '', [
      member('semver_major', [objectType('kubernetes.Semver')], intType, pending),
    ]),
    declare('minor', '', [
      member('semver_minor', [objectType('kubernetes.Semver')], intType, pending),
    ]),
    declare('patch', '', [
      member('semver_patch', [objectType('kubernetes.Semver')], intType, pending),
    ]),
    declare('semver', '', [
      global('string_to_semver', [stringType], objectType('kubernetes.Semver'), pending),
      global(
        'string_bool_to_semver',
        [stringType, boolType],
        objectType('kubernetes.Semver'),
        pending,
      ),
    ]),
  ],
};
