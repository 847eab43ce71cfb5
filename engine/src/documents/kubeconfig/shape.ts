/** The fields of a kubeconfig file that anybody reads here; all others are passed over. */
import { list, struct, type TypedShape, text, textList } from './typed-shape.ts';

const bool: TypedShape = { kind: 'bool' };
const bytes: TypedShape = { kind: 'bytes' };
const raw: TypedShape = { kind: 'raw' };

const extensions = [
  'extensions',
  list(
    '[]v1.NamedExtension',
    struct('NamedExtension', 'v1.NamedExtension', ['name', text], ['extension', raw]),
  ),
] as const;

const preferences = struct('Preferences', 'v1.Preferences', ['colors', bool], extensions);

const cluster = struct(
  'Cluster',
  'v1.Cluster',
  extensions,
  ['server', text],
  ['tls-server-name', text],
  ['insecure-skip-tls-verify', bool],
  ['certificate-authority', text],
  ['certificate-authority-data', bytes],
  ['proxy-url', text],
  ['disable-compression', bool],
);

const environmentVariable = struct('ExecEnvVar', 'v1.ExecEnvVar', ['name', text], ['value', text]);

const exec = struct(
  'ExecConfig',
  'v1.ExecConfig',
  ['command', text],
  ['args', textList],
  ['env', list('[]v1.ExecEnvVar', environmentVariable)],
  ['apiVersion', text],
  ['installHint', text],
  ['provideClusterInfo', bool],
  ['interactiveMode', { kind: 'string', goType: 'v1.ExecInteractiveMode' }],
);

const authProvider = struct(
  'AuthProviderConfig',
  'v1.AuthProviderConfig',
  ['name', text],
  ['config', { kind: 'map', goType: 'map[string]string', value: text }],
);

const user = struct(
  'AuthInfo',
  'v1.AuthInfo',
  extensions,
  ['client-certificate', text],
  ['client-certificate-data', bytes],
  ['client-key', text],
  ['client-key-data', bytes],
  ['token', text],
  ['tokenFile', text],
  ['as', text],
  ['as-uid', text],
  ['as-groups', textList],
  ['as-user-extra', { kind: 'map', goType: 'map[string][]string', value: textList }],
  ['username', text],
  ['password', text],
  ['auth-provider', authProvider],
  ['exec', exec],
);

const context = struct(
  'Context',
  'v1.Context',
  extensions,
  ['cluster', text],
  ['user', text],
  ['namespace', text],
);

/** Of version v1, the only one. */
export const kubeconfigShape = struct(
  'Config',
  'v1.Config',
  extensions,
  ['kind', text],
  ['apiVersion', text],
  ['preferences', preferences],
  [
    'clusters',
    list(
      '[]v1.NamedCluster',
      struct('NamedCluster', 'v1.NamedCluster', ['name', text], ['cluster', cluster]),
    ),
  ],
  [
    'users',
    list(
      '[]v1.NamedAuthInfo',
      struct('NamedAuthInfo', 'v1.NamedAuthInfo', ['name', text], ['user', user]),
    ),
  ],
  [
    'contexts',
    list(
      '[]v1.NamedContext',
      struct('NamedContext', 'v1.NamedContext', ['name', text], ['context', context]),
    ),
  ],
  ['current-context', text],
);
