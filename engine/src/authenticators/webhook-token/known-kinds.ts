/**
 * Kinds in the scheme of kube-apiserver's client. A response of a known kind and one of an unknown kind
 * have different error messages.
 */

/** Returns the version with which the message names the type; `undefined` for an unknown kind. */
export const versionOfKind = ({
  group,
  version,
  kind,
}: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string | undefined => {
  if (universalKinds.has(kind)) return 'v1';
  const kinds = byGroupVersion.get(group === '' ? version : `${group}/${version}`);
  if (kinds === undefined) return undefined;
  if (optionKinds.has(kind)) return 'v1';
  return kinds.has(kind) ? version : undefined;
};

/** Kinds of every group and version. */
const universalKinds: ReadonlySet<string> = new Set([
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]);

/** Kinds of every known group and version. */
const optionKinds: ReadonlySet<string> = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]);

const kindSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const accessReviews = kindSet(
  'SubjectAccessReview SelfSubjectAccessReview LocalSubjectAccessReview SelfSubjectRulesReview',
);

const byGroupVersion: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['authentication.k8s.io/v1', kindSet('TokenReview TokenRequest SelfSubjectReview')],
  ['authentication.k8s.io/v1beta1', kindSet('TokenReview SelfSubjectReview')],
  ['authentication.k8s.io/v1alpha1', kindSet('SelfSubjectReview')],
  ['authorization.k8s.io/v1', accessReviews],
  ['authorization.k8s.io/v1beta1', accessReviews],
  [
    'v1',
    kindSet(
      'Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList Event EventList LimitRange LimitRangeList List Namespace NamespaceList Node NodeList NodeProxyOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions PodPortForwardOptions PodProxyOptions PodStatusResult PodTemplate PodTemplateList RangeAllocation ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList ServiceProxyOptions',
    ),
  ],
  [
    'rbac.authorization.k8s.io/v1',
    kindSet(
      'ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList',
    ),
  ],
]);
