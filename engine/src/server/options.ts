/**
 * The flags of `authgraph serve`, as one table, and the options that they make. Names, types,
 * defaults and messages of the flags that kube-apiserver has are its own.
 */
import { apiDomains } from '../model/api-domain.ts';
import {
  type FeatureGates,
  readGates,
  structuredConfigurationGate,
} from '../model/feature-gates.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../model/flag.ts';
import {
  knownReleases,
  newestRelease,
  parseRelease,
  type Release,
  releaseName,
} from '../model/release.ts';
import { parseFlags } from './parse-flags.ts';

export interface ServeOptions {
  /** Path of the configuration file or of a compiled artefact. */
  readonly authenticationConfig: string | undefined;
  /** Present when the `--oidc-*` flags make an authenticator. */
  readonly oidc: OidcOptions | undefined;
  /** The value of the flag where it was given; the default is on. */
  readonly anonymousAuth: boolean | undefined;
  readonly apiAudiences: readonly string[];
  readonly featureGates: FeatureGates;
  readonly targetRelease: Release;
  readonly apiDomain: string | undefined;

  /** An IP address. */
  readonly bindAddress: string;
  /** 0 (any free port) only from code, never from the flag. */
  readonly securePort: number;
  /** Both or neither; without them a self-signed certificate is made. */
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly shutdownGraceMs: number;

  readonly tokenReviewOpen: readonly ReviewerName[];
  /** `throttled`: at most one fruitless key fetch an issuer in ten seconds; `per-token`: as the real server. */
  readonly jwksRefetch: 'throttled' | 'per-token';
  readonly jwksCacheDir: string | undefined;

  /** A path, or `-` for standard output. */
  readonly decisionLog: string | undefined;
  readonly decisionLogGroups: boolean;
  readonly decisionLogExtra: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Of what is written for people. */
  readonly color: string;
}

