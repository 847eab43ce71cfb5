/**
 * Finds the connection to a server from kubeconfig files and flags, with the credentials that kubectl
 * would use.
 */
import {
  connectionOf,
  pemSource,
  tokenFileProblem,
} from '../../documents/kubeconfig/connection.ts';
import {
  chooseContext,
  type FileLookup,
  type KubeconfigContext,
  kubeconfigFiles,
} from '../../documents/kubeconfig/context.ts';
import type { FileContents } from '../../documents/kubeconfig/kubeconfig.ts';
import { parseServerAddress } from '../../documents/kubeconfig/server-address.ts';
import { encodeBase64 } from '../../formats/base64.ts';
import { stringField } from '../../formats/go-struct/fields.ts';
import { isSlash, trimEnd } from '../../formats/trim.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import type { HttpConnection } from '../../model/http-connection.ts';
import { reveal } from '../../model/secret.ts';
import { readSnapshot } from '../../node/files.ts';
import { clusterForPlugin, pluginOf, runExecPlugin } from './exec-plugin.ts';
import { loadKubeconfig, type ReadVariable } from './kubeconfig-files.ts';
import { type ContextOverrides, overrideContext } from './override-context.ts';

export interface ServerOptions {
  /** Empty for the files of the environment. */
  readonly kubeconfig: string;
  readonly overrides: ContextOverrides;
  readonly variable: ReadVariable;
  /** The environment of credential plugins. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if standard input is a terminal, which plugins may use. */
  readonly hasTerminal: boolean;
  readonly signal: AbortSignal;
}

export type ServerReading =
  | {
      readonly kind: 'server';
      readonly connection: HttpConnection;
      /** The path before all API paths, without a trailing slash. */
      readonly basePath: string;
    }
  /** The message is client-go's. */
  | { readonly kind: 'error'; readonly message: string };

const maxFileBytes = 1024 * 1024;

/** Time for a credential plugin, which may wait until a user has logged in. */
const pluginTimeoutMs = 600_000;

export const resolveServer = async (options: ServerOptions): Promise<ServerReading> => {
  const loaded = await loadKubeconfig(options.kubeconfig, options.variable);
  if (loaded.kind === 'error') return loaded;
  const overridden = overrideContext(loaded.kubeconfig, options.overrides);
  if (overridden.kind === 'error') return overridden;
  const { kubeconfig } = overridden;
  const files = await readFiles(kubeconfigFiles(kubeconfig));
  const choice = chooseContext(kubeconfig, files);
  if (choice.kind === 'error') return choice;
  const problem = tokenFileProblem(choice.context, files);
  if (problem !== undefined) return error(problem);
  const authenticated = await withPlugin(choice.context, files, options);
  if (authenticated.kind === 'error') return authenticated;
  const resolved = connectionOf(authenticated.context, files);
  if (resolved.kind === 'error') return resolved;
  return {
    kind: 'server',
    connection: resolved.connection,
    basePath: trimEnd(resolved.path, isSlash),
  };
};

const error = (message: string): Extract<ServerReading, { kind: 'error' }> => ({
  kind: 'error',
  message,
});

const readFiles = async (paths: readonly string[]): Promise<FileLookup> => {
  const files = new Map<string, FileContents>();
  for (const path of paths) files.set(path, await readSnapshot(path, { maxBytes: maxFileBytes }));
  return (path) =>
    files.get(path) ?? { kind: 'unreadable', reason: `open ${path}: no such file or directory` };
};

/** Replaces the plugin of the user by the credentials that it returns. */
const withPlugin = async (
  context: KubeconfigContext,
  files: FileLookup,
  options: ServerOptions,
): Promise<
  | { readonly kind: 'context'; readonly context: KubeconfigContext }
  | Extract<ServerReading, { kind: 'error' }>
> => {
  const { cluster, user } = context;
  if (!user.has('exec')) return { kind: 'context', context };
  const others = new Map([...user].filter(([name]) => name !== 'exec'));
  const address = parseServerAddress(stringField(cluster, 'server'));
  // Credentials are sent over HTTPS only, so a plugin is not run for another server.
  const isSecure = address.kind === 'address' && address.scheme === 'https';
  const exec = isSecure ? pluginOf(user) : undefined;
  if (exec === undefined) return { kind: 'context', context: { ...context, user: others } };
  const authority = pemSource(cluster, 'certificate-authority', files);
  const output = await runExecPlugin({
    exec,
    cluster: clusterForPlugin(cluster, authority === undefined ? '' : base64Of(authority.text)),
    environment: options.environment,
    hasTerminal: options.hasTerminal,
    timeoutMs: pluginTimeoutMs,
    signal: options.signal,
  });
  if (output.kind === 'error') return error(`getting credentials: ${output.message}`);
  const { token, clientCertificate } = output.credentials;
  const credentials = new Map([
    ...others,
    ...(token === undefined ? [] : [['token', reveal(token)] as const]),
    ...(clientCertificate === undefined
      ? []
      : ([
          ['client-certificate-data', base64Of(clientCertificate.pem)],
          ['client-key-data', base64Of(reveal(clientCertificate.key))],
        ] as const)),
  ]);
  return { kind: 'context', context: { ...context, user: credentials } };
};

const base64Of = (text: string): string => encodeBase64(encodeUtf8(text));
