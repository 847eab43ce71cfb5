/** `authgraph auth whoami`: asks a server who the caller is, as `kubectl auth whoami` does. */
import { resolve } from 'node:path';
import type { ServerOptions } from '../../client/server/connect.ts';
import type { ContextOverrides } from '../../client/server/override-context.ts';
import type { SelfReview, SelfReviewOutcome } from '../../client/server/self-subject-review.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { FlagForm } from '../../flags/flag-form.ts';
import { type OutputMap, omitEmpty, outputMap, sortedMap } from '../../formats/output-value.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { type Secret, secret } from '../../model/secret.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { escapeUnprintable, unicodeEscape } from '../../source/unprintable.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  outputFlag,
  printError,
  stringFlag,
  tokenFileFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { impersonationFlags, userExtraMisuse } from '../impersonation-flags.ts';
import type { Io } from '../io.ts';

const serverGroup = 'Server';
const credentialGroup = 'Credentials';

const serverFlags: readonly FlagForm[] = [
  stringFlag(
    serverGroup,
    'kubeconfig',
    'FILE',
    'Kubeconfig file; as in kubectl, the files of $KUBECONFIG or ~/.kube/config if unset.',
  ),
  stringFlag(serverGroup, 'context', 'NAME', 'Context of the kubeconfig.'),
  stringFlag(serverGroup, 'cluster', 'NAME', 'Cluster of the kubeconfig.'),
  {
    ...stringFlag(serverGroup, 'server', 'URL', 'Address of the server: https://HOST:PORT.'),
    shorthand: 's',
  },
  stringFlag(
    serverGroup,
    'certificate-authority',
    'FILE',
    'File with the CA certificates that verify the server.',
  ),
  stringFlag(
    serverGroup,
    'tls-server-name',
    'NAME',
    'Name that the certificate of the server must have; the host of its address if unset.',
  ),
  {
    name: 'insecure-skip-tls-verify',
    group: serverGroup,
    type: 'bool',
    doc: 'Do not verify the certificate of the server, which makes the connection insecure.',
  },
  {
    name: 'api-domain',
    group: serverGroup,
    choices: ['', ...apiDomains],
    doc: 'Domain of the authentication API. If unset, k8s.io, or another one that the server has.',
  },
  {
    name: 'request-timeout',
    group: serverGroup,
    type: 'duration',
    default: '30s',
    doc: 'Timeout of each request.',
  },
  stringFlag(credentialGroup, 'user', 'NAME', 'User of the kubeconfig.'),
  { ...tokenFileFlag, group: credentialGroup },
  stringFlag(credentialGroup, 'client-certificate', 'FILE', 'File with the client certificate.'),
  stringFlag(
    credentialGroup,
    'client-key',
    'FILE',
    'File with the private key of the client certificate.',
  ),
];

export const authWhoami = defineCommand({
  name: 'auth whoami',
  usage: '[flags]',
  about:
    'Shows which user a server authenticates the caller as. Works with every server that has the SelfSubjectReview API, and finds server and credentials in the kubeconfig as kubectl does, including credential plugins. To find out how a configuration maps a token, see "authgraph whoami --help".',
  flags: [
    ...serverFlags,
    ...impersonationFlags.filter(({ name }) => name !== 'rbac-file'),
    { ...outputFlag, choices: ['text', 'json', 'yaml'] },
  ],
  examples: [
    { line: 'authgraph auth whoami', does: 'the user of the current context' },
    {
      line: 'authgraph auth whoami --as jane --as-group developers -o yaml',
      does: 'the user that a request would have with this impersonation',
    },
    {
      line: 'authgraph auth whoami --server https://localhost:6443 --certificate-authority ca.crt --token-file token',
      does: 'the user of a token, without a kubeconfig',
    },
  ],
  run: (read, io) => runAuthWhoami(read, io),
});

const runAuthWhoami = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const misuse = misuseOf(values);
  if (misuse !== undefined) return read.misuse(misuse);
  const { resolveServer } = await import('../../client/server/connect.ts');
  const server = await resolveServer(await serverOptions(values, io));
  if (server.kind === 'error') return failToConnect(server.message, io);
  const { nodeHttpClient } = await import('../../node/http-client.ts');
  const { requestSelfReview } = await import('../../client/server/self-subject-review.ts');
  const http = nodeHttpClient();
  const answer = await requestSelfReview({
    peer: http.connect(server.connection),
    basePath: server.basePath,
    domain: values.string('api-domain'),
    timeoutMs: values.number('request-timeout'),
    signal: io.signal,
  })
    .catch((cause: unknown) =>
      fail(
        io,
        `Unable to connect to the server ${server.connection.origin}: ${cause instanceof Error ? cause.message : 'unknown error'}`,
      ),
    )
    .finally(() => http.close());
  return print(answer, values.string('output'), io);
};

/** Returns the error of the flags. A kubeconfig may contain the user to impersonate. */
const misuseOf = (values: FlagValues): string | undefined => {
  const extra = userExtraMisuse(values);
  if (extra !== undefined) return extra;
  return values.number('request-timeout') > 0
    ? undefined
    : '--request-timeout must be greater than 0';
};

