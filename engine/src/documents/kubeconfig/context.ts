/**
 * The current context of a kubeconfig with its cluster and user, validated like client-go with all
 * errors together. The files that it names have been read before.
 */

import { goQuote } from '../../formats/go-quote.ts';
import type { Fields } from '../../formats/go-struct/decode.ts';
import {
  listField,
  mapField,
  stringField,
  stringListField,
} from '../../formats/go-struct/fields.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import type { FileContents, Kubeconfig } from './kubeconfig.ts';

export interface KubeconfigContext {
  readonly clusterName: string;
  readonly cluster: Fields;
  readonly userName: string;
  readonly user: Fields;
}

export type ContextChoice =
  | { readonly kind: 'context'; readonly context: KubeconfigContext }
  | { readonly kind: 'error'; readonly message: string };

/** Looks up a file by its absolute path. */
export type FileLookup = (path: string) => FileContents;

/**
 * Returns the files that the current context names; they must be read before it can be validated.
 */
export const kubeconfigFiles = (kubeconfig: Kubeconfig): readonly string[] => {
  const { cluster, user } = contextParts(kubeconfig);
  return [
    stringField(cluster ?? new Map(), 'certificate-authority'),
    stringField(user, 'client-certificate'),
    stringField(user, 'client-key'),
    stringField(user, 'tokenFile'),
  ].filter((path) => path !== '');
};

/** Returns the files of the current context that contain secrets. */
export const kubeconfigSecretFiles = (kubeconfig: Kubeconfig): readonly string[] => {
  const { user } = contextParts(kubeconfig);
  return ['client-key', 'tokenFile']
    .map((name) => stringField(user, name))
    .filter((path) => path !== '');
};

export const chooseContext = (kubeconfig: Kubeconfig, files: FileLookup): ContextChoice => {
  const { clusterName, cluster, userName, user } = contextParts(kubeconfig);
  const { currentContext, contexts } = kubeconfig;
  const problems = [
    ...(currentContext === '' || contexts.has(currentContext)
      ? []
      : [`context was not found for specified context: ${currentContext}`]),
    ...userProblems(userName, user, files),
    ...clusterProblems(clusterName, cluster, files),
  ];
  const [first] = problems;
  if (first === undefined) {
    const context = { clusterName, cluster: cluster ?? new Map(), userName, user };
    return { kind: 'context', context };
  }
  const distinct = [...new Set(problems)];
  const all =
    distinct.length > 1 ? `[${distinct.join(', ')}]` : first === noServer ? noConfiguration : first;
  return { kind: 'error', message: `invalid configuration: ${all}` };
};

const noServer = 'cluster has no server defined';
const noConfiguration =
  'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

/** Resolves the current context. Missing parts are empty; only a missing cluster is `undefined`. */
const contextParts = ({ clusters, users, contexts, currentContext }: Kubeconfig) => {
  const context = contexts.get(currentContext) ?? new Map();
  const clusterName = stringField(context, 'cluster');
  const userName = stringField(context, 'user');
  return {
    clusterName,
    cluster: clusters.get(clusterName),
    userName,
    user: users.get(userName) ?? new Map(),
  };
};

