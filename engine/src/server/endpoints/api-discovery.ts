/** API discovery documents. */
import { createHash } from 'node:crypto';
import {
  type OutputMap,
  type OutputValue,
  omitEmpty,
  outputMap,
} from '../../formats/output-value.ts';
import { kubernetesDomain } from '../../model/api-domain.ts';
import { type KindRow, kinds } from '../../resources/kinds.ts';
import {
  authenticationGroups,
  betaVersion,
  type ReviewVersion,
  rbacGroups,
  servedVersion,
} from '../api-groups.ts';
import type { Served } from './route.ts';

const groupVersion = (group: string, version: ReviewVersion = servedVersion): OutputMap =>
  outputMap(['groupVersion', `${group}/${version}`], ['version', version]);

/** Returns the versions of a group, the preferred one first. */
const versionsOf = (
  group: string,
  { betaReviews }: Pick<Served, 'betaReviews'>,
): readonly ReviewVersion[] =>
  betaReviews && authenticationGroups.has(group) ? [servedVersion, betaVersion] : [servedVersion];

const groupMembers = (
  group: string,
  served: Pick<Served, 'betaReviews'>,
): readonly (readonly [string, OutputValue])[] => [
  ['name', group],
  ['versions', versionsOf(group, served).map((version) => groupVersion(group, version))],
  ['preferredVersion', groupVersion(group)],
];

const groupsOf = ({ objects }: Pick<Served, 'objects'>): readonly string[] => [
  ...authenticationGroups.keys(),
  ...(objects ? rbacGroups.keys() : []),
];

/** Returns the document of `/apis`. */
export const apiGroupList = (served: Served): OutputMap =>
  outputMap(
    ['kind', 'APIGroupList'],
    ['apiVersion', 'v1'],
    ['groups', groupsOf(served).map((group) => new Map(groupMembers(group, served)))],
  );

/** Returns the document of `/apis/GROUP`. */
export const apiGroup = (group: string, served: Pick<Served, 'betaReviews'>): OutputMap =>
  outputMap(['kind', 'APIGroup'], ['apiVersion', 'v1'], ...groupMembers(group, served));

const reviewResource = (name: string, singularName: string, kind: string): OutputMap =>
  outputMap(
    ['name', name],
    ['singularName', singularName],
    ['namespaced', false],
    ['kind', kind],
    ['verbs', ['create']],
  );

const allVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Returns the verbs of a kind. */
const verbsOf = ({ resource }: KindRow): readonly string[] =>
  resource === 'namespaces' ? allVerbs.filter((verb) => verb !== 'deletecollection') : allVerbs;

/** Returns the subresources of a kind. */
const subresourcesOf = ({ resource }: KindRow): readonly OutputMap[] => {
  if (resource === 'namespaces') {
    return [
      outputMap(
        ['name', 'namespaces/status'],
        ['singularName', ''],
        ['namespaced', false],
        ['kind', 'Namespace'],
        ['verbs', ['get']],
      ),
    ];
  }
  if (resource !== 'serviceaccounts') return [];
  return [
    outputMap(
      ['name', 'serviceaccounts/token'],
      ['singularName', ''],
      ['namespaced', true],
      ['group', `authentication.${kubernetesDomain}`],
      ['version', servedVersion],
      ['kind', 'TokenRequest'],
      ['verbs', ['create']],
    ),
  ];
};

const storedResources = (row: KindRow): readonly OutputMap[] => [
  outputMap(
    ['name', row.resource],
    ['singularName', row.singular],
    ['namespaced', row.namespaced],
    ['kind', row.kind],
    ['verbs', verbsOf(row)],
    ['shortNames', omitEmpty(row.shortNames)],
    ['categories', row.resource === 'pods' ? ['all'] : undefined],
    ['storageVersionHash', storageHash(row)],
  ),
  ...subresourcesOf(row),
];

