/** What the server serves, for clients that look before they ask. */
import { authenticationGroups, servedVersion } from '../api-groups.ts';
import { type Output, type OutputMap, outputMap } from '../wire/output.ts';

const groupVersion = (group: string): OutputMap =>
  outputMap(['groupVersion', `${group}/${servedVersion}`], ['version', servedVersion]);

const groupMembers = (group: string): readonly (readonly [string, Output])[] => [
  ['name', group],
  ['versions', [groupVersion(group)]],
  ['preferredVersion', groupVersion(group)],
];

/** /apis */
export const apiGroupList = (): OutputMap =>
  outputMap(
    ['kind', 'APIGroupList'],
    ['apiVersion', 'v1'],
    ['groups', [...authenticationGroups.keys()].map((group) => new Map(groupMembers(group)))],
  );

/** /apis/GROUP */
export const apiGroup = (group: string): OutputMap =>
  outputMap(['kind', 'APIGroup'], ['apiVersion', 'v1'], ...groupMembers(group));

const resource = (name: string, singularName: string, kind: string): OutputMap =>
  outputMap(
    ['name', name],
    ['singularName', singularName],
    ['namespaced', false],
    ['kind', kind],
    ['verbs', ['create']],
  );

/** /apis/GROUP/v1 */
export const apiResourceList = (group: string): OutputMap =>
  outputMap(
    ['kind', 'APIResourceList'],
    ['apiVersion', 'v1'],
    ['groupVersion', `${group}/${servedVersion}`],
    [
      'resources',
      [
        resource('selfsubjectreviews', 'selfsubjectreview', 'SelfSubjectReview'),
        resource('tokenreviews', 'tokenreview', 'TokenReview'),
      ],
    ],
  );

/** /api: the group without a name has no version here. */
export const coreVersions = (serverAddress: string): OutputMap =>
  outputMap(
    ['kind', 'APIVersions'],
    ['versions', []],
    [
      'serverAddressByClientCIDRs',
      [outputMap(['clientCIDR', '0.0.0.0/0'], ['serverAddress', serverAddress])],
    ],
  );
