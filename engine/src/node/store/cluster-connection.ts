/**
 * Finds the connection to the cluster whose API is the store, from a kubeconfig file or from the
 * pod's service account.
 */
import { dirname, resolve } from 'node:path';
import { connectionOf, tokenFileProblem } from '../../documents/kubeconfig/connection.ts';
import { chooseContext, kubeconfigFiles } from '../../documents/kubeconfig/context.ts';
import { type FileContents, readKubeconfig } from '../../documents/kubeconfig/kubeconfig.ts';
import { isSlash, trimEnd } from '../../formats/trim.ts';
import type { HttpConnection } from '../../model/http-connection.ts';
import { secret } from '../../model/secret.ts';
import { StoreError } from '../../ports/store.ts';
import { readSnapshot } from '../files.ts';

export interface ClusterConnection {
  readonly connection: HttpConnection;
  /** The path before all API paths, without a trailing slash. */
  readonly basePath: string;
}

const maxKubeconfigBytes = 1024 * 1024;
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Resolves the connection; rejects with a `StoreError` that says what is missing. */
export const resolveClusterConnection = (
  kubeconfig: string,
  variable: (name: string) => string | undefined = (name) => process.env[name],
  folder = serviceAccountDirectory,
): Promise<ClusterConnection> =>
  kubeconfig === '' ? podConnection(variable, folder) : kubeconfigConnection(kubeconfig);

const kubeconfigConnection = async (path: string): Promise<ClusterConnection> => {
  const directory = dirname(resolve(path));
  const reading = readKubeconfig({ path, directory, contents: await read(path) });
  if (reading.kind === 'error') throw unusableError(reading.message);
  const files = new Map<string, FileContents>();
  for (const file of kubeconfigFiles(reading.kubeconfig)) files.set(file, await read(file));
  const lookup = (file: string): FileContents =>
    files.get(file) ?? { kind: 'unreadable', reason: `open ${file}: no such file or directory` };
  const choice = chooseContext(reading.kubeconfig, lookup);
  if (choice.kind === 'error') throw unusableError(choice.message);
  const problem = tokenFileProblem(choice.context, lookup);
  if (problem !== undefined) throw unusableError(problem);
  const resolved = connectionOf(choice.context, lookup);
  if (resolved.kind === 'error') throw unusableError(resolved.message);
  return { connection: resolved.connection, basePath: trimEnd(resolved.path, isSlash) };
};

const podConnection = async (
  variable: (name: string) => string | undefined,
  folder: string,
): Promise<ClusterConnection> => {
  const host = variable('KUBERNETES_SERVICE_HOST') ?? '';
  const port = variable('KUBERNETES_SERVICE_PORT') ?? '';
  if (host === '' || port === '') {
    throw unusableError(
      'not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; set --store-kubeconfig',
    );
  }
  const authority = `${folder}/ca.crt`;
  const token = `${folder}/token`;
  return {
    connection: {
      origin: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      certificateAuthority: { pem: secret(await readText(authority)), file: authority },
      credential: { kind: 'bearer', token: secret((await readText(token)).trim()), file: token },
      insecureSkipVerify: false,
      headers: [],
      compression: false,
    },
    basePath: '',
  };
};

const read = (path: string) => readSnapshot(path, { maxBytes: maxKubeconfigBytes });

const readText = async (path: string): Promise<string> => {
  const contents = await read(path);
  if (contents.kind === 'unreadable') throw unusableError(contents.reason);
  return Buffer.from(contents.bytes).toString();
};

const unusableError = (message: string): StoreError =>
  new StoreError('unavailable', `cannot use the cluster as a store: ${message}`);