/** Returns kube-apiserver's hash of the storage type. */
const storageHash = ({ group, kind }: KindRow): string => {
  const name = group === 'rbac' ? `rbac.authorization.${kubernetesDomain}` : '';
  const digest = createHash('sha256').update(`${name}/${servedVersion}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
};

const byName = (left: KindRow, right: KindRow): number => (left.resource < right.resource ? -1 : 1);

const resourceList = (version: string, resources: readonly OutputValue[]): OutputMap =>
  outputMap(
    ['kind', 'APIResourceList'],
    // The list of the core group has no apiVersion.
    ['apiVersion', version === servedVersion ? undefined : 'v1'],
    ['groupVersion', version],
    ['resources', resources],
  );

/** Returns the document of `/apis/GROUP/VERSION`. */
export const apiResourceList = (group: string, version: ReviewVersion = servedVersion): OutputMap =>
  resourceList(
    `${group}/${version}`,
    rbacGroups.has(group) ? resourcesOf('rbac') : reviewsOf(version),
  );

const reviewsOf = (version: ReviewVersion): readonly OutputMap[] => [
  reviewResource('selfsubjectreviews', 'selfsubjectreview', 'SelfSubjectReview'),
  ...(version === betaVersion
    ? []
    : [reviewResource('tokenreviews', 'tokenreview', 'TokenReview')]),
];

const resourcesOf = (group: KindRow['group']): readonly OutputMap[] =>
  kinds
    .filter((row) => row.group === group)
    .sort(byName)
    .flatMap(storedResources);

/** Returns the document of `/api/v1`. */
export const coreResourceList = (): OutputMap => resourceList(servedVersion, resourcesOf(''));

/** Returns the document of `/api`. Without stored objects the core group has no version. */
export const coreVersions = (serverAddress: string, { objects }: Served): OutputMap =>
  outputMap(
    ['kind', 'APIVersions'],
    ['versions', objects ? [servedVersion] : []],
    [
      'serverAddressByClientCIDRs',
      [outputMap(['clientCIDR', '0.0.0.0/0'], ['serverAddress', serverAddress])],
    ],
  );

/** The media type of aggregated discovery. */
export const aggregatedType =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Returns aggregated discovery of `/api` or `/apis`: all resources of all groups in one document.
 */
export const aggregatedDiscovery = (root: 'api' | 'apis', served: Served): OutputMap => {
  const core = served.objects ? [''] : [];
  const groups = root === 'apis' ? groupsOf(served) : core;
  return outputMap(
    ['kind', 'APIGroupDiscoveryList'],
    ['apiVersion', 'apidiscovery.k8s.io/v2'],
    ['metadata', outputMap()],
    ['items', groups.map((group) => aggregatedGroup(group, served))],
  );
};

const aggregatedGroup = (group: string, served: Served): OutputMap =>
  outputMap(
    ['metadata', group === '' ? outputMap() : outputMap(['name', group])],
    ['versions', versionsOf(group, served).map((version) => aggregatedVersion(group, version))],
  );

const aggregatedVersion = (group: string, version: ReviewVersion): OutputMap => {
  const list = group === '' ? coreResourceList() : apiResourceList(group, version);
  const resources = mapsIn(list.get('resources'));
  return outputMap(
    ['version', version],
    [
      'resources',
      resources
        .filter((resource) => !stringIn(resource, 'name').includes('/'))
        .map((resource) => aggregatedResource(resource, resources)),
    ],
    ['freshness', 'Current'],
  );
};

const aggregatedResource = (resource: OutputMap, all: readonly OutputMap[]): OutputMap => {
  const name = stringIn(resource, 'name');
  const children = all.filter((other) => stringIn(other, 'name').startsWith(`${name}/`));
  return outputMap(
    ['resource', name],
    ['responseKind', responseKind(resource)],
    ['scope', resource.get('namespaced') === true ? 'Namespaced' : 'Cluster'],
    ['singularResource', stringIn(resource, 'singularName')],
    ['verbs', resource.get('verbs')],
    ['shortNames', resource.get('shortNames')],
    ['categories', resource.get('categories')],
    [
      'subresources',
      omitEmpty(
        children.map((other) =>
          outputMap(
            ['subresource', stringIn(other, 'name').slice(name.length + 1)],
            ['responseKind', responseKind(other)],
            ['verbs', other.get('verbs')],
          ),
        ),
      ),
    ],
  );
};

/** Returns the response kind, with group and version only if they differ from the list's. */
const responseKind = (resource: OutputMap): OutputMap =>
  outputMap(
    ['group', stringIn(resource, 'group')],
    ['version', stringIn(resource, 'version')],
    ['kind', stringIn(resource, 'kind')],
  );

const stringIn = (map: OutputMap, name: string): string => {
  const value = map.get(name);
  return typeof value === 'string' ? value : '';
};

const mapsIn = (value: OutputValue | undefined): readonly OutputMap[] =>
  Array.isArray(value) ? value.filter((item): item is OutputMap => item instanceof Map) : [];
