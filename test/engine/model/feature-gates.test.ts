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
    'StructuredAuthenticationConfiguration=true',
    37,
    'unrecognized feature gate: StructuredAuthenticationConfiguration',
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
])('%s at 1.%i is refused', (value, release, message) => {
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
])('%j at 1.%i leaves the egress gate at %s', (values, release, on) => {
  const reading = readGates(values, release);
  expect(reading.errors).toEqual([]);
  expect(reading.gates.get(egress)).toBe(on);
});

test('a gate that became unconditional counts as on', () => {
  expect(defaultGates(37).get('StructuredAuthenticationConfiguration')).toBe(true);
});
