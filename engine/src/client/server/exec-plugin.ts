/**
 * Runs the credential plugin of a kubeconfig as client-go does: with the environment of this process
 * and KUBERNETES_EXEC_INFO, the terminal only if it may interact, and its messages on standard error.
 */
import { spawn } from 'node:child_process';
import { goQuote } from '../../formats/go-quote.ts';
import type { Fields } from '../../formats/go-struct/decode.ts';
import {
  listField,
  mapField,
  stringField,
  stringListField,
} from '../../formats/go-struct/fields.ts';
import { jsonOfPlain, writeJson } from '../../formats/json-as-maps.ts';
import type { Json } from '../../model/json.ts';
import {
  execCredentialVersion,
  execInfoVariable,
  type PluginOutput,
  readPluginOutput,
} from './exec-credential.ts';
import { findProgram } from './find-program.ts';

export interface PluginRun {
  /** The `exec` section of the user, validated. */
  readonly exec: Fields;
  /** The cluster as the plugin gets it with `provideClusterInfo`. */
  readonly cluster: ReadonlyMap<string, Json>;
  /** The environment of the plugin. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if standard input is a terminal. */
  readonly hasTerminal: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Exceeds any token, certificate and key. */
const maxOutputBytes = 1024 * 1024;

/** Runs the plugin; the errors are client-go's and never contain its output. */
export const runExecPlugin = async (run: PluginRun): Promise<PluginOutput> => {
  const { exec, hasTerminal } = run;
  const apiVersion = stringField(exec, 'apiVersion');
  const version = execCredentialVersion(apiVersion);
  if (version === undefined) return error(`exec plugin: invalid apiVersion ${goQuote(apiVersion)}`);
  const mode = stringField(exec, 'interactiveMode');
  if (mode === 'Always' && !hasTerminal)
    return error('exec plugin cannot support interactive mode: standard input is not a terminal');
  const interactive = mode !== 'Never' && hasTerminal;
  const info = new Map<string, Json>([
    ['kind', 'ExecCredential'],
    ['apiVersion', apiVersion],
    [
      'spec',
      new Map<string, Json>([
        ...(exec.get('provideClusterInfo') === true ? ([['cluster', run.cluster]] as const) : []),
        ['interactive', interactive],
      ]),
    ],
  ]);
  const result = await execute(run, { interactive, info: writeJson(info) });
  return 'message' in result ? error(result.message) : readPluginOutput(result.output, version);
};

const error = (message: string): PluginOutput => ({ kind: 'error', message });

const execute = (
  { exec, environment, timeoutMs, signal }: PluginRun,
  { interactive, info }: { readonly interactive: boolean; readonly info: string },
): Promise<{ readonly output: Uint8Array } | { readonly message: string }> => {
  const command = stringField(exec, 'command');
  const deadline = AbortSignal.timeout(timeoutMs);
  const program = findProgram(command, environment);
  if (program === undefined) return Promise.resolve({ message: notFound(exec) });
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const child = spawn(program, stringListField(exec, 'args'), {
      env: { ...environment, ...variablesOf(exec), [execInfoVariable]: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      signal: AbortSignal.any([signal, deadline]),
      windowsHide: true,
    });
    child.stdout?.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= maxOutputBytes) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    child.once('error', (cause: NodeJS.ErrnoException) => {
      resolve({ message: startProblem(cause, exec, { command, deadline, timeoutMs }) });
    });
    child.once('close', (code, killedBy) => {
      if (size > maxOutputBytes)
        resolve({ message: `exec: ${command} printed more than ${maxOutputBytes} bytes` });
      else if (code === 0) resolve({ output: Buffer.concat(chunks) });
      else if (code !== null)
        resolve({ message: `exec: executable ${command} failed with exit code ${code}` });
      else resolve({ message: `exec: executable ${command} was ended by ${killedBy}` });
    });
  });
};

const variablesOf = (exec: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listField(exec, 'env').flatMap((item) =>
      item instanceof Map ? [[stringField(item, 'name'), stringField(item, 'value')]] : [],
    ),
  );

const startProblem = (
  cause: NodeJS.ErrnoException,
  exec: Fields,
  started: { readonly command: string; readonly deadline: AbortSignal; readonly timeoutMs: number },
): string => {
  const { command, deadline, timeoutMs } = started;
  if (cause.name === 'AbortError')
    return deadline.aborted
      ? `exec: executable ${command} did not exit within ${timeoutMs / 1000} seconds`
      : `exec: executable ${command} was canceled`;
  return cause.code === 'ENOENT'
    ? notFound(exec)
    : `exec: ${command}: ${cause.code ?? 'cannot be started'}`;
};

const notFound = (exec: Fields): string => {
  const hint = stringField(exec, 'installHint');
  return [
    `exec: executable ${stringField(exec, 'command')} not found`,
    'It looks like you are trying to use a client-go credential plugin that is not installed.',
    'To learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins',
    ...(hint === '' ? [] : [hint]),
  ].join('\n\n');
};

/** Returns the cluster as a plugin gets it, with the content of its CA file. */
export const clusterForPlugin = (
  cluster: Fields,
  certificateAuthorityBase64: string,
): ReadonlyMap<string, Json> => {
  const text = (name: string): Members => {
    const value = stringField(cluster, name);
    return value === '' ? [] : [[name, value]];
  };
  const flag = (name: string): Members => (cluster.get(name) === true ? [[name, true]] : []);
  return new Map<string, Json>([
    ['server', stringField(cluster, 'server')],
    ...text('tls-server-name'),
    ...flag('insecure-skip-tls-verify'),
    ...(certificateAuthorityBase64 === ''
      ? []
      : ([['certificate-authority-data', certificateAuthorityBase64]] as const)),
    ...text('proxy-url'),
    ...flag('disable-compression'),
    ['config', pluginExtension(cluster)],
  ]);
};

type Members = readonly (readonly [string, Json])[];

/** The extension of a cluster that is passed to plugins. */
const extensionName = 'client.authentication.k8s.io/exec';

const pluginExtension = (cluster: Fields): Json => {
  const extension = listField(cluster, 'extensions').find(
    (item) => item instanceof Map && stringField(item, 'name') === extensionName,
  );
  const value = extension instanceof Map ? extension.get('extension') : undefined;
  return typeof value === 'object' && 'kind' in value ? jsonOfPlain(value) : null;
};

/** Returns the plugin's section of a user; `undefined` if other credentials take precedence. */
export const pluginOf = (user: Fields): Fields | undefined => {
  const others = [
    'token',
    'tokenFile',
    'username',
    'password',
    'client-certificate',
    'client-certificate-data',
  ];
  return user.has('exec') && others.every((name) => stringField(user, name) === '')
    ? mapField(user, 'exec')
    : undefined;
};
