/** The flags of service account tokens: of both authenticators and of the TokenRequest API. */

import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { accountTokenGates, type FeatureGates } from '../../model/feature-gates.ts';
import { accountTokenRules } from './token-rules.ts';

export interface ServiceAccountSettings {
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  readonly issuers: readonly string[];
  /** True if the Secret and the service account of a legacy token are looked up. */
  readonly lookup: boolean;
  /** The JWKS URL in the discovery document; if empty, this server's own. */
  readonly jwksUri: string;
  /** The maximum; 0 means no limit. */
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
}

export const flags = flagGroup('Authentication', [
  {
    name: 'service-account-key-file',
    type: 'stringArray',
    placeholder: 'FILE',
    doc: 'File containing PEM-encoded x509 RSA or ECDSA private or public keys, used to verify service account tokens. The file can contain multiple keys, and the flag can be specified multiple times with different files.',
  },
  {
    name: 'service-account-signing-key-file',
    placeholder: 'FILE',
    doc: 'Path to the file that contains the current private key of the service account token issuer. Issued tokens are signed with this key.',
  },
  {
    name: 'service-account-issuer',
    type: 'stringArray',
    placeholder: 'URL',
    doc: 'Identifier of the service account token issuer, the iss claim of issued tokens. If the flag is specified multiple times, the first is used to generate tokens and all are accepted.',
  },
  {
    name: 'service-account-lookup',
    type: 'bool',
    default: 'true',
    doc: 'If true, validate that the Secret and the service account of a legacy token exist as part of authentication.',
  },
  {
    name: 'service-account-jwks-uri',
    placeholder: 'URL',
    doc: "Overrides the URI of the JSON Web Key Set in the discovery document served at /.well-known/openid-configuration. The default is this server's own address.",
  },
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    default: '0s',
    doc: 'The maximum validity duration of a token created by the service account token issuer. A TokenRequest with a longer duration gets a token with this duration.',
  },
  {
    name: 'service-account-extend-token-expiration',
    type: 'bool',
    default: 'true',
    doc: 'Extends the expiration of tokens that are requested for 3607 seconds and bound to a pod to one year, so that workloads which read their token only once keep working. Uses after the requested expiration are annotated as stale in the decision log.',
  },
]);

export const readServiceAccounts = (values: FlagValues): ServiceAccountSettings => ({
  keyFiles: values.list('service-account-key-file'),
  signingKeyFile: values.string('service-account-signing-key-file'),
  issuers: values.list('service-account-issuer'),
  lookup: values.bool('service-account-lookup'),
  jwksUri: values.string('service-account-jwks-uri'),
  maxExpirationSeconds: values.number('service-account-max-token-expiration') / 1000,
  extendExpiration: values.bool('service-account-extend-token-expiration'),
});

const problem = (message: string, help: string): FlagProblem => ({ message, help });

/** Validates the flags with kube-apiserver's messages in its order. */
export const validateServiceAccounts = (
  settings: ServiceAccountSettings,
): readonly FlagProblem[] => [
  ...issuerProblems(settings.issuers),
  ...(settings.issuers.length === 0
    ? [
        problem(
          'service-account-issuer is a required flag',
          'Set --service-account-issuer to the issuer of the tokens.',
        ),
      ]
    : []),
  ...(settings.keyFiles.length === 0
    ? [
        problem(
          'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
          'Set --service-account-key-file to a file with the public keys.',
        ),
      ]
    : []),
  ...jwksUriProblems(settings.jwksUri),
];

/** Checks that tokens which one feature gate creates are accepted by the other. */
export const validateAccountGates = (gates: FeatureGates): readonly FlagProblem[] => {
  const { nodeBinding, nodeValidation } = accountTokenRules(gates);
  if (!nodeBinding || nodeValidation) return [];
  const message = `the "${accountTokenGates.nodeBinding}" feature gate can only be enabled if the "${accountTokenGates.nodeValidation}" feature gate is also enabled`;
  return [problem(message, 'Enable or disable both feature gates.')];
};

const issuerProblems = (issuers: readonly string[]): readonly FlagProblem[] => {
  const seen = new Set<string>();
  return issuers.flatMap((issuer): readonly FlagProblem[] => {
    const url = issuer.includes(':') ? parseGoUrl(issuer) : undefined;
    if (url?.kind === 'error') {
      const message = `service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${url.message}`;
      return [problem(message, '')];
    }
    if (issuer === '') {
      return [problem('service-account-issuer should not be an empty string', '')];
    }
    if (seen.has(issuer)) {
      return [problem(`service-account-issuer ${goQuote(issuer)} is already specified`, '')];
    }
    seen.add(issuer);
    return [];
  });
};

const jwksUriProblems = (uri: string): readonly FlagProblem[] => {
  if (uri === '') return [];
  const url = parseGoUrl(uri);
  if (url.kind === 'error') {
    return [problem(`service-account-jwks-uri must be a valid URL: ${url.message}`, '')];
  }
  return url.scheme === 'https'
    ? []
    : [problem(`service-account-jwks-uri requires https scheme, parsed as: ${printed(uri)}`, '')];
};

/** Formats the URL as Go does, with the scheme in lower case. */
const printed = (uri: string): string =>
  uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase());

/** Checks the maximum expiration, which kube-apiserver does after all other validation. */
export const expirationProblem = ({
  maxExpirationSeconds,
}: ServiceAccountSettings): FlagProblem | undefined =>
  maxExpirationSeconds !== 0 && (maxExpirationSeconds < 3600 || maxExpirationSeconds > 2 ** 32)
    ? problem(
        'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
        '',
      )
    : undefined;
