/** Semantic versions, parsed strictly or after normalization. */

import {
  CelSemver,
  compareVersions,
  parseNormalizedSemver,
  parseSemver,
} from '../values/semver-value.ts';
import { boolType, intType, objectType, stringType } from '../values/types.ts';
import { CelError, type CelResult, type CelValue, noSuchOverload } from '../values/value.ts';
import { type Body, declare, global, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

const semverType = objectType('kubernetes.Semver');
const parse = (text: CelValue, normalize: CelValue): CelResult => {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') return noSuchOverload;
  return normalize ? parseNormalizedSemver(text) : parseSemver(text);
};

const semver: Body = (text = null, normalize = false) => parse(text, normalize);

const isSemver: Body = (text = null, normalize = false) =>
  !(parse(text, normalize) instanceof CelError);

/**
 * Creates a getter for one of the numbers: they are uint64 in Kubernetes and are converted to int.
 */
const getter =
  (of: (version: CelSemver) => bigint): Body =>
  (value = null) =>
    value instanceof CelSemver ? BigInt.asIntN(64, of(value)) : noSuchOverload;

const compare =
  (of: (sign: number) => CelValue): Body =>
  (a = null, b = null) =>
    a instanceof CelSemver && b instanceof CelSemver ? of(compareVersions(a, b)) : noSuchOverload;

/** The `semver` library. */
export const semverLibrary: CelLibrary = {
  name: 'semver',
  since: 33,
  doc: 'Semantic versions.',
  functions: [
    declare('compareTo', 'Compares two versions; returns -1, 0 or 1.', [
      member(
        'semver_compare_to',
        [semverType, semverType],
        intType,
        compare((sign) => BigInt(sign)),
      ),
    ]),
    declare('isGreaterThan', 'Returns whether it is greater than another version.', [
      member(
        'semver_is_greater_than',
        [semverType, semverType],
        boolType,
        compare((sign) => sign > 0),
      ),
    ]),
    declare('isLessThan', 'Returns whether it is less than another version.', [
      member(
        'semver_is_less_than',
        [semverType, semverType],
        boolType,
        compare((sign) => sign < 0),
      ),
    ]),
    declare('isSemver', 'Returns whether a string is a semantic version.', [
      global('is_semver_string', [stringType], boolType, isSemver),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ]),
    declare('major', 'Returns the major version.', [
      member(
        'semver_major',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[0]),
      ),
    ]),
    declare('minor', 'Returns the minor version.', [
      member(
        'semver_minor',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[1]),
      ),
    ]),
    declare('patch', 'Returns the patch version.', [
      member(
        'semver_patch',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[2]),
      ),
    ]),
    declare(
      'semver',
      'Parses a semantic version, optionally after normalizing it; an invalid version is an error.',
      [
        global('string_to_semver', [stringType], semverType, semver),
        global('string_bool_to_semver', [stringType, boolType], semverType, semver),
      ],
    ),
  ],
};
