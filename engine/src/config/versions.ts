/**
 * The kinds and versions that kube-apiserver knows, and how it responds to a file's apiVersion and
 * kind: it reads on, or rejects the file with an error.
 */
import { goQuote } from '../formats/go-quote.ts';
import { configGroup, legacyConfigGroup } from '../model/api-domain.ts';
import { historyOf, oldestRelease, type Release } from '../model/release.ts';
import type { ConfigVersion } from './configuration.ts';

/**
 * kube-apiserver names its registry by a source position, which differs between releases: reports
 * that are compared with recorded ones have this placeholder.
 */
const scheme = 'in scheme "<scheme>"';

/** Returns a message without the name of the registry, which means nothing to readers. */
export const withoutScheme = (message: string): string => message.replace(` ${scheme}`, '');

/** Returns a message with the name of the registry that current releases print. */
export const withSchemeName = (message: string): string =>
  message.replace(scheme, 'in scheme "pkg/runtime/scheme.go:111"');

export type KindResolution =
  | {
      readonly kind: 'configuration';
      readonly version: ConfigVersion;
      readonly domain: string;
      /** The error of a release that lacks the version. */
      readonly rejection: string | undefined;
    }
  | { readonly kind: 'rejected'; readonly message: string; readonly at: 'apiVersion' | 'kind' }
  /**
   * Another kind that kube-apiserver knows: it decodes the file strictly by that kind's fields and
   * only then rejects it. A WatchEvent does not even have apiVersion and kind.
   */
  | { readonly kind: 'other'; readonly message: string; readonly fields: ReadonlySet<string> };

const configVersions: readonly ConfigVersion[] = ['v1', 'v1beta1', 'v1alpha1', '__internal'];
const configKind = 'AuthenticationConfiguration';

export type GroupVersion =
  | { readonly ok: true; readonly group: string; readonly version: string }
  | { readonly ok: false; readonly message: string };

/** Parses `apiserver.config.k8s.io/v1`; a single word is a version. */
export const parseGroupVersion = (text: string): GroupVersion => {
  if (text === '' || text === '/') return { ok: true, group: '', version: '' };
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return { ok: false, message: `unexpected GroupVersion string: ${text}` };
  return second === undefined
    ? { ok: true, group: '', version: first }
    : { ok: true, group: first, version: second };
};

interface RequestedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The first release with version v1 of a kind, unless all supported releases have it. */
const v1Since: ReadonlyMap<string, Release> = new Map([
  ['AuthorizationConfiguration', 32],
  [configKind, historyOf('version v1').since],
  ['TracingConfiguration', 34],
]);

const isRegistered = ({ version, kind }: RequestedKind, release: Release): boolean =>
  version !== 'v1' || release >= (v1Since.get(kind) ?? oldestRelease);

const notRegistered = ({ group, version, kind }: RequestedKind): string =>
  `no kind ${goQuote(kind)} is registered for version ${goQuote(group === '' ? version : `${group}/${version}`)} ${scheme}`;

/**
 * Resolves a kind for the given domains. The domain of the file is the first one whose group it
 * uses.
 */
export const resolveKind = (
  requested: RequestedKind,
  { domains, release }: { readonly domains: readonly string[]; readonly release: Release },
): KindResolution => {
  const { group, version, kind } = requested;
  const domain = domains.find((known) => configGroup(known) === group);
  const legacy = domains.find((known) => legacyConfigGroup(known) === group);
  const known = configVersions.find((name) => name === version);
  if (domain !== undefined && known !== undefined && kind === configKind)
    return {
      kind: 'configuration',
      version: known,
      domain,
      rejection: isRegistered(requested, release) ? undefined : notRegistered(requested),
    };
  const plain = apiMachineryKinds.get(kind);
  if (plain !== undefined) return otherKind(`*v1.${kind}`, plain);
  if (group === '' && version === 'v1' && kind === 'EncryptionConfig')
    return otherKind('*apiserver.EncryptionConfiguration', ['resources']);
  const kinds =
    (domain === undefined ? undefined : configKinds.get(version)) ??
    (legacy === undefined ? undefined : legacyKinds.get(version));
  if (kinds?.includes(kind) && isRegistered(requested, release)) {
    const fields = fieldsOfKind.get(kind) ?? [];
    return otherKind(`*apiserver.${kind}`, version === '__internal' ? fields.map(goName) : fields);
  }
  if (version === '__internal' || hasOptionKinds(version, { domain, legacy }))
    return resolveApiMachineryKind(requested, domain ?? legacy);
  const unknownVersion = domain === undefined || known === undefined;
  return {
    kind: 'rejected',
    message: notRegistered(requested),
    at: unknownVersion ? 'apiVersion' : 'kind',
  };
};