export interface OidcOptions {
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

/** Who may create a TokenReview: one user, or the members of one group. */
export interface ReviewerName {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

export type OptionsReading =
  | { readonly kind: 'options'; readonly options: ServeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'problems'; readonly problems: readonly FlagProblem[] };

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

export const serveFlags: readonly FlagRow[] = [
  {
    name: 'authentication-config',
    group: 'Authentication',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the AuthenticationConfiguration, or an artefact made by `authgraph compile`. Not together with --oidc-*; not together with --anonymous-auth where the file has an anonymous section.',
  },
  {
    name: 'anonymous-auth',
    group: 'Authentication',
    type: 'bool',
    default: 'true',
    doc: 'Serve requests that present no credential as system:anonymous.',
  },
  {
    name: 'api-audiences',
    group: 'Authentication',
    type: 'stringSlice',
    default: '[]',
    doc: 'Identifiers of this API, asked for when a request names no audience.',
  },
  {
    name: 'feature-gates',
    group: 'Authentication',
    type: 'colonSeparatedMultimapStringString',
    default: '',
    doc: 'Feature gates as Name=true|false, comma-separated; repeatable.',
  },
  {
    name: 'target-version',
    group: 'Authentication',
    type: 'string',
    default: releaseName(newestRelease),
    doc: `Release of the API server whose behaviour is followed, ${knownReleases}.`,
  },
  {
    name: 'api-domain',
    group: 'Authentication',
    type: 'string',
    choices: ['', ...apiDomains],
    default: '',
    doc: 'Domain of names that no request decides: platform.io or k8s.io. Default: the domain of the configuration file.',
  },
  {
    name: 'oidc-issuer-url',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'URL of the OpenID issuer, https only.',
  },
  {
    name: 'oidc-client-id',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Client ID that tokens must be issued for; required with --oidc-issuer-url.',
  },
  {
    name: 'oidc-ca-file',
    group: 'OIDC (instead of a file)',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: "File with the roots that sign the issuer's certificate. Default: the roots of this machine.",
  },
  {
    name: 'oidc-username-claim',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: 'sub',
    doc: 'Claim that is the username.',
  },
  {
    name: 'oidc-username-prefix',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Put before each username. Default: the issuer URL and # for claims other than email; - for no prefix.',
  },
  {
    name: 'oidc-groups-claim',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Claim that holds the groups, a text or a list of texts.',
  },
  {
    name: 'oidc-groups-prefix',
    group: 'OIDC (instead of a file)',
    type: 'string',
    default: '',
    doc: 'Put before each group.',
  },
  {
    name: 'oidc-signing-algs',
    group: 'OIDC (instead of a file)',
    type: 'stringSlice',
    default: '[RS256]',
    doc: 'Allowed signature algorithms: RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512.',
  },
  {
    name: 'oidc-required-claim',
    group: 'OIDC (instead of a file)',
    type: 'mapStringString',
    default: '',
    doc: 'A key=value pair that every token must carry; repeatable.',
  },
  {
    name: 'bind-address',
    group: 'Serving',
    type: 'ip',
    default: '0.0.0.0',
    doc: 'IP address to listen on.',
  },
  {
    name: 'secure-port',
    group: 'Serving',
    type: 'int',
    default: '6443',
    doc: 'Port to serve HTTPS on.',
  },
  {
    name: 'tls-cert-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the certificate chain of this server. Default: a self-signed certificate made at start.',
  },
  {
    name: 'tls-private-key-file',
    group: 'Serving',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File with the private key of --tls-cert-file.',
  },
  {
    name: 'shutdown-grace',
    group: 'Serving',
    type: 'duration',
    default: '10s',
    doc: 'How long open requests may take after a signal to end.',
  },
  {
    name: 'token-review-open',
    group: 'Reviews and keys',
    type: 'stringSlice',
    default: '[]',
    doc: 'Who may create TokenReviews: user:NAME or group:NAME. Default: nobody.',
  },
  {
    name: 'jwks-refetch',
    group: 'Reviews and keys',
    type: 'string',
    choices: ['throttled', 'per-token'],
    default: 'throttled',
    doc: 'throttled: at most one fruitless fetch of an issuer’s keys in ten seconds; per-token: as kube-apiserver, which may fetch for each refused token.',
  },
  {
    name: 'jwks-cache-dir',
    group: 'Reviews and keys',
    type: 'string',
    placeholder: 'DIR',
    default: '',
    doc: 'Directory that keeps the last good keys of each issuer over a restart. Default: memory only.',
  },
  {
    name: 'decision-log',
    group: 'Logs',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'File for one JSON line a decision, - for standard output. Default: none.',
  },
  {
    name: 'decision-log-groups',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Write groups into the decision log.',
  },
  {
    name: 'decision-log-extra',
    group: 'Logs',
    type: 'bool',
    default: 'false',
    doc: 'Write extra values into the decision log.',
  },
  {
    name: 'log-level',
    group: 'Logs',
    type: 'string',
    choices: logLevels,
    default: 'info',
    doc: 'debug, info, warn or error.',
  },
  {
    name: 'color',
    group: 'Logs',
    type: 'string',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    doc: 'Colours of messages for people: on a terminal only, always, or never.',
  },
];

/** Flags of kube-apiserver for modules that do not exist here yet: unknown, but we say why. */
export const flagsOfOtherModules: readonly string[] = [
  'authentication-token-webhook-cache-ttl',
  'authentication-token-webhook-config-file',
  'authentication-token-webhook-version',
  'client-ca-file',
  'enable-bootstrap-token-auth',
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-username-headers',
  'service-account-extend-token-expiration',
  'service-account-issuer',
  'service-account-jwks-uri',
  'service-account-key-file',
  'service-account-lookup',
  'service-account-max-token-expiration',
  'token-auth-file',
];

/** Options as no flag at all makes them. */
export const defaultServeOptions = (): ServeOptions =>
  optionsOf(parseFlags(serveFlags, []).values, newestRelease);

/** Reads the arguments after `serve`. Every problem is reported, in the real server's order. */
export const readServeOptions = (args: readonly string[]): OptionsReading => {
  const parsed = parseFlags(serveFlags, args, {
    elsewhere: flagsOfOtherModules,
    noOperands: {
      command: 'serve',
      help: 'Name the configuration with --authentication-config FILE.',
    },
  });
  if (parsed.help) return { kind: 'help' };
  if (parsed.problems.length > 0) return { kind: 'problems', problems: parsed.problems };
  const release = parseRelease(parsed.values.text('target-version'));
  const options = optionsOf(parsed.values, release ?? newestRelease);
  const problems = validate(parsed.values, options);
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'options', options };
};

const optionsOf = (values: FlagValues, targetRelease: Release): ServeOptions => {
  const path = (name: string): string | undefined => values.text(name) || undefined;
  return {
    authenticationConfig: path('authentication-config'),
    oidc: oidcOf(values),
    anonymousAuth: values.given('anonymous-auth') ? values.flag('anonymous-auth') : undefined,
    apiAudiences: values.list('api-audiences'),
    featureGates: readGates(values.list('feature-gates'), targetRelease).gates,
    targetRelease,
    apiDomain: path('api-domain'),
    bindAddress: values.text('bind-address'),
    securePort: values.number('secure-port'),
    tlsCertFile: path('tls-cert-file'),
    tlsPrivateKeyFile: path('tls-private-key-file'),
    shutdownGraceMs: values.number('shutdown-grace'),
    tokenReviewOpen: values.list('token-review-open').flatMap((text) => reviewerOf(text) ?? []),
    jwksRefetch: values.text('jwks-refetch') === 'per-token' ? 'per-token' : 'throttled',
    jwksCacheDir: path('jwks-cache-dir'),
    decisionLog: path('decision-log'),
    decisionLogGroups: values.flag('decision-log-groups'),
    decisionLogExtra: values.flag('decision-log-extra'),
    color: values.text('color'),
    logLevel: logLevels.find((level) => level === values.text('log-level')) ?? 'info',
  };
};

/** The real server makes an authenticator only when both are there and no file is named. */
const oidcOf = (values: FlagValues): OidcOptions | undefined => {
  const issuerUrl = values.text('oidc-issuer-url');
  const clientId = values.text('oidc-client-id');
  if (issuerUrl === '' || clientId === '' || values.text('authentication-config') !== '')
    return undefined;
  return {
    issuerUrl,
    clientId,
    caFile: values.text('oidc-ca-file') || undefined,
    usernameClaim: values.text('oidc-username-claim'),
    usernamePrefix: values.text('oidc-username-prefix'),
    groupsClaim: values.text('oidc-groups-claim'),
    groupsPrefix: values.text('oidc-groups-prefix'),
    signingAlgorithms: values.list('oidc-signing-algs'),
    requiredClaims: values.pairs('oidc-required-claim'),
  };
};

const reviewerOf = (text: string): ReviewerName | undefined => {
  const match = /^(user|group):(.+)$/s.exec(text);
  const name = match?.[2];
  if (name === undefined) return undefined;
  return { kind: match?.[1] === 'group' ? 'group' : 'user', name };
};

const validate = (values: FlagValues, options: ServeOptions): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const say = (message: string, help: string): void => {
    problems.push({ message, help });
  };
  // The real server reads gates before it looks at any other option.
  for (const error of readGates(values.list('feature-gates'), options.targetRelease).errors)
    say(
      error,
      error.includes('unrecognized feature gate')
        ? 'Only gates of the authentication stage are known here.'
        : '',
    );
  const port = options.securePort;
  if (port < 1 || port > 65535)
    say(
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
      '',
    );
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    say(
      'missing filename for serving cert',
      'Give --tls-cert-file and --tls-private-key-file together, or neither.',
    );
  problems.push(...validateOidc(values, options));

