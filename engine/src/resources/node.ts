/** Rules of nodes, as far as tokens are bound to them; spec and status are stored unchanged. */

import { dnsSubdomainProblems } from '../formats/api-names.ts';
import { raw } from '../formats/go-struct/shape.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata } from './metadata.ts';
import {
  emptyObject,
  memberAt,
  objectAt,
  objectsAt,
  stringAt,
  withMember,
} from './object-fields.ts';
import { objectShape } from './shape.ts';

const addressesDescription =
  "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).";

/** Rules of the kind Node. */
export const nodeRules: KindRules = kindRules({
  row: kindRow('nodes'),
  shape: objectShape(
    'Node',
    ['spec', raw, { number: 2, written: 'always' }],
    ['status', raw, { number: 3, written: 'always' }],
  ),
  description:
    'Node is a worker node in Kubernetes. Each node will have a unique identifier in the cache (i.e. in etcd).',
  resetFields: ['status'],
  selectableFields: (object) =>
    new Map([['spec.unschedulable', String(memberAt(object, 'spec', 'unschedulable') === true)]]),
  columns: [
    nameColumn,
    { name: 'Status', description: 'The status of the node' },
    { name: 'Roles', description: 'The roles of the node' },
    ageColumn,
    { name: 'Version', description: 'Kubelet Version reported by the node.' },
    { name: 'Internal-IP', priority: 1, description: addressesDescription },
    { name: 'External-IP', priority: 1, description: addressesDescription },
    {
      name: 'OS-Image',
      priority: 1,
      description:
        'OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).',
    },
    {
      name: 'Kernel-Version',
      priority: 1,
      description:
        "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).",
    },
    {
      name: 'Container-Runtime',
      priority: 1,
      description:
        'ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).',
    },
  ],
  cells: nodeCells,
  prepareForCreate: (object) => withNotReadyTaint(withNodeInfo(object)),
  prepareForUpdate: (object, old) =>
    withMember(object, ['status'], old.get('status') ?? emptyObject),
  validate: (object) =>
    validateKindMetadata(object, { namespaced: false, nameRule: dnsSubdomainProblems }),
});

/** Adds the taint that keeps pods off a node until it reports that it is ready. */
function withNotReadyTaint(object: JsonObject): JsonObject {
  const taints = objectsAt(object, 'spec', 'taints');
  const key = 'node.kubernetes.io/not-ready';
  if (taints.some((taint) => taint.get('key') === key && taint.get('effect') === 'NoSchedule')) {
    return object;
  }
  const taint = new Map<string, Json>([
    ['key', key],
    ['effect', 'NoSchedule'],
  ]);
  return withMember(object, ['spec', 'taints'], [...taints, taint]);
}

const nodeInfoFields = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];

/** Sets the fields that the node has not reported to empty values, which are written. */
function withNodeInfo(object: JsonObject): JsonObject {
  const info = objectAt(object, 'status', 'nodeInfo');
  const facts = new Map<string, Json>(nodeInfoFields.map((name) => [name, info.get(name) ?? '']));
  const port = memberAt(object, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') ?? 0;
  const named = withMember(object, ['status', 'daemonEndpoints', 'kubeletEndpoint', 'Port'], port);
  return withMember(named, ['status', 'nodeInfo'], facts);
}

function nodeCells(object: JsonObject, age: string): readonly Json[] {
  const info = (name: string): string => stringAt(object, 'status', 'nodeInfo', name);
  const architecture = info('architecture');
  const kernel = info('kernelVersion') || '<unknown>';
  return [
    stringAt(object, 'metadata', 'name'),
    readiness(object),
    roles(object),
    age,
    info('kubeletVersion'),
    address(object, 'InternalIP'),
    address(object, 'ExternalIP'),
    info('osImage') || '<unknown>',
    architecture === '' ? kernel : `${kernel} (${architecture})`,
    info('containerRuntimeVersion') || '<unknown>',
  ];
}

function readiness(object: JsonObject): string {
  const ready = objectsAt(object, 'status', 'conditions').find(
    (condition) => condition.get('type') === 'Ready',
  );
  const readyText = ready?.get('status') === 'True' ? 'Ready' : 'NotReady';
  const shown = ready === undefined ? 'Unknown' : readyText;
  const isUnschedulable = memberAt(object, 'spec', 'unschedulable') === true;
  return isUnschedulable ? `${shown},SchedulingDisabled` : shown;
}

function roles(object: JsonObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const names = [...objectAt(object, 'metadata', 'labels')].flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return key === prefix ? [] : [key.slice(prefix.length)];
    return key === 'kubernetes.io/role' && typeof value === 'string' && value !== '' ? [value] : [];
  });
  return [...new Set(names)].sort().join(',') || '<none>';
}

function address(object: JsonObject, type: string): string {
  const found = objectsAt(object, 'status', 'addresses').find((item) => item.get('type') === type);
  return found === undefined ? '<none>' : stringAt(found, 'address');
}