const otherKind = (goType: string, fields: readonly string[]): KindResolution => ({
  kind: 'other',
  message: `expected ${configKind}, got ${goType}`,
  fields: new Set(['apiVersion', 'kind', ...fields]),
});

const goName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Top-level fields of kube-apiserver's other configuration files. */
const fieldsOfKind: ReadonlyMap<string, readonly string[]> = new Map([
  ['AdmissionConfiguration', ['plugins']],
  ['AuthorizationConfiguration', ['authorizers']],
  ['EgressSelectorConfiguration', ['egressSelections']],
  ['EncryptionConfiguration', ['resources']],
  ['TracingConfiguration', ['endpoint', 'samplingRatePerMillion']],
]);

const configKinds: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'v1',
    [
      'AdmissionConfiguration',
      'AuthorizationConfiguration',
      'EncryptionConfiguration',
      'TracingConfiguration',
    ],
  ],
  ['v1beta1', ['AuthorizationConfiguration', 'TracingConfiguration']],
  ['v1alpha1', ['AuthorizationConfiguration', 'TracingConfiguration']],
  [
    '__internal',
    [
      'AdmissionConfiguration',
      'AuthorizationConfiguration',
      'EgressSelectorConfiguration',
      'EncryptionConfiguration',
      'TracingConfiguration',
    ],
  ],
]);

const legacyKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1alpha1', ['AdmissionConfiguration', 'EgressSelectorConfiguration']],
  ['v1beta1', ['EgressSelectorConfiguration']],
  ['__internal', ['AdmissionConfiguration', 'EgressSelectorConfiguration']],
]);

/** Kinds that every group has, with their top-level fields. */
const apiMachineryKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['APIGroup', ['name', 'versions', 'preferredVersion', 'serverAddressByClientCIDRs']],
  ['APIGroupList', ['groups']],
  ['APIResourceList', ['groupVersion', 'resources']],
  ['APIVersions', ['versions', 'serverAddressByClientCIDRs']],
  ['Status', ['metadata', 'status', 'message', 'reason', 'details', 'code']],
]);

const optionKinds: readonly string[] = [
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
];

const hasOptionKinds = (
  version: string,
  groups: { readonly domain: string | undefined; readonly legacy: string | undefined },
): boolean => {
  if (groups.domain !== undefined) return version === 'v1' || version === 'v1alpha1';
  return groups.legacy !== undefined && (version === 'v1alpha1' || version === 'v1beta1');
};

const resolveApiMachineryKind = (
  requested: RequestedKind,
  domain: string | undefined,
): KindResolution => {
  const { group, version, kind } = requested;
  const internal = version === '__internal';
  if (kind === 'WatchEvent' && domain !== undefined) {
    const fields = new Set(['type', 'object']);
    return { kind: 'other', message: `expected ${configKind}, got *v1.WatchEvent`, fields };
  }
  if (internal || optionKinds.includes(kind)) {
    // Options have a single internal group, whichever version is used.
    const internalGroup = internal || domain === undefined ? group : legacyConfigGroup(domain);
    return {
      kind: 'rejected',
      message: `no kind ${goQuote(kind)} is registered for the internal version of group ${goQuote(internalGroup)} ${scheme}`,
      at: 'kind',
    };
  }
  return {
    kind: 'rejected',
    message: notRegistered(requested),
    at: 'kind',
  };
};

/** Returns the newest version of the file that the release reads. */
export const newestVersion = (release: Release): 'v1' | 'v1beta1' =>
  release < historyOf('version v1').since ? 'v1beta1' : 'v1';
