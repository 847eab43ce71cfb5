/**
 * The roles and bindings of a cluster's controllers, which kube-apiserver creates at its first
 * start, in the format of `bootstrap-row.ts`.
 */
import type { BindingRow, RoleRow } from './bootstrap-row.ts';

/** Roles of the controllers of a control plane. */
export const controllerRoleRows: readonly RoleRow[] = [
  {
    name: 'system:controller:attachdetach-controller',
    rules: [
      'list,watch core persistentvolumeclaims,persistentvolumes',
      'get,list,watch core nodes',
      'patch,update core nodes/status',
      'list,watch core pods',
      'create,patch,update core,events.k8s.io events',
      'create,delete,get,list,watch storage.k8s.io volumeattachments',
      'get,list,watch storage.k8s.io csidrivers',
      'get,list,watch storage.k8s.io csinodes',
    ],
  },
  {
    name: 'system:controller:certificate-controller',
    rules: [
      'delete,get,list,watch certificates.k8s.io certificatesigningrequests',
      'update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status',
      'approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet',
      'sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown',
      'create authorization.k8s.io subjectaccessreviews',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:clusterrole-aggregation-controller',
    rules: ['escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles'],
  },
  {
    name: 'system:controller:cronjob-controller',
    rules: [
      'get,list,update,watch batch cronjobs',
      'create,delete,get,list,patch,update,watch batch jobs',
      'update batch cronjobs/status',
      'update batch cronjobs/finalizers',
      'delete,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:daemon-set-controller',
    rules: [
      'get,list,watch apps,extensions daemonsets',
      'update apps,extensions daemonsets/status',
      'update apps,extensions daemonsets/finalizers',
      'list,watch core nodes',
      'create,delete,list,patch,watch core pods',
      'create core pods/binding',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:deployment-controller',
    rules: [
      'get,list,update,watch apps,extensions deployments',
      'update apps,extensions deployments/status',
      'update apps,extensions deployments/finalizers',
      'create,delete,get,list,patch,update,watch apps,extensions replicasets',
      'get,list,update,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:device-taint-eviction-controller',
    rules: [
      'delete,get,list,watch core pods',
      'patch,update core pods/status',
      'get,list,watch resource.k8s.io resourceclaims',
      'get,list,watch resource.k8s.io resourceslices',
      'get,list,watch resource.k8s.io deviceclasses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:disruption-controller',
    rules: [
      'get,list,watch apps,extensions deployments',
      'get,list,watch apps,extensions replicasets',
      'get,list,watch core replicationcontrollers',
      'get,list,watch policy poddisruptionbudgets',
      'get,list,watch apps statefulsets',
      'update policy poddisruptionbudgets/status',
      'patch,update core pods/status',
      'get * */scale',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:endpoint-controller',
    rules: [
      'get,list,watch core pods,services',
      'create,delete,get,list,update,watch core endpoints',
      'create core endpoints/restricted',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:endpointslice-controller',
    rules: [
      'get,list,watch core nodes,pods,services',
      'update core services/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:endpointslicemirroring-controller',
    rules: [
      'get,list,watch core endpoints,services',
      'update core services/finalizers',
      'update core endpoints/finalizers',
      'create,delete,get,list,update,watch discovery.k8s.io endpointslices',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:ephemeral-volume-controller',
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:expand-controller',
    rules: [
      'get,list,patch,update,watch core persistentvolumes',
      'patch,update core persistentvolumeclaims/status',
      'get,list,watch core persistentvolumeclaims',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:generic-garbage-collector',
    rules: [
      'delete,get,list,patch,update,watch * *',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:horizontal-pod-autoscaler',
    rules: [
      'get,list,watch autoscaling horizontalpodautoscalers',
      'update autoscaling horizontalpodautoscalers/status',
      'get,update * */scale',
      'list,watch core pods',
      'list,watch metrics.k8s.io pods',
      'get,list,watch custom.metrics.k8s.io *',
      'get,list,watch external.metrics.k8s.io *',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:job-controller',
    rules: [
      'get,list,patch,update,watch batch jobs',
      'update batch jobs/status',
      'update batch jobs/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:legacy-service-account-token-cleaner',
    rules: [
      'get core configmaps kube-apiserver-legacy-service-account-token-tracking',
      'delete,patch core secrets',
    ],
  },
  {
    name: 'system:controller:namespace-controller',
    rules: [
      'delete,get,list,watch core namespaces',
      'update core namespaces/finalize,namespaces/status',
      'delete,deletecollection,get,list,watch * *',
    ],
  },
  {
    name: 'system:controller:node-controller',
    rules: [
      'delete,get,list,patch,update,watch core nodes',
      'patch,update core nodes/status',
      'patch,update core pods/status',
      'delete,get,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:persistent-volume-binder',
    rules: [
      'create,delete,get,list,update,watch core persistentvolumes',
      'update core persistentvolumes/status',
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'create,delete,get,list,watch core pods',
      'get,list,watch storage.k8s.io storageclasses',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
      'watch core events',
    ],
  },
  {
    name: 'system:controller:pod-garbage-collector',
    rules: ['delete,list,watch core pods', 'get,list,watch core nodes', 'patch core pods/status'],
  },
  {
    name: 'system:controller:pv-protection-controller',
    rules: [
      'get,list,update,watch core persistentvolumes',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:pvc-protection-controller',
    rules: [
      'get,list,update,watch core persistentvolumeclaims',
      'update core persistentvolumeclaims/status',
      'get,list,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:replicaset-controller',
    rules: [
      'get,list,update,watch apps,extensions replicasets',
      'update apps,extensions replicasets/status',
      'update apps,extensions replicasets/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:replication-controller',
    rules: [
      'get,list,update,watch core replicationcontrollers',
      'update core replicationcontrollers/status',
      'update core replicationcontrollers/finalizers',
      'create,delete,list,patch,watch core pods',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:resource-claim-controller',
    rules: [
      'get,list,watch core pods',
      'update core pods/finalizers',
      'create,delete,get,list,watch resource.k8s.io resourceclaims',
      'patch,update resource.k8s.io resourceclaims,resourceclaims/status',
      'patch,update core pods/status',
      'create,patch,update core,events.k8s.io events',
      'patch,update resource.k8s.io resourceclaims/binding',
    ],
  },
  {
    name: 'system:controller:resourcequota-controller',
    rules: [
      'list,watch * *',
      'update core resourcequotas/status',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:root-ca-cert-publisher',
    rules: ['create,update core configmaps', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'system:controller:route-controller',
    rules: [
      'list,watch core nodes',
      'patch core nodes/status',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:selinux-warning-controller',
    rules: [
      'create,patch,update core,events.k8s.io events',
      'get,list,watch core persistentvolumes',
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core pods',
      'get,list,watch storage.k8s.io csidrivers',
    ],
  },
  {
    name: 'system:controller:service-account-controller',
    rules: ['create core serviceaccounts', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'system:controller:service-cidrs-controller',
    rules: [
      'get,list,patch,update,watch networking.k8s.io servicecidrs',
      'patch,update networking.k8s.io servicecidrs/finalizers',
      'patch,update networking.k8s.io servicecidrs/status',
      'get,list,watch networking.k8s.io ipaddresses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:service-controller',
    rules: [
      'get,list,watch core services',
      'patch,update core services/status',
      'list,watch core nodes',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:statefulset-controller',
    rules: [
      'list,watch core pods',
      'get,list,watch apps statefulsets',
      'update apps statefulsets/status',
      'update apps statefulsets/finalizers',
      'create,delete,get,patch,update core pods',
      'create,delete,get,list,patch,update,watch apps controllerrevisions',
      'create,get,list,watch core persistentvolumeclaims',
      'delete,update core persistentvolumeclaims',
      'update core pods/finalizers',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:ttl-after-finished-controller',
    rules: ['delete,get,list,watch batch jobs', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'system:controller:ttl-controller',
    rules: ['list,patch,update,watch core nodes', 'create,patch,update core,events.k8s.io events'],
  },
  {
    name: 'system:controller:validatingadmissionpolicy-status-controller',
    rules: [
      'get,list,watch admissionregistration.k8s.io validatingadmissionpolicies',
      'get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'system:controller:volumeattributesclass-protection-controller',
    rules: [
      'get,list,watch core persistentvolumeclaims',
      'get,list,watch core persistentvolumes',
      'get,list,update,watch storage.k8s.io volumeattributesclasses',
      'create,patch,update core,events.k8s.io events',
    ],
  },
];

/** Bindings of the controller roles. */
export const controllerBindingRows: readonly BindingRow[] = [
  {
    name: 'system:controller:attachdetach-controller',
    subjects: ['account kube-system/attachdetach-controller'],
  },
  {
    name: 'system:controller:certificate-controller',
    subjects: ['account kube-system/certificate-controller'],
  },
  {
    name: 'system:controller:clusterrole-aggregation-controller',
    subjects: ['account kube-system/clusterrole-aggregation-controller'],
  },
  {
    name: 'system:controller:cronjob-controller',
    subjects: ['account kube-system/cronjob-controller'],
  },
  {
    name: 'system:controller:daemon-set-controller',
    subjects: ['account kube-system/daemon-set-controller'],
  },
  {
    name: 'system:controller:deployment-controller',
    subjects: ['account kube-system/deployment-controller'],
  },
  {
    name: 'system:controller:device-taint-eviction-controller',
    subjects: ['account kube-system/device-taint-eviction-controller'],
  },
  {
    name: 'system:controller:disruption-controller',
    subjects: ['account kube-system/disruption-controller'],
  },
  {
    name: 'system:controller:endpoint-controller',
    subjects: ['account kube-system/endpoint-controller'],
  },
  {
    name: 'system:controller:endpointslice-controller',
    subjects: ['account kube-system/endpointslice-controller'],
  },
  {
    name: 'system:controller:endpointslicemirroring-controller',
    subjects: ['account kube-system/endpointslicemirroring-controller'],
  },
  {
    name: 'system:controller:ephemeral-volume-controller',
    subjects: ['account kube-system/ephemeral-volume-controller'],
  },
  {
    name: 'system:controller:expand-controller',
    subjects: ['account kube-system/expand-controller'],
  },
  {
    name: 'system:controller:generic-garbage-collector',
    subjects: ['account kube-system/generic-garbage-collector'],
  },
  {
    name: 'system:controller:horizontal-pod-autoscaler',
    subjects: ['account kube-system/horizontal-pod-autoscaler'],
  },
  { name: 'system:controller:job-controller', subjects: ['account kube-system/job-controller'] },
  {
    name: 'system:controller:legacy-service-account-token-cleaner',
    subjects: ['account kube-system/legacy-service-account-token-cleaner'],
  },
  {
    name: 'system:controller:namespace-controller',
    subjects: ['account kube-system/namespace-controller'],
  },
  { name: 'system:controller:node-controller', subjects: ['account kube-system/node-controller'] },
  {
    name: 'system:controller:persistent-volume-binder',
    subjects: ['account kube-system/persistent-volume-binder'],
  },
  {
    name: 'system:controller:pod-garbage-collector',
    subjects: ['account kube-system/pod-garbage-collector'],
  },
  {
    name: 'system:controller:pv-protection-controller',
    subjects: ['account kube-system/pv-protection-controller'],
  },
  {
    name: 'system:controller:pvc-protection-controller',
    subjects: ['account kube-system/pvc-protection-controller'],
  },
  {
    name: 'system:controller:replicaset-controller',
    subjects: ['account kube-system/replicaset-controller'],
  },
  {
    name: 'system:controller:replication-controller',
    subjects: ['account kube-system/replication-controller'],
  },
  {
    name: 'system:controller:resource-claim-controller',
    subjects: ['account kube-system/resource-claim-controller'],
  },
  {
    name: 'system:controller:resourcequota-controller',
    subjects: ['account kube-system/resourcequota-controller'],
  },
  {
    name: 'system:controller:root-ca-cert-publisher',
    subjects: ['account kube-system/root-ca-cert-publisher'],
  },
  {
    name: 'system:controller:route-controller',
    subjects: ['account kube-system/route-controller'],
  },
  {
    name: 'system:controller:selinux-warning-controller',
    subjects: ['account kube-system/selinux-warning-controller'],
  },
  {
    name: 'system:controller:service-account-controller',
    subjects: ['account kube-system/service-account-controller'],
  },
  {
    name: 'system:controller:service-cidrs-controller',
    subjects: ['account kube-system/service-cidrs-controller'],
  },
  {
    name: 'system:controller:service-controller',
    subjects: ['account kube-system/service-controller'],
  },
  {
    name: 'system:controller:statefulset-controller',
    subjects: ['account kube-system/statefulset-controller'],
  },
  {
    name: 'system:controller:ttl-after-finished-controller',
    subjects: ['account kube-system/ttl-after-finished-controller'],
  },
  { name: 'system:controller:ttl-controller', subjects: ['account kube-system/ttl-controller'] },
  {
    name: 'system:controller:validatingadmissionpolicy-status-controller',
    subjects: ['account kube-system/validatingadmissionpolicy-status-controller'],
  },
  {
    name: 'system:controller:volumeattributesclass-protection-controller',
    subjects: ['account kube-system/volumeattributesclass-protection-controller'],
  },
];
