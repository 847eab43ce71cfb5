/** The bootstrap roles and bindings in system namespaces, in the format of `bootstrap-row.ts`. */
import type { BindingRow, RoleRow } from './bootstrap-row.ts';

/** Bootstrap roles in system namespaces. */
export const namespaceRoleRows: readonly RoleRow[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    rules: [
      'get,list,watch core configmaps',
      'update core configmaps cluster-info',
      'create,patch,update core,events.k8s.io events',
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    rules: ['get,list,watch core configmaps extension-apiserver-authentication'],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    rules: [
      'create,get,list,update,watch coordination.k8s.io leases',
      'create,get,list,update,watch coordination.k8s.io leasecandidates',
    ],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    rules: ['get,list,watch core secrets'],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    rules: ['create,get,list,watch core configmaps'],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    rules: ['delete,get,list,watch core secrets', 'create,patch,update core,events.k8s.io events'],
  },
];

/** Bindings of the bootstrap roles in system namespaces. */
export const namespaceBindingRows: readonly BindingRow[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    subjects: ['account kube-system/bootstrap-signer'],
  },
  {
    name: 'system::extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    role: 'extension-apiserver-authentication-reader',
    subjects: ['user system:kube-controller-manager', 'user system:kube-scheduler'],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    subjects: [
      'user system:kube-controller-manager',
      'account kube-system/kube-controller-manager',
      'account kube-system/leader-election-controller',
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    subjects: ['user system:kube-scheduler', 'account kube-system/kube-scheduler'],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    subjects: ['account kube-system/bootstrap-signer'],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    subjects: ['account kube-system/cloud-provider'],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    subjects: ['account kube-system/token-cleaner'],
  },
];
