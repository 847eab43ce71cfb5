/** `authgraph config set-credentials`: lets kubectl get the tokens of a user from `get-token`. */
import { resolve } from 'node:path';
import { writeUserExec } from '../../client/kubeconfig/write-user.ts';
import { newestExecVersion } from '../../client/server/exec-credential.ts';
import { kubeconfigPaths } from '../../client/server/kubeconfig-files.ts';
import type { ExecSection } from '../../documents/kubeconfig/set-user.ts';
import type { FlagValues } from '../../flags/flag.ts';
import { type CommandArguments, defineCommand, fail, stringFlag } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  cacheDirectory,
  clientSecretVariable,
  loginFlags,
  loginMisuse,
  loginPathFlags,
} from '../login-flags.ts';
import { isKubectlPlugin } from '../program-name.ts';

export const setCredentials = defineCommand({
  name: 'config set-credentials',
  usage: 'NAME --issuer-url URL --client-id ID [flags]',
  about:
    'Writes a user to the kubeconfig whose tokens come from "authgraph get-token" with these flags. Comments and all other entries of the file are preserved. Other credentials of the user are removed, because kubectl would use them instead.',
  flags: [
    stringFlag(
      'Kubeconfig',
      'kubeconfig',
      'FILE',
      'Kubeconfig file; as in kubectl, the files of $KUBECONFIG or ~/.kube/config if unset.',
    ),
    ...loginFlags,
  ],
  examples: [
    {
      line: 'authgraph config set-credentials jane --issuer-url https://issuer.example --client-id kubernetes',
      does: 'log in with the browser when kubectl needs a token',
    },
    {
      line: 'kubectl config set-context --current --user jane',
      does: 'let the current context use this user',
    },
  ],
  operands: [1, 1],
  missing: 'specify the name of the user',
  run: (read, io) => runSetCredentials(read, io),
});

const runSetCredentials = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const [name = ''] = operands;
  const misuse = name === '' ? 'you must specify a non-empty user name' : loginMisuse(read);
  if (misuse !== undefined) return read.misuse(misuse);
  const paths = kubeconfigPaths(values.string('kubeconfig'), io.variable);
  const written = await writeUserExec(paths, name, execSection(values, io));
  if (written.kind === 'error') return fail(io, written.message);
  const shown = JSON.stringify(name);
  io.stdout.write(`User ${shown} ${written.isNew ? 'added to' : 'changed in'} ${written.path}.\n`);
  if (written.removed.length > 0)
    io.stderr.write(`Removed other credentials of the user: ${written.removed.join(', ')}\n`);
  if (values.string('grant-type') === 'client-credentials' && !values.isSet('client-secret-file'))
    io.stderr.write(`kubectl needs the client secret in ${clientSecretVariable}.\n`);
  return exitCodes.ok;
};

const execSection = (values: FlagValues, io: Io): ExecSection => {
  const plugin = isKubectlPlugin(io);
  return {
    apiVersion: newestExecVersion,
    command: plugin ? 'kubectl' : 'authgraph',
    args: [...(plugin ? ['authgraph'] : []), 'get-token', ...loginArguments(values, io)],
    installHint: 'Install AuthGraph, whose command get-token logs in at the issuer.',
    // A login needs no standard input: the user answers in a browser.
    interactiveMode: 'Never',
    provideClusterInfo: false,
  };
};

/** Repeats the flags that were set, with absolute paths: kubectl runs the plugin in any directory. */
const loginArguments = (values: FlagValues, io: Io): readonly string[] =>
  loginFlags.flatMap(({ name, type = 'string' }) => {
    if (!values.isSet(name)) return [];
    if (type === 'stringArray') return values.list(name).map((value) => `--${name}=${value}`);
    if (type === 'bool') return values.bool(name) ? [`--${name}`] : [];
    if (type === 'duration') return [`--${name}=${values.number(name) / 1000}s`];
    const value = name === 'cache-dir' ? cacheDirectory({ values }, io) : values.string(name);
    const isPath = loginPathFlags.has(name) && value !== '-';
    return value === '' ? [] : [`--${name}=${isPath ? resolve(value) : value}`];
  });
