/** What differs between installations of a provider: the values of `authgraph new --set`. */

/** The form of a value. */
export type SettingForm = 'url' | 'host' | 'domain' | 'segment' | 'text' | 'list';

export interface ProviderSetting {
  readonly key: string;
  /** What it is, in a few words. */
  readonly doc: string;
  readonly form: SettingForm;
  /** The value in the file if none is set. */
  readonly example: string;
  /** True if the example is right for most installations, so that it is not marked. */
  readonly isCommon?: boolean;
}

/** Returns the value of a setting of the provider. */
export type SettingValues = (key: string) => string;

/** The domain of the extra keys of a configuration. */
export const extraDomain: ProviderSetting = {
  key: 'extra-domain',
  doc: 'a domain of yours, for the keys of extra values',
  form: 'domain',
  example: 'example.com',
};

/** Returns the values: those that are set, and the examples of the others. */
export const valuesOf = (
  settings: readonly ProviderSetting[],
  set: ReadonlyMap<string, string>,
): SettingValues => {
  const examples = new Map(settings.map(({ key, example }) => [key, example]));
  return (key) => {
    const value = set.get(key) ?? examples.get(key);
    if (value === undefined) throw new Error(`unreachable: the setting ${key} is not declared`);
    return value;
  };
};

/** Returns the items of a list. */
export const itemsOf = (value: string): readonly string[] =>
  value.split(',').map((item) => item.trim());

/** Returns why a value cannot be used: `must be an https URL`; `undefined` if it can. */
export const settingProblem = (form: SettingForm, value: string): string | undefined => {
  if (value.length > maxValueLength) return `must have at most ${maxValueLength} characters`;
  if (
    !/^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]*[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u.test(
      value,
    )
  )
    return 'must not be empty, start or end with a space, or contain invisible characters';
  return problems[form](value);
};

const maxValueLength = 256;

const problems: Readonly<Record<SettingForm, (value: string) => string | undefined>> = {
  url: (value) =>
    /^https:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(value) && URL.canParse(value)
      ? undefined
      : 'must be an https URL without user, query and fragment',
  host: (value) =>
    hostName.test(value) ? undefined : 'must be a host name, such as login.example.com',
  domain: (value) => {
    if (!hostName.test(value)) return 'must be a domain, such as example.com';
    return /(?:^|\.)(?:k8s|kubernetes|platform)\.io$/.test(value)
      ? 'must not be a domain that is reserved for Kubernetes'
      : undefined;
  },
  segment: (value) =>
    /^[\w.~-]+$/.test(value)
      ? undefined
      : 'must consist of letters, digits and the characters - . _ ~',
  text: () => undefined,
  list: (value) =>
    itemsOf(value).includes('')
      ? 'must be a list of values that are separated by commas'
      : undefined,
};

const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