  if (parseRelease(values.text('target-version')) === undefined)
    say(
      `invalid argument ${JSON.stringify(values.text('target-version'))} for "--target-version" flag: must be ${knownReleases}`,
      '',
    );
  for (const name of values.list('token-review-open'))
    if (reviewerOf(name) === undefined)
      say(
        `invalid argument ${JSON.stringify(name)} for "--token-review-open" flag: must be user:NAME or group:NAME`,
        'To let every authenticated user ask, write group:system:authenticated.',
      );
  return problems;
};

const validateOidc = (values: FlagValues, options: ServeOptions): readonly FlagProblem[] => {
  const problems: FlagProblem[] = [];
  const oidcGiven = serveFlags.some(({ name }) => name.startsWith('oidc-') && values.given(name));
  if (options.authenticationConfig === undefined) {
    if (oidcGiven && options.oidc === undefined)
      problems.push({
        message:
          'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
        help: 'Give both, or none of the --oidc-* flags.',
      });
    return problems;
  }
  if (options.featureGates.get(structuredConfigurationGate) === false)
    problems.push({
      message: `set --feature-gates=${structuredConfigurationGate}=true to use authentication-config file`,
      help: '',
    });
  if (oidcGiven)
    problems.push({
      message: 'authentication-config file and oidc-* flags are mutually exclusive',
      help: 'Write the issuer as a jwt entry of the file and drop the --oidc-* flags.',
    });
  return problems;
};
