/** `--runtime-config`: the APIs that it enables, and kube-apiserver's errors. */
import { describe, expect, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';

const read = (version: string, ...values: readonly string[]) =>
  readServeOptions([
    `--target-version=${version}`,
    ...values.map((value) => `--runtime-config=${value}`),
  ]);

const beta = 'authentication.k8s.io/v1beta1';
const reviews = `${beta}/selfsubjectreviews`;

test.each<[string, readonly string[], boolean]>([
  ['1.32', [], false],
  ['1.32', [`${beta}=true`], true],
  ['1.30', [`${beta}=T`], true],
  ['1.32', [beta], true],
  ['1.32', ['authentication.platform.io/v1beta1=true'], true],
  ['1.33', [`${beta}=true`], false],
  ['1.37', ['api/all=true'], false],
  ['1.32', ['api/beta=true'], true],
  ['1.32', ['api/all=true'], true],
  ['1.32', ['api/all=true,api/beta=false'], false],
  ['1.32', [`api/beta=true,${beta}=false`], false],
  ['1.32', [`${beta}=true`, ` ${beta} = false `], false],
  ['1.32', [`${beta}=false,${reviews}=true`], true],
  ['1.32', [`${reviews}=false,${beta}=true`], false],
  ['1.32', [`${beta}/tokenreviews=true`], false],
  ['1.32', ['batch/v2alpha1=true,resource.k8s.io/v1beta1=false', 'api/alpha=true'], false],
])('at %s with %j: %s', (version, values, wanted) => {
  const reading = read(version, ...values);
  if (reading.kind !== 'options') throw new Error(JSON.stringify(reading));
  expect(reading.options.betaReviews).toBe(wanted);
});

describe('rejected', () => {
  const cannot = 'this API cannot be disabled';
  test.each<[string, string, string]>([
    ['1.36', 'api/all=false', 'invalid runtime-config with only api/all=false'],
    ['1.35', 'api/all=false', 'invalid key with only api/all=false'],
    ['1.36', 'foo=true', 'runtime-config invalid key foo'],
    ['1.36', 'a/b/c/d=1', 'runtime-config invalid key a/b/c/d'],
    ['1.36', 'api/beta=x', 'invalid value api/beta=x'],
    ['1.36', 'api/beta', 'invalid value api/beta='],
    [
      '1.36',
      'authentication.k8s.io/v9=true',
      'group version authentication.k8s.io/v9 that has not been registered',
    ],
    [
      '1.36',
      `${beta}=maybe`,
      `invalid value of ${beta}: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax`,
    ],
    [
      '1.36',
      `${beta}/SelfSubjectReviews=true`,
      `invalid key ${beta}/SelfSubjectReviews: group/version/resource and resource is always lowercase plural, not "SelfSubjectReviews"`,
    ],
    [
      '1.36',
      'authentication.k8s.io/v1=false',
      `--runtime-config authentication.k8s.io/v1=false: ${cannot}`,
    ],
    ['1.36', 'api/ga=false', `--runtime-config api/ga=false: ${cannot}`],
    ['1.36', 'api/all=false,api/beta=true', `--runtime-config api/all=false: ${cannot}`],
  ])('at %s: %s', (version, value, message) => {
    const reading = read(version, value);
    const problems = reading.kind === 'problems' ? reading.problems : [];
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });
});
