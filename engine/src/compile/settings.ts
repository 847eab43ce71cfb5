/**
 * What the compiler is told beside the text of the file: release, gates, the flags that decide with
 * the file. The `--oidc-*` flags become a text of their own, which takes the same way as a file: one
 * decoder, one validator.
 */
import { goQuote } from '../formats/go-quote.ts';
import { configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { defaultGates, type FeatureGates } from '../model/feature-gates.ts';
import { newestRelease, type Release } from '../model/release.ts';

/** What stands beside the file and decides what it means: release, gates and flags of the server. */
export interface CompileSettings {
  readonly targetRelease: Release;
  readonly featureGates: FeatureGates;
  /** The value of `--anonymous-auth`; `undefined` where the flag was not given (it is then on). */
  readonly anonymousAuth: boolean | undefined;
  /** Allowed `alg` values in the order of messages; `undefined`: all nine, as with a file. */
  readonly signingAlgorithms: readonly string[] | undefined;
  /** Issuers that no jwt entry may name (those of the service accounts). */
  readonly disallowedIssuers: readonly string[];
  /** `--api-domain`: the domain of names with no request to follow; `undefined`: that of the file. */
  readonly apiDomain: string | undefined;
  /** True: exactly as the real server, without the rows of `model/differences.ts`. */
  readonly exact: boolean;
}

/** Those of a server of the newest release without flags. */
export const defaultSettings: CompileSettings = {
  targetRelease: newestRelease,
  featureGates: defaultGates(newestRelease),
  anonymousAuth: undefined,
  signingAlgorithms: undefined,
  disallowedIssuers: [],
  apiDomain: undefined,
  exact: false,
};

/** Settings for one release, with its gates. */
export const settingsFor = (release: Release): CompileSettings => ({
  ...defaultSettings,
  targetRelease: release,
  featureGates: defaultGates(release),
});

/** The nine algorithms that may be allowed, in the order of the real server's messages. */
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

/** The real server's text for an algorithm that may not be allowed; `undefined` when all may. */
export const signingAlgorithmError = (requested: readonly string[]): string | undefined => {
  const unknown = requested.find((algorithm) => !signingAlgorithms.includes(algorithm));
  return unknown === undefined ? undefined : `oidc: unsupported signing alg: ${goQuote(unknown)}`;
};

/** The values of the `--oidc-*` flags that make a jwt entry. */
export interface OidcFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** PEM text of `--oidc-ca-file`. */
  readonly certificateAuthority: string | undefined;
  readonly usernameClaim: string;
  /** Empty: not given. `-`: no prefix. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/**
 * The flags as the text of a configuration file. A username claim other than `email` is prefixed
 * with `<issuer>#` unless a prefix is given: behaviour that only the flags have.
 */
export const oidcConfigurationText = (flags: OidcFlags): string => {
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
  return configurationText({ jwt: [entry] });
};

/** A configuration without authenticators: what no file and no flags mean. */
export const emptyConfigurationText = (): string => configurationText({});

const configurationText = (sections: object): string =>
  `${JSON.stringify(
    {
      // The version that every known release reads.
      apiVersion: `${configGroup(kubernetesDomain)}/v1beta1`,
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
