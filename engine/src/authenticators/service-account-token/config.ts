/** The flags of service account tokens: both kinds of them, and the making of new ones. */

import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { accountTokenGates, type FeatureGates } from '../../model/feature-gates.ts';
import { accountTokenRules } from './token-rules.ts';

export interface ServiceAccountSettings {
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  readonly issuers: readonly string[];
  /** Look at the secret and the account of a legacy token. */
  readonly lookup: boolean;
  /** Empty where the server's own address stands in the discovery document. */
  readonly jwksUri: string;
  /** 0 where there is no limit. */
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
}

const group = 'Authentication';

export const flags: readonly FlagRow[] = [
  {
    name: 'service-account-key-file',
    group,
    type: 'stringArray',
    placeholder: 'FILE',
    default: '[]',
    doc: 'File with PEM-encoded RSA or ECDSA keys, public or private, or certificates, that service account tokens are verified with. May hold several keys and be given several times.',
  },
  {
    name: 'service-account-signing-key-file',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the PEM-encoded private key that new service account tokens are signed with.',
  },
  {
    name: 'service-account-issuer',
    group,
    type: 'stringArray',
    placeholder: 'URL',
    default: '[]',
    doc: 'Issuer of service account tokens, the iss claim. Given several times the first is put into new tokens and all are accepted.',
  },
  {
    name: 'service-account-lookup',
    group,
    type: 'bool',
    default: 'true',
    doc: 'Look at the secret and the account of a legacy token, so that a deleted one is refused.',
  },
  {
    name: 'service-account-jwks-uri',
    group,
    type: 'string',
    placeholder: 'URL',
    default: '',
    doc: "Where the discovery document says that the keys are; this server's own address where it is not given.",
  },
  {
    name: 'service-account-max-token-expiration',
    group,
    type: 'duration',
    default: '0s',
    doc: 'Longest life of a new service account token; a longer one that is asked for is shortened.',
  },
  {
    name: 'service-account-extend-token-expiration',
    group,
    type: 'bool',
    default: 'true',
    doc: 'Let tokens that are asked for with 3607 seconds and bound to a pod live for a year, with a note in the log after the hour, so that workloads which read their token once go on.',
  },
];

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

/** What the real server's own validation of these flags says, in its order. */
export const validateServiceAccounts = (
  settings: ServiceAccountSettings,
): readonly FlagProblem[] => [
  ...issuerProblems(settings.issuers),
  ...(settings.issuers.length === 0
    ? [problem('service-account-issuer is a required flag', 'Name the issuer of the tokens.')]
    : []),
  ...(settings.keyFiles.length === 0
    ? [
        problem(
          'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
          'Name a file with the public keys.',
        ),
      ]
    : []),
  ...jwksUriProblems(settings.jwksUri),
];

/** One gate makes tokens that only the other one lets in. */
export const validateAccountGates = (gates: FeatureGates): readonly FlagProblem[] => {
  const { nodeBinding, nodeValidation } = accountTokenRules(gates);
  if (!nodeBinding || nodeValidation) return [];
  const message = `the "${accountTokenGates.nodeBinding}" feature gate can only be enabled if the "${accountTokenGates.nodeValidation}" feature gate is also enabled`;
  return [problem(message, 'Switch both on, or both off.')];
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

/** As the parsed URL prints: the scheme in lower case. */
const printed = (uri: string): string =>
  uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase());

/** What the real server checks once all else is valid: the life of new tokens. */
export const expirationProblem = ({
  maxExpirationSeconds,
}: ServiceAccountSettings): FlagProblem | undefined =>
  maxExpirationSeconds !== 0 && (maxExpirationSeconds < 3600 || maxExpirationSeconds > 2 ** 32)
    ? problem(
        'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
        '',
      )
    : undefined;
