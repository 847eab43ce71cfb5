/**
 * The `--oidc-*` flags, which configure one JWT authenticator instead of a configuration file.
 */
import type { FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

export interface OidcSettings {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string | undefined;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgorithms: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
}

export const flags = flagGroup('OIDC (instead of a file)', [
  {
    name: 'oidc-issuer-url',
    doc: 'The URL of the OpenID issuer, only HTTPS scheme will be accepted. If set, it will be used to verify the OIDC JSON Web Token (JWT).',
  },
  {
    name: 'oidc-client-id',
    doc: 'The client ID for the OpenID Connect client, must be set if oidc-issuer-url is set.',
  },
  {
    name: 'oidc-ca-file',
    placeholder: 'FILE',
    doc: "If set, the OpenID server's certificate will be verified by one of the authorities in the oidc-ca-file, otherwise the host's root CA set will be used.",
  },
  {
    name: 'oidc-username-claim',
    default: 'sub',
    doc: 'The OpenID claim to use as the user name. Claims other than sub are not guaranteed to be unique and immutable.',
  },
  {
    name: 'oidc-username-prefix',
    doc: "If provided, all usernames will be prefixed with this value. If not provided, username claims other than 'email' are prefixed by the issuer URL to avoid clashes. To skip any prefixing, provide the value '-'.",
  },
  {
    name: 'oidc-groups-claim',
    doc: 'If provided, the name of a custom OpenID Connect claim for specifying user groups. The claim value is expected to be a string or array of strings.',
  },
  {
    name: 'oidc-groups-prefix',
    doc: 'If provided, all groups will be prefixed with this value to prevent conflicts with other authentication strategies.',
  },
  {
    name: 'oidc-signing-algs',
    type: 'stringSlice',
    default: '[RS256]',
    doc: 'Comma-separated list of allowed JOSE asymmetric signing algorithms: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
  },
  {
    name: 'oidc-required-claim',
    type: 'mapStringString',
    doc: 'A key=value pair that describes a required claim in the ID Token. If set, the claim is verified to be present in the ID Token with a matching value. Repeat this flag to specify multiple claims.',
  },
]);

/**
 * Returns the settings of the flags. kube-apiserver creates an authenticator only if issuer and client ID
 * are set and no file is named.
 */
export const readOidc = (values: FlagValues): OidcSettings | undefined => {
  const issuerUrl = values.string('oidc-issuer-url');
  const clientId = values.string('oidc-client-id');
  if (issuerUrl === '' || clientId === '' || values.string('authentication-config') !== '')
    return undefined;
  return {
    issuerUrl,
    clientId,
    caFile: values.string('oidc-ca-file') || undefined,
    usernameClaim: values.string('oidc-username-claim'),
    usernamePrefix: values.string('oidc-username-prefix'),
    groupsClaim: values.string('oidc-groups-claim'),
    groupsPrefix: values.string('oidc-groups-prefix'),
    signingAlgorithms: values.list('oidc-signing-algs').map(canonicalAlgorithm),
    requiredClaims: values.map('oidc-required-claim'),
  };
};

/** Misspelled algorithm names from documentation, and the algorithms that they mean. */
const algorithmAliases: ReadonlyMap<string, string> = new Map([['RSA256', 'RS256']]);

const canonicalAlgorithm = (written: string): string => algorithmAliases.get(written) ?? written;

/** Returns a warning for each name of an algorithm that kube-apiserver would refuse. */
export const oidcWarnings = (values: FlagValues): readonly string[] =>
  values
    .list('oidc-signing-algs')
    .filter((written) => algorithmAliases.has(written))
    .map(
      (written) => `--oidc-signing-algs: ${written} is accepted as ${canonicalAlgorithm(written)}`,
    );
