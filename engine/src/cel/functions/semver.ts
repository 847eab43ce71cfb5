/**
 * Semantic versions, read strictly or after mending.
 */

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

/** Numbers are unsigned there and come out as int. */
const getter =
  (of: (version: CelSemver) => bigint): Body =>
  (value = null) =>
    value instanceof CelSemver ? BigInt.asIntN(64, of(value)) : noSuchOverload;

const compare =
  (of: (sign: number) => CelValue): Body =>
  (a = null, b = null) =>
    a instanceof CelSemver && b instanceof CelSemver ? of(compareVersions(a, b)) : noSuchOverload;

/** Semantic versions. */
export const semverLibrary: CelLibrary = {
  name: 'semver',
  since: 33,
  doc: 'Semantic versions.',
  functions: [
    declare('compareTo', '-1, 0 or 1.', [
      member(
        'semver_compare_to',
        [semverType, semverType],
        intType,
        compare((sign) => BigInt(sign)),
      ),
    ]),
    declare('isGreaterThan', 'Tells whether it comes after another.', [
      member(
        'semver_is_greater_than',
        [semverType, semverType],
        boolType,
        compare((sign) => sign > 0),
      ),
    ]),
    declare('isLessThan', 'Tells whether it comes before another.', [
      member(
        'semver_is_less_than',
        [semverType, semverType],
        boolType,
        compare((sign) => sign < 0),
      ),
    ]),
    declare('isSemver', 'Tells whether a text is a version.', [
      global('is_semver_string', [stringType], boolType, isSemver),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ]),
    declare('major', 'First number.', [
      member(
        'semver_major',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[0]),
      ),
    ]),
    declare('minor', 'Second number.', [
      member(
        'semver_minor',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[1]),
      ),
    ]),
    declare('patch', 'Third number.', [
      member(
        'semver_patch',
        [semverType],
        intType,
        getter(({ numbers }) => numbers[2]),
      ),
    ]),
    declare('semver', 'Reads a version, after mending it if asked to; an error if it is none.', [
      global('string_to_semver', [stringType], semverType, semver),
      global('string_bool_to_semver', [stringType, boolType], semverType, semver),
    ]),
  ],
};
