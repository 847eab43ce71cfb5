/** The fields of a kubeconfig file that are used; all others are ignored. */
import {
  bool,
  bytes,
  list,
  map,
  raw,
  string,
  stringList,
  stringMap,
  struct,
} from '../../formats/go-struct/shape.ts';

const extensions = [
  'extensions',
  list('[]v1.NamedExtension', struct('v1.NamedExtension', ['name', string], ['extension', raw])),
] as const;

const preferences = struct('v1.Preferences', ['colors', bool], extensions);

const cluster = struct(
  'v1.Cluster',
  extensions,
  ['server', string],
  ['tls-server-name', string],
  ['insecure-skip-tls-verify', bool],
  ['certificate-authority', string],
  ['certificate-authority-data', bytes],
  ['proxy-url', string],
  ['disable-compression', bool],
);

const environmentVariable = struct('v1.ExecEnvVar', ['name', string], ['value', string]);

const exec = struct(
  'v1.ExecConfig',
  ['command', string],
  ['args', stringList],
  ['env', list('[]v1.ExecEnvVar', environmentVariable)],
  ['apiVersion', string],
  ['installHint', string],
  ['provideClusterInfo', bool],
  ['interactiveMode', { kind: 'string', goType: 'v1.ExecInteractiveMode' }],
);

const authProvider = struct('v1.AuthProviderConfig', ['name', string], ['config', stringMap]);

const user = struct(
  'v1.AuthInfo',
  extensions,
  ['client-certificate', string],
  ['client-certificate-data', bytes],
  ['client-key', string],
  ['client-key-data', bytes],
  ['token', string],
  ['tokenFile', string],
  ['as', string],
  ['as-uid', string],
  ['as-groups', stringList],
  ['as-user-extra', map('map[string][]string', stringList)],
  ['username', string],
  ['password', string],
  ['auth-provider', authProvider],
  ['exec', exec],
);

const context = struct(
  'v1.Context',
  extensions,
  ['cluster', string],
  ['user', string],
  ['namespace', string],
);

/** The shape of a kubeconfig of v1, the only version. */
export const kubeconfigShape = struct(
  'v1.Config',
  extensions,
  ['kind', string],
  ['apiVersion', string],
  ['preferences', preferences],
  [
    'clusters',
    list('[]v1.NamedCluster', struct('v1.NamedCluster', ['name', string], ['cluster', cluster])),
  ],
  [
    'users',
    list('[]v1.NamedAuthInfo', struct('v1.NamedAuthInfo', ['name', string], ['user', user])),
  ],
  [
    'contexts',
    list('[]v1.NamedContext', struct('v1.NamedContext', ['name', string], ['context', context])),
  ],
  ['current-context', string],
);
