/**
 * The flag `--runtime-config`, limited to the APIs that are served: it can add v1beta1 of
 * authentication.k8s.io. Error messages are kube-apiserver's; groups that are not served are
 * ignored.
 */

import type { FlagProblem } from '../../flags/flag.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoBool } from '../../model/feature-gates.ts';
import type { Release } from '../../model/release.ts';
import {
  authenticationGroups,
  betaLife,
  betaVersion,
  rbacGroups,
  servedVersion,
} from '../api-groups.ts';

/** Values by key: `api/beta`, `authentication.k8s.io/v1beta1`. */
export type RuntimeConfig = ReadonlyMap<string, string>;

/**
 * Parses the values of the flag. Later values replace earlier ones; a key without `=` has an empty
 * value.
 */
export const readRuntimeConfig = (values: readonly string[]): RuntimeConfig =>
  new Map(
    values
      .flatMap((value) => value.split(','))
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        return equals === -1
          ? [pair.trim(), '']
          : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
      }),
  );

/**
 * Reports whether v1beta1 of the authentication groups is served. The most specific key takes
 * precedence.
 */
export const servesBetaReviews = (config: RuntimeConfig, release: Release): boolean => {
  if (release >= betaLife.removed) return false;
  const explicitValues = [...authenticationGroups.keys()].flatMap((group) => {
    const version = `${group}/${betaVersion}`;
    const value = config.get(`${version}/selfsubjectreviews`) ?? config.get(version);
    return value === undefined ? [] : [isEnabled(value) === true];
  });
  if (explicitValues.length > 0) return explicitValues.includes(true);
  return (config.get('api/beta') ?? config.get('api/all')) === 'true';
};

/** Parses a value; an empty one means `true`. */
const isEnabled = (value: string): boolean | undefined =>
  value === '' ? true : parseGoBool(value);

/** Returns kube-apiserver's errors, or the keys that this server cannot apply. */
export const runtimeConfigProblems = (
  config: RuntimeConfig,
  release: Release,
): readonly FlagProblem[] => {
  const [first] = [
    ...keyErrors(config, release),
    ...[...config].flatMap(([key, value]) => valueErrors(key, value)),
  ];
  if (first !== undefined) return [{ message: first, help: '' }];
  return keysOfAlwaysServed(config).map((key) => ({
    message: `--runtime-config ${key}=false: this API cannot be disabled`,
    help: 'Remove it, and restrict access with RBAC.',
  }));
};

const matchers = ['api/all', 'api/ga', 'api/beta', 'api/alpha'];

const keyErrors = (config: RuntimeConfig, release: Release): readonly string[] => {
  if (config.size === 1 && config.get('api/all') === 'false') {
    return [`invalid ${release < 36 ? 'key' : 'runtime-config'} with only api/all=false`];
  }
  return [...config.keys()].flatMap((key) => {
    const parts = key.split('/').length;
    return matchers.includes(key) || parts === 2 || parts === 3
      ? []
      : [`runtime-config invalid key ${key}`];
  });
};

/** The versions that kube-apiserver accepts by name. */
const knownVersions = [servedVersion, betaVersion, 'v1alpha1'];

const valueErrors = (key: string, value: string): readonly string[] => {
  if (matchers.includes(key)) {
    return value === 'true' || value === 'false' ? [] : [`invalid value ${key}=${value}`];
  }
  const [group = '', version = '', resource = ''] = key.split('/');
  if (!authenticationGroups.has(group) && !rbacGroups.has(group)) return [];
  if (!knownVersions.includes(version)) {
    return [`group version ${group}/${version} that has not been registered`];
  }
  if (isEnabled(value) === undefined) {
    const parsing = `strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`;
    return [`invalid value of ${key}: ${value}, err: ${parsing}`];
  }
  return resource === resource.toLowerCase()
    ? []
    : [
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${goQuote(resource)}`,
      ];
};

/** Returns the keys that would disable APIs that are always served. */
const keysOfAlwaysServed = (config: RuntimeConfig): readonly string[] =>
  [...config.keys()].filter((key) => {
    if (isEnabled(config.get(key) ?? '') !== false) return false;
    if (key === 'api/ga' || (key === 'api/all' && config.get('api/ga') !== 'true')) return true;
    const [group = '', version] = key.split('/');
    return version === servedVersion && (authenticationGroups.has(group) || rbacGroups.has(group));
  });
