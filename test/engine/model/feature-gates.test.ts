import { expect, test } from 'vitest';
import { defaultGates, readGates } from '../../../engine/src/model/feature-gates.ts';
import type { Release } from '../../../engine/src/model/release.ts';

const egress = 'StructuredAuthenticationConfigurationEgressSelector';

test.each<[string, Release, string]>([
  ['Nope=true', 36, 'unrecognized feature gate: Nope'],
  [egress, 36, `missing bool value for ${egress}`],
  [
    `${egress}=yes`,
    36,
    `invalid value of ${egress}=yes, err: strconv.ParseBool: parsing "yes": invalid syntax`,
  ],
  [
    'StructuredAuthenticationConfiguration=false',
    36,
    'cannot set feature gate StructuredAuthenticationConfiguration to false, feature is locked to true',
  ],
  [
    'StructuredAuthenticationconfiguration=false',
    37,
    'cannot set feature gate StructuredAuthenticationConfiguration to false, feature is locked to true',
  ],
  [
    'APISelfSubjectReview=false',
    30,
    'cannot set feature gate APISelfSubjectReview to false, feature is locked to true',
  ],
  [
    `${egress}=true`,
    33,
    `cannot set feature gate ${egress} to true, feature is PreAlpha at emulated version 1.33, min compatibility version 1.32`,
  ],
  ['wardle:X=true', 36, 'component not registered: wardle'],
  [
    `kube:${egress}=true,${egress}=true`,
    36,
    'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
  ],
])('%s is an error in 1.%i', (value, release, message) => {
  expect(readGates([value], release).errors).toEqual([message]);
});

test.each<[readonly string[], Release, boolean]>([
  [[], 36, true],
  [[], 33, false],
  [[`${egress}=false`], 36, false],
  [[`${egress}=false`, `${egress}=1`], 36, true],
  [['AllBeta=false'], 36, false],
  [[`AllBeta=false,${egress}=true`], 36, true],
  [[`kube:${egress}=F`], 36, false],
])('%j sets the egress gate to %s in 1.%i', (values, release, on) => {
  const reading = readGates(values, release);
  expect(reading.errors).toEqual([]);
  expect(reading.gates.get(egress)).toBe(on);
});

test('a gate whose feature is always on counts as enabled', () => {
  expect(defaultGates(37).get('StructuredAuthenticationConfiguration')).toBe(true);
});

const accepted =
  'feature gate StructuredAuthenticationconfiguration is accepted as StructuredAuthenticationConfiguration';
const noEffect = (name: string, release: string): string =>
  `feature gate ${name} has no effect: its feature is always on in ${release} and the gate was removed`;

test.each<[string, Release, readonly string[]]>([
  ['StructuredAuthenticationConfiguration=true', 36, []],
  [
    'StructuredAuthenticationConfiguration=true',
    37,
    [noEffect('StructuredAuthenticationConfiguration', '1.37')],
  ],
  ['StructuredAuthenticationconfiguration=true', 32, [accepted]],
  [
    'StructuredAuthenticationconfiguration=true',
    37,
    [accepted, noEffect('StructuredAuthenticationConfiguration', '1.37')],
  ],
  ['APISelfSubjectReview=true', 30, [noEffect('APISelfSubjectReview', '1.30')]],
])('%s is accepted with warnings in 1.%i', (value, release, warnings) => {
  const reading = readGates([value], release);
  expect(reading.errors).toEqual([]);
  expect(reading.warnings).toEqual(warnings);
  expect(reading.gates.get('StructuredAuthenticationConfiguration')).toBe(true);
});

test('the alias of a gate sets the gate', () => {
  const { gates } = readGates(['StructuredAuthenticationconfiguration=false'], 32);
  expect(gates.get('StructuredAuthenticationConfiguration')).toBe(false);
});
