/**
 * Compiles a kubeconfig file and the files it references to a node and a connection. Errors are
 * those of kube-apiserver, in its order: the kubeconfig, the version, the client.
 */

import { unusableAuthorities } from '../../documents/kubeconfig/authority.ts';
import { connectionOf, tokenFileProblem } from '../../documents/kubeconfig/connection.ts';
import {
  chooseContext,
  kubeconfigFiles,
  kubeconfigSecretFiles,
} from '../../documents/kubeconfig/context.ts';
import {
  type FileContents,
  type Kubeconfig,
  readKubeconfig,
} from '../../documents/kubeconfig/kubeconfig.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { stringField } from '../../formats/go-struct/fields.ts';
import type { HttpConnection } from '../../model/http-connection.ts';
import type { FileCompilation } from '../module.ts';
import type { WebhookTokenSettings } from './config.ts';
import type { WebhookTokenNode, WebhookVersion } from './node.ts';

/** Runtime data that is not part of the node, because it contains credentials. */
export interface WebhookTokenMaterial {
  readonly connection: HttpConnection;
  /** Path and query of the requests. */
  readonly path: string;
}

export type WebhookTokenCompilation = FileCompilation<
  WebhookTokenNode,
  WebhookTokenMaterial,
  {
    /** Which field of the kubeconfig to correct, if the error does not name it. */
    readonly help?: string;
  }
>;

export interface WebhookTokenSource {
  /** Path of the kubeconfig as given in the flag. */
  readonly file: string;
  /** The absolute directory of the kubeconfig, against which its relative paths are resolved. */
  readonly directory: string;
  readonly contents: FileContents;
}

export interface WebhookTokenContext {
  readonly settings: Pick<WebhookTokenSettings, 'version' | 'cacheTtlMs'>;
  readonly apiAudiences: readonly string[];
  /** The API domain of the review that is sent. */
  readonly apiDomain: string;
  /** Contents of the files that `filesOfWebhookToken` returns, by path. */
  readonly files: ReadonlyMap<string, FileContents>;
  /** Milliseconds since 1970; without it the validity of authorities is not checked. */
  readonly now?: number;
}

/**
 * Returns the files that the kubeconfig references, which must be read before compiling; none if
 * the kubeconfig cannot be read.
 */
export const filesOfWebhookToken = (source: WebhookTokenSource): readonly string[] => {
  const reading = read(source);
  return reading.kind === 'kubeconfig' ? kubeconfigFiles(reading.kubeconfig) : [];
};

/** Returns the referenced files that should be readable by their owner only. */
export const secretFilesOfKubeconfig = (source: WebhookTokenSource): readonly string[] => {
  const reading = read(source);
  return reading.kind === 'kubeconfig' ? kubeconfigSecretFiles(reading.kubeconfig) : [];
};

export const compileWebhookToken = (
  source: WebhookTokenSource,
  context: WebhookTokenContext,
): WebhookTokenCompilation => {
  const reading = read(source);
  return reading.kind === 'error'
    ? failed(reading.message)
    : compileContext(reading.kubeconfig, source, context);
};

const read = ({ file, directory, contents }: WebhookTokenSource) =>
  readKubeconfig({ path: file, directory, contents });

