/** The flags of the module, and the rules about them that are the real server's. */
import { poolsOverlap } from '../../certificates/certificate-pool.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { readCertificateBundle } from '../../formats/x509/certificate.ts';
import { toLatin1 } from '../../formats/x509/der.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import { type HeaderRules, isBlank } from './header-rules.ts';

export interface AuthenticatingProxySettings {
  /** Path of the bundle; `undefined` where there is none and the module is not asked. */
  readonly caFile: string | undefined;
  readonly allowedNames: readonly string[];
  readonly headers: HeaderRules;
}

const group = 'Authenticating proxy';

const headerFlags = {
  username: 'requestheader-username-headers',
  uid: 'requestheader-uid-headers',
  groups: 'requestheader-group-headers',
  extraPrefixes: 'requestheader-extra-headers-prefix',
} as const satisfies Readonly<Record<keyof HeaderRules, string>>;

const allowedNamesFlag = 'requestheader-allowed-names';

export const flags: readonly FlagRow[] = [
  {
    name: 'requestheader-client-ca-file',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'Certificate authorities of proxies that may say in header fields who the user is. Other ones than those of --client-ca-file. Watched while the server runs.',
  },
  {
    name: allowedNamesFlag,
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'Common names of proxies. Without any, every certificate of the authorities is one.',
  },
  {
    name: headerFlags.username,
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'Header fields for the user name; the first that has a value counts. X-Remote-User is common.',
  },
  {
    name: headerFlags.uid,
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'Header fields for the UID; X-Remote-Uid must be one of them. Needs the RemoteRequestHeaderUID feature.',
  },
  {
    name: headerFlags.groups,
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'Header fields for groups; all values of all of them count. X-Remote-Group is common.',
  },
  {
    name: headerFlags.extraPrefixes,
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'Beginnings of header fields for extra values. X-Remote-Extra- is common.',
  },
];

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

/** They hold without the bundle too. */
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

/** What is odd and not forbidden; for the log, at the start. */
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

/** `standard`: a name, and what it is. */
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
 * One certificate in both bundles: every user of `--client-ca-file` could speak for anybody. An error
 * as long as no names are allowed by themselves, as in the real server; else worth a warning of ours.
 * Bundles that cannot be read have their own error.
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
          '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates: whoever gets a client certificate with a name of --requestheader-allowed-names can act as anybody',
      };
};
