/** Semantic versions, parsed strictly or after normalization. */

import {
  CelSemver,
  compareVersions,
  parseNormalizedSemver,
  parseSemver,
} from '../values/semver-value.ts';
import { boolType, intType, objectType, stringType } from '../values/types.ts';
import {
  type Body,
  CelError,
  type CelResult,
  type CelValue,
  noSuchOverload,
} from '../values/value.ts';
import { comparisonsOf, declare, gettersOf, global } from './declare.ts';
import type { CelLibrary, OverloadDeclaration } from './library.ts';

const semverType = objectType('kubernetes.Semver');
const parse = (text: CelValue, normalize: CelValue): CelResult => {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') return noSuchOverload;
  return normalize ? parseNormalizedSemver(text) : parseSemver(text);
};

const semver: Body = (text = null, normalize = false) => parse(text, normalize);

const isSemver: Body = (text = null, normalize = false) =>
  !(parse(text, normalize) instanceof CelError);

const getter = gettersOf(semverType, CelSemver);

/** Declares the getter of a number: numbers are uint64 in Kubernetes and are converted to int. */
const number = (id: string, index: 0 | 1 | 2): OverloadDeclaration =>
  getter(id, intType, ({ numbers }) => BigInt.asIntN(64, numbers[index]));

const comparison = comparisonsOf(semverType, CelSemver, compareVersions);

/** The `semver` library. */
export const semverLibrary: CelLibrary = {
  name: 'semver',
  since: 33,
  doc: 'Semantic versions.',
  functions: [
    declare('compareTo', 'Compares two versions; returns -1, 0 or 1.', [
      comparison('semver_compare_to', intType, (sign) => BigInt(sign)),
    ]),
    declare('isGreaterThan', 'Returns whether it is greater than another version.', [
      comparison('semver_is_greater_than', boolType, (sign) => sign > 0),
    ]),
    declare('isLessThan', 'Returns whether it is less than another version.', [
      comparison('semver_is_less_than', boolType, (sign) => sign < 0),
    ]),
    declare('isSemver', 'Returns whether a string is a semantic version.', [
      global('is_semver_string', [stringType], boolType, isSemver),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ]),
    declare('major', 'Returns the major version.', [number('semver_major', 0)]),
    declare('minor', 'Returns the minor version.', [number('semver_minor', 1)]),
    declare('patch', 'Returns the patch version.', [number('semver_patch', 2)]),
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
