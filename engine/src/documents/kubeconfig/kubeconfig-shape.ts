/** The fields of a kubeconfig file that are used; all others are ignored. */
import {
  listShape,
  stringListShape,
  stringShape,
  structShape,
  type TypedShape,
} from './typed-shape.ts';

const bool: TypedShape = { kind: 'bool' };
const bytes: TypedShape = { kind: 'bytes' };
const raw: TypedShape = { kind: 'raw' };

const extensions = [
  'extensions',
  listShape(
    '[]v1.NamedExtension',
    structShape('NamedExtension', 'v1.NamedExtension', ['name', stringShape], ['extension', raw]),
  ),
] as const;

const preferences = structShape('Preferences', 'v1.Preferences', ['colors', bool], extensions);

const cluster = structShape(
  'Cluster',
  'v1.Cluster',
  extensions,
  ['server', stringShape],
  ['tls-server-name', stringShape],
  ['insecure-skip-tls-verify', bool],
  ['certificate-authority', stringShape],
  ['certificate-authority-data', bytes],
  ['proxy-url', stringShape],
  ['disable-compression', bool],
);

const environmentVariable = structShape(
  'ExecEnvVar',
  'v1.ExecEnvVar',
  ['name', stringShape],
  ['value', stringShape],
);

const exec = structShape(
  'ExecConfig',
  'v1.ExecConfig',
  ['command', stringShape],
  ['args', stringListShape],
  ['env', listShape('[]v1.ExecEnvVar', environmentVariable)],
  ['apiVersion', stringShape],
  ['installHint', stringShape],
  ['provideClusterInfo', bool],
  ['interactiveMode', { kind: 'string', goType: 'v1.ExecInteractiveMode' }],
);

const authProvider = structShape(
  'AuthProviderConfig',
  'v1.AuthProviderConfig',
  ['name', stringShape],
  ['config', { kind: 'map', goType: 'map[string]string', value: stringShape }],
);

const user = structShape(
  'AuthInfo',
  'v1.AuthInfo',
  extensions,
  ['client-certificate', stringShape],
  ['client-certificate-data', bytes],
  ['client-key', stringShape],
  ['client-key-data', bytes],
  ['token', stringShape],
  ['tokenFile', stringShape],
  ['as', stringShape],
  ['as-uid', stringShape],
  ['as-groups', stringListShape],
  ['as-user-extra', { kind: 'map', goType: 'map[string][]string', value: stringListShape }],
  ['username', stringShape],
  ['password', stringShape],
  ['auth-provider', authProvider],
  ['exec', exec],
);

const context = structShape(
  'Context',
  'v1.Context',
  extensions,
  ['cluster', stringShape],
  ['user', stringShape],
  ['namespace', stringShape],
);

/** The shape of a kubeconfig of v1, the only version. */
export const kubeconfigShape = structShape(
  'Config',
  'v1.Config',
  extensions,
  ['kind', stringShape],
  ['apiVersion', stringShape],
  ['preferences', preferences],
  [
    'clusters',
    listShape(
      '[]v1.NamedCluster',
      structShape('NamedCluster', 'v1.NamedCluster', ['name', stringShape], ['cluster', cluster]),
    ),
  ],
  [
    'users',
    listShape(
      '[]v1.NamedAuthInfo',
      structShape('NamedAuthInfo', 'v1.NamedAuthInfo', ['name', stringShape], ['user', user]),
    ),
  ],
  [
    'contexts',
    listShape(
      '[]v1.NamedContext',
      structShape('NamedContext', 'v1.NamedContext', ['name', stringShape], ['context', context]),
    ),
  ],
  ['current-context', stringShape],
);
