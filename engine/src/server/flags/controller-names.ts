/**
 * The flag `--controllers`. Names, aliases, the controllers that are off by default and the error
 * message are kube-controller-manager's.
 */
import { goQuote } from '../../formats/go-quote.ts';

/** The controllers of kube-controller-manager, with their aliases. */
const knownControllers: ReadonlyMap<string, string | undefined> = new Map([
  ['bootstrap-signer-controller', 'bootstrapsigner'],
  ['certificatesigningrequest-approving-controller', 'csrapproving'],
  ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  ['certificatesigningrequest-signing-controller', 'csrsigning'],
  ['cloud-node-lifecycle-controller', 'cloud-node-lifecycle'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  ['cronjob-controller', 'cronjob'],
  ['daemonset-controller', 'daemonset'],
  ['deployment-controller', 'deployment'],
  ['device-taint-eviction-controller', undefined],
  ['disruption-controller', 'disruption'],
  ['endpoints-controller', 'endpoint'],
  ['endpointslice-controller', 'endpointslice'],
  ['endpointslice-mirroring-controller', 'endpointslicemirroring'],
  ['ephemeral-volume-controller', 'ephemeral-volume'],
  ['garbage-collector-controller', 'garbagecollector'],
  ['horizontal-pod-autoscaler-controller', 'horizontalpodautoscaling'],
  ['job-controller', 'job'],
  ['kube-apiserver-serving-clustertrustbundle-publisher-controller', undefined],
  ['legacy-serviceaccount-token-cleaner-controller', 'legacy-service-account-token-cleaner'],
  ['namespace-controller', 'namespace'],
  ['node-ipam-controller', 'nodeipam'],
  ['node-lifecycle-controller', 'nodelifecycle'],
  ['node-route-controller', 'route'],
  ['persistentvolume-attach-detach-controller', 'attachdetach'],
  ['persistentvolume-binder-controller', 'persistentvolume-binder'],
  ['persistentvolume-expander-controller', 'persistentvolume-expander'],
  ['persistentvolume-protection-controller', 'pv-protection'],
  ['persistentvolumeclaim-protection-controller', 'pvc-protection'],
  ['pod-garbage-collector-controller', 'podgc'],
  ['podcertificaterequest-cleaner-controller', undefined],
  ['podgroup-protection-controller', undefined],
  ['replicaset-controller', 'replicaset'],
  ['replicationcontroller-controller', 'replicationcontroller'],
  ['resourceclaim-controller', 'resource-claim-controller'],
  ['resourcepoolstatusrequest-controller', undefined],
  ['resourcequota-controller', 'resourcequota'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  ['selinux-warning-controller', undefined],
  ['service-cidr-controller', undefined],
  ['service-lb-controller', 'service'],
  ['serviceaccount-controller', 'serviceaccount'],
  ['serviceaccount-token-controller', 'serviceaccount-token'],
  ['statefulset-controller', 'statefulset'],
  ['storage-version-migrator-controller', 'svm'],
  ['storageversion-garbage-collector-controller', 'storage-version-gc'],
  ['taint-eviction-controller', undefined],
  ['token-cleaner-controller', 'tokencleaner'],
  ['ttl-after-finished-controller', 'ttl-after-finished'],
  ['ttl-controller', 'ttl'],
  ['validatingadmissionpolicy-status-controller', undefined],
  ['volumeattributesclass-protection-controller', undefined],
]);

/** The controllers that are implemented; the others are accepted and have no effect. */
export const implementedControllers: readonly string[] = [
  'clusterrole-aggregation-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'token-cleaner-controller',
];

/** The controllers that `*` does not enable. */
const disabledByDefault: ReadonlySet<string> = new Set([
  'bootstrap-signer-controller',
  'selinux-warning-controller',
  'token-cleaner-controller',
]);

/**
 * The default enables the token cleaner, so that expired bootstrap tokens are deleted as well as
 * rejected.
 */
export const defaultControllers = '[*,token-cleaner-controller]';

const canonicalNames: ReadonlyMap<string, string> = new Map(
  [...knownControllers].flatMap(([name, alias]) => (alias === undefined ? [] : [[alias, name]])),
);

const withoutMinus = (entry: string): string => (entry.startsWith('-') ? entry.slice(1) : entry);

const canonicalName = (name: string): string => canonicalNames.get(name) ?? name;

/** Returns the errors in the values of the flag. */
export const controllerProblems = (entries: readonly string[]): readonly string[] =>
  entries
    .filter((entry) => entry !== '*')
    .map(withoutMinus)
    .filter((name) => !knownControllers.has(canonicalName(name)))
    .map((name) => `${goQuote(name)} is not in the list of known controllers`);

/**
 * Reports whether a controller runs: the first entry that names it decides, otherwise `*` enables
 * the controllers that are on by default.
 */
export const isControllerEnabled = (name: string, entries: readonly string[]): boolean => {
  for (const entry of entries) {
    if (canonicalName(withoutMinus(entry)) === name) return !entry.startsWith('-');
  }
  return entries.includes('*') && !disabledByDefault.has(name);
};

/** Returns the controllers that are enabled by name and not implemented. */
export const missingControllers = (entries: readonly string[]): readonly string[] => {
  const named = entries.filter((entry) => entry !== '*' && !entry.startsWith('-'));
  return named.map(canonicalName).filter((name) => !implementedControllers.includes(name));
};