/** Like kubectl, leaves out what client-go puts in front of all errors of a kubeconfig. */
const failToConnect = (message: string, io: Io): never =>
  message.includes('no configuration has been provided')
    ? fail(
        io,
        'no server has been specified, and there is no kubeconfig with a current context',
        'Specify a kubeconfig with --kubeconfig FILE, or a server with --server URL.',
      )
    : fail(io, message.replace(/^invalid configuration: /, ''));

const serverOptions = async (values: FlagValues, io: Io): Promise<ServerOptions> => {
  const { isatty } = await import('node:tty');
  const token = await readToken(values.string('token-file'), io);
  return {
    kubeconfig: values.string('kubeconfig'),
    overrides: overridesOf(values, token),
    variable: io.variable,
    environment: process.env,
    // With - the token comes from there.
    hasTerminal: isatty(standardInput) && values.string('token-file') !== '-',
    signal: io.signal,
  };
};

const standardInput = 0;

const readToken = async (path: string, io: Io): Promise<Secret<string> | undefined> => {
  if (path === '') return undefined;
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const text = file.text.trim();
  return text === '' ? fail(io, `${path} contains no token`) : secret(text);
};

const overridesOf = (values: FlagValues, token: Secret<string> | undefined): ContextOverrides => {
  const path = (name: string) => (values.string(name) === '' ? '' : resolve(values.string(name)));
  const extra = values.list('as-user-extra').map((text) => {
    const end = text.indexOf('=');
    return { key: text.slice(0, end), value: text.slice(end + 1) };
  });
  return {
    context: values.string('context'),
    cluster: values.string('cluster'),
    user: values.string('user'),
    server: values.string('server'),
    tlsServerName: values.string('tls-server-name'),
    insecureSkipTlsVerify: values.bool('insecure-skip-tls-verify'),
    certificateAuthority: path('certificate-authority'),
    clientCertificate: path('client-certificate'),
    clientKey: path('client-key'),
    ...(token === undefined ? {} : { token }),
    as: values.string('as'),
    asUid: values.string('as-uid'),
    asGroups: values.list('as-group'),
    asUserExtra: new Map(
      Array.from(
        Map.groupBy(extra, ({ key }) => key),
        ([key, pairs]) => [key, pairs.map(({ value }) => value)],
      ),
    ),
  };
};

const print = (answer: SelfReviewOutcome, output: string, io: Io): ExitCode => {
  for (const warning of answer.warnings) io.stderr.write(`Warning: ${toPrintable(warning)}\n`);
  if (answer.kind === 'unusable') return fail(io, answer.message);
  if (answer.kind === 'refused') {
    printError(io, answer.message);
    return exitCodes.problems;
  }
  const { review } = answer;
  if (output === 'text') io.stdout.write(table(review.user));
  else if (output === 'yaml') io.stdout.write(writeYaml(objectOf(review)));
  else io.stdout.write(`${goJson(objectOf(review))}\n`);
  return exitCodes.ok;
};

/** Returns the object in the order of the fields of kubectl's types. */
const objectOf = ({ apiVersion, creationTimestamp, user }: SelfReview): OutputMap =>
  outputMap(
    ['kind', 'SelfSubjectReview'],
    ['apiVersion', apiVersion],
    ['metadata', outputMap(['creationTimestamp', creationTimestamp])],
    [
      'status',
      outputMap([
        'userInfo',
        outputMap(
          ['username', omitEmpty(user.username)],
          ['uid', omitEmpty(user.uid)],
          ['groups', omitEmpty(user.groups)],
          ['extra', omitEmpty(sortedMap(user.extra))],
        ),
      ]),
    ],
  );

/** Go's encoder escapes the characters that have a meaning in HTML. */
const goJson = (object: OutputMap): string =>
  JSON.stringify(object, plainObject, 4).replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape);

const plainObject = (_: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

/** Returns the table of `kubectl auth whoami`, whose columns are three spaces apart. */
const table = ({ username, uid, groups, extra }: UserInfo): string => {
  const rows: readonly (readonly [string, string])[] = [
    ['ATTRIBUTE', 'VALUE'],
    ...(username === '' ? [] : [['Username', username] as const]),
    ...(uid === '' ? [] : [['UID', uid] as const]),
    ...(groups.length === 0 ? [] : [['Groups', `[${groups.join(' ')}]`] as const]),
    ...[...extra]
      .toSorted(([left], [right]) => byCodePoint(left, right))
      .map(([key, values]) => [`Extra: ${key}`, `[${values.join(' ')}]`] as const),
  ];
  const shown = rows.map(
    ([name, value]) => [escapeUnprintable(name), escapeUnprintable(value)] as const,
  );
  const width = Math.max(...shown.map(([name]) => [...name].length)) + columnGap;
  return shown
    .map(([name, value]) => `${name}${' '.repeat(width - [...name].length)}${value}\n`)
    .join('');
};

const columnGap = 3;
