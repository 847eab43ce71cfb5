/**
 * Settings of the compiler that are not in the file: release, feature gates and flags. The
 * `--oidc-*` flags are written as a configuration text, so that they pass through the same decoder
 * and validator as a file.
 */
import { newestVersion } from '../config/versions.ts';
import { goQuote } from '../formats/go-quote.ts';
import { configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { defaultGates, type FeatureGates } from '../model/feature-gates.ts';
import { newestRelease, type Release } from '../model/release.ts';

/**
 * Settings that are not in the file but affect its meaning: release, feature gates and flags of the
 * server.
 *
 * @example
 * ```ts
 * const settings: CompileSettings = { ...settingsFor(34), anonymousAuth: false };
 * ```
 */
export interface CompileSettings {
  readonly targetRelease: Release;
  readonly featureGates: FeatureGates;
  /** The value of `--anonymous-auth`; `undefined` if the flag was not set, which means true. */
  readonly anonymousAuth: boolean | undefined;
  /**
   * Allowed `alg` values, in the order in which messages list them; `undefined` allows all nine, as
   * for a file.
   */
  readonly signingAlgorithms: readonly string[] | undefined;
  /** Issuers that no jwt entry may use: those of the service account tokens. */
  readonly disallowedIssuers: readonly string[];
  /** True if `--authentication-token-webhook-config-file` is known to be set. */
  readonly hasTokenWebhook: boolean;
  /**
   * `--api-domain`: the domain of reserved names where no request determines it; `undefined` uses
   * that of the file.
   */
  readonly apiDomain: string | undefined;
  /** The only API domain that the file may use; `undefined` accepts all domains. */
  readonly fileDomain: string | undefined;
  /**
   * True if the compiler behaves exactly like kube-apiserver, without the rows of
   * `model/differences.ts`.
   */
  readonly exact: boolean;
}

/**
 * The settings of a server of the newest release without flags.
 *
 * @example
 * ```ts
 * compile({ source: sourceFile('auth.yaml', text), settings: defaultSettings });
 * ```
 */
export const defaultSettings: CompileSettings = {
  targetRelease: newestRelease,
  featureGates: defaultGates(newestRelease),
  anonymousAuth: undefined,
  signingAlgorithms: undefined,
  disallowedIssuers: [],
  hasTokenWebhook: false,
  apiDomain: undefined,
  fileDomain: undefined,
  exact: false,
};

/**
 * Returns the settings for a release, with its default feature gates.
 *
 * @example
 * ```ts
 * compile({ source: sourceFile('auth.yaml', text), settings: settingsFor(34) });
 * ```
 */
export const settingsFor = (release: Release): CompileSettings => ({
  ...defaultSettings,
  targetRelease: release,
  featureGates: defaultGates(release),
});

/** The nine algorithms that may be allowed, in the order of kube-apiserver's messages. */
export const signingAlgorithms: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

/**
 * Returns kube-apiserver's error for an algorithm that may not be allowed; `undefined` if all are
 * allowed.
 */
export const signingAlgorithmError = (requested: readonly string[]): string | undefined => {
  const unknown = requested.find((algorithm) => !signingAlgorithms.includes(algorithm));
  return unknown === undefined ? undefined : `oidc: unsupported signing alg: ${goQuote(unknown)}`;
};

/** The values of the `--oidc-*` flags that make up a jwt entry. */
export interface OidcFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** The PEM content of `--oidc-ca-file`. */
  readonly certificateAuthority: string | undefined;
  readonly usernameClaim: string;
  /** An empty string means that the flag was not set, `-` means no prefix. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/**
 * Writes the flags as a configuration file. A username claim other than `email` is prefixed with
 * `<issuer>#` unless a prefix is given; only the flags have this behavior.
 */
export const oidcConfigurationText = (flags: OidcFlags, release: Release): string => {
  const claimValidationRules = [...flags.requiredClaims].map(([claim, requiredValue]) => ({
    claim,
    requiredValue,
  }));
  const entry = {
    issuer: {
      url: flags.issuerUrl,
      ...(flags.certificateAuthority === undefined || flags.certificateAuthority === ''
        ? {}
        : { certificateAuthority: flags.certificateAuthority }),
      audiences: [flags.clientId],
    },
    ...(claimValidationRules.length === 0 ? {} : { claimValidationRules }),
    claimMappings: {
      username: { claim: flags.usernameClaim, prefix: usernamePrefixOf(flags) },
      ...(flags.groupsClaim === ''
        ? {}
        : { groups: { claim: flags.groupsClaim, prefix: flags.groupsPrefix } }),
    },
  };
  return configurationText({ jwt: [entry] }, release);
};

/**
 * Returns a configuration without authenticators, for a server that has neither a file nor flags.
 */
export const emptyConfigurationText = (release: Release): string => configurationText({}, release);

const configurationText = (sections: object, release: Release): string =>
  `${JSON.stringify(
    {
      apiVersion: `${configGroup(kubernetesDomain)}/${newestVersion(release)}`,
      kind: 'AuthenticationConfiguration',
      ...sections,
    },
    undefined,
    2,
  )}\n`;

const usernamePrefixOf = (flags: OidcFlags): string => {
  if (flags.usernamePrefix === '-') return '';
  if (flags.usernamePrefix === '' && flags.usernameClaim !== 'email') return `${flags.issuerUrl}#`;
  return flags.usernamePrefix;
};
