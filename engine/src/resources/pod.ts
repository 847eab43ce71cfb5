/** Rules of pods, as far as tokens are bound to them; the rest of the spec is stored unchanged. */

import { dnsSubdomainProblems } from '../formats/api-names.ts';
import { raw } from '../formats/go-struct/shape.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ageColumn, nameColumn } from './columns.ts';
import { type FieldError, invalidValue } from './field-error.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { kindRow } from './kinds.ts';
import { validateKindMetadata, validateKindMetadataUpdate } from './metadata.ts';
import { emptyObject, listAt, memberAt, stringAt, withMember } from './object-fields.ts';
import { objectShape } from './shape.ts';

/** Rules of the kind Pod. */
export const podRules: KindRules = kindRules({
  row: kindRow('pods'),
  shape: objectShape(
    'Pod',
    ['spec', raw, { number: 2, written: 'always' }],
    ['status', raw, { number: 3, written: 'always' }],
  ),
  description:
    'Pod is a collection of containers that can run on a host. This resource is created by clients and scheduled onto hosts.',
  returnDeletedObject: true,
  resetFields: ['status'],
  selectableFields: (object) =>
    new Map([
      ['spec.nodeName', stringAt(object, 'spec', 'nodeName')],
      ['spec.serviceAccountName', stringAt(object, 'spec', 'serviceAccountName')],
      ['status.phase', stringAt(object, 'status', 'phase')],
    ]),
  columns: [
    nameColumn,
    {
      name: 'Ready',
      description: 'The aggregate readiness state of this pod for accepting traffic.',
    },
    { name: 'Status', description: 'The aggregate status of the containers in this pod.' },
    {
      name: 'Restarts',
      description:
        'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    },
    ageColumn,
    {
      name: 'IP',
      priority: 1,
      description:
        'podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.',
    },
    {
      name: 'Node',
      priority: 1,
      description:
        'NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    },
    {
      name: 'Nominated Node',
      priority: 1,
      description:
        'nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.',
    },
    {
      name: 'Readiness Gates',
      priority: 1,
      description:
        'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    },
  ],
  cells: podCells,
  applyDefaults: withServiceAccount,
  prepareForCreate: (object) =>
    withMember(object, ['status'], new Map<string, Json>([['phase', 'Pending']])),
  prepareForUpdate: (object, old) =>
    withMember(object, ['status'], old.get('status') ?? emptyObject),
  validate: validatePod,
  validateUpdate: (object, old) => [
    ...validateKindMetadataUpdate(object, old),
    ...validatePod(object),
    ...validateImmutableNames(object, old),
  ],
});

/**
 * Sets the default service account: tokens name the service account of their pod, so every pod has
 * one.
 */
function withServiceAccount(object: JsonObject): JsonObject {
  const accountName =
    stringAt(object, 'spec', 'serviceAccountName') || stringAt(object, 'spec', 'serviceAccount');
  const account = accountName === '' ? 'default' : accountName;
  const named = withMember(object, ['spec', 'serviceAccountName'], account);
  return withMember(named, ['spec', 'serviceAccount'], account);
}

function podCells(object: JsonObject, age: string): readonly Json[] {
  const shown = (...path: readonly string[]): string => stringAt(object, ...path) || '<none>';
  return [
    stringAt(object, 'metadata', 'name'),
    `0/${listAt(object, 'spec', 'containers').length}`,
    stringAt(object, 'status', 'phase'),
    '0',
    age,
    shown('status', 'podIP'),
    shown('spec', 'nodeName'),
    shown('status', 'nominatedNodeName'),
    '<none>',
  ];
}

const nameFields = ['nodeName', 'serviceAccountName'];

function validatePod(object: JsonObject): readonly FieldError[] {
  return [
    ...validateKindMetadata(object, { namespaced: true, nameRule: dnsSubdomainProblems }),
    ...nameFields.flatMap((name) => {
      const value = memberAt(object, 'spec', name);
      if (value === undefined || value === '') return [];
      const field = `spec.${name}`;
      if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
      return dnsSubdomainProblems(value).map((problem) => invalidValue(field, value, problem));
    }),
  ];
}

/** The node and the service account of a pod are immutable once they are set. */
function validateImmutableNames(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return nameFields.flatMap((name) => {
    const before = stringAt(old, 'spec', name);
    const now = stringAt(object, 'spec', name);
    return before === now || (before === '' && name === 'nodeName')
      ? []
      : [invalidValue(`spec.${name}`, now, 'field is immutable')];
  });
}
