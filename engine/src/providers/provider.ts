/**
 * An identity provider: a starter configuration, and claims in the form in which the provider sends
 * them.
 */
import type { EntryWriter } from './entry-writer.ts';
import type { ProviderSetting, SettingValues } from './settings.ts';

/** Times for the sample token in seconds since 1970. */
export interface TokenTimes {
  readonly issued: number;
  readonly expires: number;
}

export interface Provider {
  /** Name in files and on the command line: `github-actions`. */
  readonly id: string;
  readonly title: string;
  /** One line: which users are accepted. */
  readonly description: string;
  /** URL of the provider's documentation of its claims. */
  readonly source: string;
  /** Notes for new users: the first lines of the comment at the top of the file. */
  readonly about: readonly string[];
  /** What differs between installations. */
  readonly settings: readonly ProviderSetting[];
  /** Returns the YAML of the entry of `jwt`. */
  readonly authenticator: (write: EntryWriter) => string;
  /** Name of the sample user, for the file name. */
  readonly sample: string;
  /** Settings whose value is another one in the tokens that the provider sends by default, for tests. */
  readonly sentByDefault?: ReadonlyMap<string, string>;
  readonly claims: (times: TokenTimes, values: SettingValues) => object;
}
