/** The `--requestheader-*` flags and their validation, which matches kube-apiserver's. */
import { poolsOverlap } from '../../certificates/certificate-pool.ts';
import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { readCertificateBundle } from '../../formats/x509/certificate.ts';
import { toLatin1 } from '../../formats/x509/der.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import { type HeaderRules, isBlank } from './header-rules.ts';

export interface AuthenticatingProxySettings {
  /** Path of the CA bundle; `undefined` disables the authenticator. */
  readonly caFile: string | undefined;
  readonly allowedNames: readonly string[];
  readonly headers: HeaderRules;
}

const headerFlags = {
  username: 'requestheader-username-headers',
  uid: 'requestheader-uid-headers',
  groups: 'requestheader-group-headers',
  extraPrefixes: 'requestheader-extra-headers-prefix',
} as const satisfies Readonly<Record<keyof HeaderRules, string>>;

const allowedNamesFlag = 'requestheader-allowed-names';

export const flags = flagGroup('Authenticating proxy', [
  {
    name: 'requestheader-client-ca-file',
    placeholder: 'FILE',
    doc: 'Root certificate bundle to use to verify client certificates on incoming requests before trusting usernames in headers specified by --requestheader-username-headers. It must differ from --client-ca-file. The file is reloaded when it changes.',
  },
  {
    name: allowedNamesFlag,
    type: 'stringSlice',
    doc: 'List of client certificate common names to allow to provide usernames in headers specified by --requestheader-username-headers. If empty, any client certificate validated by the authorities in --requestheader-client-ca-file is allowed.',
  },
  {
    name: headerFlags.username,
    type: 'stringSlice',
    doc: 'List of request headers to inspect for usernames; the first one with a value is used. X-Remote-User is common.',
  },
  {
    name: headerFlags.uid,
    type: 'stringSlice',
    doc: 'List of request headers to inspect for UIDs, which must include X-Remote-Uid. Requires the RemoteRequestHeaderUID feature to be enabled.',
  },
  {
    name: headerFlags.groups,
    type: 'stringSlice',
    doc: 'List of request headers to inspect for groups; all values of all headers are used. X-Remote-Group is suggested.',
  },
  {
    name: headerFlags.extraPrefixes,
    type: 'stringSlice',
    doc: 'List of request header prefixes to inspect for extra values. X-Remote-Extra- is suggested.',
  },
]);

export const readAuthenticatingProxy = (values: FlagValues): AuthenticatingProxySettings => {
  const caFile = values.string('requestheader-client-ca-file');
  return {
    caFile: caFile === '' ? undefined : caFile,
    allowedNames: values.list(allowedNamesFlag),
    headers: {
      username: values.list(headerFlags.username),
      uid: values.list(headerFlags.uid),
      groups: values.list(headerFlags.groups),
      extraPrefixes: values.list(headerFlags.extraPrefixes),
    },
  };
};

/** Validates the flags. The rules also apply if no CA bundle is set. */
export const validateAuthenticatingProxy = (
  { allowedNames, headers }: AuthenticatingProxySettings,
  gates: FeatureGates,
): readonly FlagProblem[] => {
  const blanks = [
    blankProblem(headerFlags.username, headers.username),
    blankProblem(headerFlags.groups, headers.groups),
    blankProblem(headerFlags.extraPrefixes, headers.extraPrefixes),
    blankProblem(allowedNamesFlag, allowedNames),
  ].flat();
  if (gates.get(uidGate) !== true) {
    const needsGate = `--${headerFlags.uid} requires the ${goQuote(uidGate)} feature to be enabled`;
    return headers.uid.length === 0 ? blanks : [...blanks, { message: needsGate, help: '' }];
  }
  return [
    ...blanks,
    ...blankProblem(headerFlags.uid, headers.uid),
    ...missingStandard(headerFlags.uid, headers.uid, 'X-Remote-Uid header').map((message) => ({
      message,
      help: '',
    })),
  ];
};

const uidGate = 'RemoteRequestHeaderUID';

const blankProblem = (flag: string, names: readonly string[]): readonly FlagProblem[] =>
  names.some(isBlank) ? [{ message: `empty value in ${goQuote(flag)}`, help: '' }] : [];

/** Returns warnings about settings that are allowed but unusual. They are logged at startup. */
export const warnAuthenticatingProxy = ({
  headers,
}: AuthenticatingProxySettings): readonly string[] => [
  ...missingStandard(headerFlags.username, headers.username, 'X-Remote-User header'),
  ...missingStandard(headerFlags.groups, headers.groups, 'X-Remote-Group header'),
  ...missingStandard(
    headerFlags.extraPrefixes,
    headers.extraPrefixes,
    'X-Remote-Extra- header prefix',
  ),
];

/**
 * Returns a warning if `names` lacks the standard name. `standard` is the name followed by what it
 * is.
 */
const missingStandard = (
  flag: string,
  names: readonly string[],
  standard: string,
): readonly string[] => {
  const [standardName = ''] = standard.toLowerCase().split(' ');
  return names.length === 0 || names.some((name) => name.toLowerCase() === standardName)
    ? []
    : [
        `--${flag} is set without specifying the standard ${standard} - API aggregation will not work`,
      ];
};

export interface ProxyAuthorities {
  readonly clientBundle: Uint8Array;
  readonly proxyBundle: Uint8Array;
  readonly allowedNames: readonly string[];
}

/**
 * Checks whether the two CA bundles share a certificate, in which case every client of
 * `--client-ca-file` could act as any user. This is an error unless `--requestheader-allowed-names`
 * is set, as in kube-apiserver; otherwise AuthGraph warns. Unreadable bundles are reported
 * elsewhere.
 */
export const overlapProblem = ({
  clientBundle,
  proxyBundle,
  allowedNames,
}: ProxyAuthorities):
  | { readonly severity: 'error' | 'warning'; readonly message: string }
  | undefined => {
  const clients = readCertificateBundle(toLatin1(clientBundle));
  const proxies = readCertificateBundle(toLatin1(proxyBundle));
  if (typeof clients === 'string' || typeof proxies === 'string') return undefined;
  if (!poolsOverlap(clients, proxies)) return undefined;
  return allowedNames.length === 0
    ? {
        severity: 'error',
        message:
          '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
      }
    : {
        severity: 'warning',
        message:
          '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates: a client certificate with a common name in --requestheader-allowed-names can act as any user',
      };
};