const compileContext = (
  kubeconfig: Kubeconfig,
  { file }: WebhookTokenSource,
  { settings, apiAudiences, apiDomain, files, now }: WebhookTokenContext,
): WebhookTokenCompilation => {
  const contentsOf = (path: string): FileContents =>
    files.get(path) ?? { kind: 'unreadable', reason: `open ${path}: no such file or directory` };
  const choice = chooseContext(kubeconfig, contentsOf);
  if (choice.kind === 'error')
    return { ...failed(choice.message), help: contextHelp(kubeconfig, file) };
  const tokenProblem = tokenFileProblem(choice.context, contentsOf);
  if (tokenProblem !== undefined) return failed(tokenProblem);
  const version = knownVersion(settings.version);
  if (version === undefined) return failed(unsupportedVersion(settings.version));
  const built = connectionOf(choice.context, contentsOf);
  if (built.kind === 'error') return failed(built.message);
  const { connection } = built;
  const unusable = unusableAuthorities(choice.context, contentsOf, now);
  const path = `${built.path}?timeout=30s`;
  const node: WebhookTokenNode = {
    module: 'webhook-token',
    file,
    url: built.shownOrigin + path,
    version,
    apiDomain,
    cacheTtlMs: Math.max(settings.cacheTtlMs, 0),
    apiAudiences,
    credential: credentialOf(connection),
    trust: trustOf(connection),
  };
  return {
    kind: 'compiled',
    node,
    material: { connection, path },
    warnings: [
      ...warningsOf(node),
      ...unusable.problems.map((problem) => `${file}: ${unusable.path}: ${problem}`),
    ],
  };
};

/**
 * Returns help for errors about the context, because kube-apiserver's messages name neither the
 * file nor the field.
 */
const contextHelp = ({ currentContext, contexts, clusters }: Kubeconfig, file: string): string => {
  if (currentContext === '')
    return `${file}: current-context is missing. Set it to the name of an entry of contexts.`;
  const context = contexts.get(currentContext);
  if (context === undefined)
    return `${file}: current-context is ${goQuote(currentContext)}, and no entry of contexts has that name.`;
  const at = `${file}: contexts[name=${currentContext}].context.cluster`;
  const cluster = stringField(context, 'cluster');
  if (cluster === '') return `${at} is missing. Set it to the name of an entry of clusters.`;
  return clusters.has(cluster)
    ? `${file}: see the cluster and user of the context ${goQuote(currentContext)}.`
    : `${at} is ${goQuote(cluster)}, and no entry of clusters has that name.`;
};

/** Returns a failure. Passwords in URLs are removed from the message. */
const failed = (error: string): Extract<WebhookTokenCompilation, { kind: 'failed' }> => ({
  kind: 'failed',
  error: error.replace(/(\/\/[^\s/:@]*):[^\s/@]*@/g, '$1:***@'),
});

const knownVersion = (version: string): WebhookVersion | undefined =>
  version === 'v1' || version === 'v1beta1' ? version : undefined;

/** Returns the error for an unsupported version, whatever the kubeconfig contains. */
export const webhookVersionProblem = ({
  version,
}: Pick<WebhookTokenSettings, 'version'>): string | undefined =>
  knownVersion(version) === undefined ? unsupportedVersion(version) : undefined;

const unsupportedVersion = (version: string): string =>
  `unsupported authentication webhook version ${goQuote(version)}, supported versions are "v1", "v1beta1"`;

const credentialOf = ({
  credential,
  clientCertificate,
}: HttpConnection): WebhookTokenNode['credential'] => {
  if (credential !== undefined) return credential.kind === 'basic' ? 'basic' : 'bearer token';
  return clientCertificate === undefined ? 'none' : 'client certificate';
};

const trustOf = ({
  origin,
  insecureSkipVerify,
  certificateAuthority,
}: HttpConnection): WebhookTokenNode['trust'] => {
  if (!origin.startsWith('https:')) return 'plain HTTP';
  if (insecureSkipVerify) return 'unverified';
  return certificateAuthority === undefined ? 'system roots' : 'configured roots';
};

const warningsOf = ({ file, trust }: WebhookTokenNode): readonly string[] => {
  if (trust === 'plain HTTP') {
    return [
      `the webhook in '${file}' is called over plain HTTP: anyone on the network path can read every token and forge responses`,
    ];
  }
  return trust === 'unverified'
    ? [
        `the certificate of the webhook in '${file}' is not verified: with insecure-skip-tls-verify, any server in its place receives every token`,
      ]
    : [];
};