const clusterProblems = (
  name: string,
  cluster: Fields | undefined,
  files: FileLookup,
): readonly string[] => {
  if (cluster === undefined) return [noServer];
  const problems: string[] = [];
  if (stringField(cluster, 'server') === '') {
    problems.push(
      name === ''
        ? 'default cluster has no server defined'
        : `no server found for cluster ${goQuote(name)}`,
    );
  }
  const proxy = stringField(cluster, 'proxy-url');
  const wrongProxy = proxy === '' ? undefined : proxyProblem(proxy);
  if (wrongProxy !== undefined) {
    problems.push(
      `invalid 'proxy-url' ${goQuote(proxy)} for cluster ${goQuote(name)}: ${wrongProxy}`,
    );
  }
  const file = stringField(cluster, 'certificate-authority');
  if (file !== '' && hasBytes(cluster, 'certificate-authority-data')) {
    problems.push(
      `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
    );
  }
  return [
    ...problems,
    ...unreadableFileErrors('certificate-authority', { file, owner: name }, files),
  ];
};

const proxyProblem = (proxy: string): string | undefined => {
  const url = parseGoUrl(proxy);
  if (url.kind === 'error') return `could not parse: ${proxy}`;
  if (['http', 'https', 'socks5'].includes(url.scheme)) return undefined;
  return `unsupported scheme ${goQuote(url.scheme)}, must be http, https, or socks5`;
};

const unreadableFileErrors = (
  what: string,
  { file, owner }: { readonly file: string; readonly owner: string },
  files: FileLookup,
): readonly string[] => {
  const contents = file === '' ? undefined : files(file);
  return contents?.kind === 'unreadable'
    ? [`unable to read ${what} ${file} for ${owner} due to ${contents.reason}`]
    : [];
};

const userProblems = (name: string, user: Fields, files: FileLookup): readonly string[] => [
  ...certificateProblems(name, user, files),
  ...execProblems(name, user),
  ...methodProblems(name, user),
  ...impersonationProblems(name, user),
];

const certificateProblems = (name: string, user: Fields, files: FileLookup): readonly string[] => {
  const certificate = stringField(user, 'client-certificate');
  const key = stringField(user, 'client-key');
  const certificateData = hasBytes(user, 'client-certificate-data');
  const keyData = hasBytes(user, 'client-key-data');
  if (certificate === '' && !certificateData) return [];
  return [
    ...(certificate !== '' && certificateData
      ? [
          `client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`,
        ]
      : []),
    ...(key !== '' && keyData
      ? [
          `client-key-data and client-key are both specified for ${name}; client-key-data will override`,
        ]
      : []),
    ...(key === '' && !keyData
      ? [
          `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
        ]
      : []),
    ...unreadableFileErrors('client-cert', { file: certificate, owner: name }, files),
    ...unreadableFileErrors('client-key', { file: key, owner: name }, files),
  ];
};

const interactiveModes = ['Never', 'IfAvailable', 'Always'];

const execProblems = (name: string, user: Fields): readonly string[] => {
  if (!user.has('exec')) return [];
  const exec = mapField(user, 'exec');
  const mode = stringField(exec, 'interactiveMode');
  const plugin = `for ${name} to use exec authentication plugin`;
  const nameless = listField(exec, 'env').filter(
    (variable) => variable instanceof Map && stringField(variable, 'name') === '',
  );
  return [
    ...(user.has('auth-provider')
      ? [`authProvider cannot be provided in combination with an exec plugin for ${name}`]
      : []),
    ...(stringField(exec, 'command') === '' ? [`command must be specified ${plugin}`] : []),
    ...(stringField(exec, 'apiVersion') === '' ? [`apiVersion must be specified ${plugin}`] : []),
    ...nameless.map(() => `env variable name must be specified ${plugin}`),
    ...(mode === '' ? [`interactiveMode must be specified ${plugin}`] : []),
    ...(mode === '' || interactiveModes.includes(mode)
      ? []
      : [`invalid interactiveMode for ${name}: ${goQuote(mode)}`]),
  ];
};

const methodProblems = (name: string, user: Fields): readonly string[] => {
  const hasToken = stringField(user, 'token') !== '';
  const hasBasic = stringField(user, 'username') !== '' || stringField(user, 'password') !== '';
  return hasToken && hasBasic
    ? [
        `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`,
      ]
    : [];
};

const impersonationProblems = (name: string, user: Fields): readonly string[] => {
  const impersonates =
    stringField(user, 'as-uid') !== '' ||
    stringListField(user, 'as-groups').length > 0 ||
    mapField(user, 'as-user-extra').size > 0;
  return impersonates && stringField(user, 'as') === ''
    ? [`requesting uid, groups or user-extra for ${name} without impersonating a user`]
    : [];
};

/** Returns whether a bytes field is set; it is in base64. */
const hasBytes = (fields: Fields, name: string): boolean => stringField(fields, name) !== '';
