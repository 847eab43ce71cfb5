/**
 * The flag `--runtime-config`, as far as it concerns what is served here: it can add v1beta1 of
 * authentication.k8s.io. Texts are the real server's; groups that are not served here are passed over.
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

/** What is asked for, by its key: `api/beta`, `authentication.k8s.io/v1beta1`. */
export type RuntimeConfig = ReadonlyMap<string, string>;

/** Later values replace earlier ones; a key alone has the empty value. */
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

/** Is v1beta1 of the groups of authentication served? The more special key wins. */
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

/** Nothing stands for on. */
const isEnabled = (value: string): boolean | undefined =>
  value === '' ? true : parseGoBool(value);

/** What the real server says of it, and what can be asked of the real server alone. */
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
    message: `--runtime-config ${key}=false: what is served here cannot be switched off`,
    help: 'Drop it; permissions say who may ask.',
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

/** Versions that the real server knows by name. */
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

/** Keys that would take away what is always served here. */
const keysOfAlwaysServed = (config: RuntimeConfig): readonly string[] =>
  [...config.keys()].filter((key) => {
    if (isEnabled(config.get(key) ?? '') !== false) return false;
    if (key === 'api/ga' || (key === 'api/all' && config.get('api/ga') !== 'true')) return true;
    const [group = '', version] = key.split('/');
    return version === servedVersion && (authenticationGroups.has(group) || rbacGroups.has(group));
  });
