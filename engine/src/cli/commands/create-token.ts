/** `authgraph create-token NAME`: requests a service account token from a server. */

import { dataOf, memberOf, warningsOf } from '../../client/server/response-data.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import type { FlagValues } from '../../flags/flag.ts';
import { kubernetesDomain } from '../../model/api-domain.ts';
import type { HttpConnection, HttpCredential, PemSource } from '../../model/http-connection.ts';
import { reveal, type Secret, secret } from '../../model/secret.ts';
import type { HttpResponse } from '../../ports/http-client.ts';
import { escapeText, escapeUnprintable } from '../../source/unprintable.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  oneStandardInput,
  outputFlag,
  printError,
  stringFlag,
  tokenFileFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const createToken = defineCommand({
  name: 'create-token',
  usage: 'NAME --server URL [flags]',
  about:
    'Requests a service account token from a server and prints it. Works with every server that has the TokenRequest API.',
  flags: [
    {
      name: 'namespace',
      shorthand: 'n',
      group: 'Token',
      placeholder: 'NAMESPACE',
      default: 'default',
      doc: 'Namespace of the service account.',
    },
    {
      name: 'duration',
      group: 'Token',
      type: 'duration',
      default: '0s',
      doc: 'Requested lifetime of the issued token, in whole seconds. If 0, the server determines the lifetime. The server may return a token with a longer or shorter lifetime.',
    },
    {
      name: 'audience',
      group: 'Token',
      type: 'stringArray',
      placeholder: 'AUDIENCE',
      doc: 'Audience of the requested token; may be repeated. If unset, the token is for the server that issues it.',
    },
    stringFlag(
      'Token',
      'bound-object-kind',
      'KIND',
      'Kind of an object to bind the token to: Pod, Secret or Node.',
    ),
    stringFlag('Token', 'bound-object-name', 'NAME', 'Name of an object to bind the token to.'),
    stringFlag(
      'Token',
      'bound-object-uid',
      'UID',
      'UID of an object to bind the token to. If unset, the UID of the existing object is used.',
    ),
    stringFlag('Server', 'server', 'URL', 'Address of the server: https://HOST:PORT.'),
    stringFlag(
      'Server',
      'certificate-authority',
      'FILE',
      'File with the CA certificates that verify the server.',
    ),
    {
      ...tokenFileFlag,
      group: 'Server',
      doc: 'File with the bearer token of the caller; - reads standard input.',
    },
    stringFlag('Server', 'client-certificate', 'FILE', 'File with the client certificate.'),
    stringFlag(
      'Server',
      'client-key',
      'FILE',
      'File with the private key of the client certificate.',
    ),
    {
      ...outputFlag,
      choices: ['token', 'json', 'yaml'],
      doc: 'Print only the token, or the whole response.',
    },
  ],
  examples: [
    {
      line: 'authgraph create-token builder -n team --server https://localhost:6443 --certificate-authority ca.crt --token-file admin.token',
      does: 'a token for the API, valid for one hour',
    },
    {
      line: 'authgraph create-token builder -n team --duration 10m --audience vault …',
      does: 'a token for another audience, valid for ten minutes',
    },
  ],
  operands: [1, 1],
  missing: 'service account name is required',
  run: (read, io) => runCreateToken(read, io),
});

const requestTimeoutMs = 30_000;
const maxAnswerBytes = 1024 * 1024;

const runCreateToken = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const misuse = misuseOf(read.values);
  if (misuse !== undefined) {
    return read.misuse(misuse);
  }
  const connection = await connectionOf(read.values, io);
  if ('failure' in connection) return fail(io, connection.failure);
  return requestToken(read, connection, io);
};

/** Returns kubectl's error for contradictory flags, in kubectl's order. */
const misuseOf = (values: FlagValues): string | undefined => {
  const kind = values.string('bound-object-kind');
  if (values.string('namespace') === '') return '--namespace is required';
  if (values.number('duration') < 0) return '--duration must be greater than or equal to 0';
  if (values.number('duration') % 1000 !== 0) {
    return '--duration cannot be expressed in units less than seconds';
  }
  if (values.list('audience').includes('')) return '--audience must not be an empty string';
  for (const name of ['bound-object-name', 'bound-object-uid']) {
    if (kind === '' && values.string(name) !== '') {
      return `--${name} can only be set if --bound-object-kind is provided`;
    }
  }
  if (kind !== '' && !['Node', 'Pod', 'Secret'].includes(kind)) {
    return 'supported --bound-object-kind values are Node, Pod, Secret';
  }
  if (kind !== '' && values.string('bound-object-name') === '') {
    return '--bound-object-name is required if --bound-object-kind is provided';
  }
  if (values.string('server') === '') return 'specify a server: --server https://HOST:PORT';
  if ((values.string('client-certificate') === '') !== (values.string('client-key') === '')) {
    return '--client-certificate and --client-key must be used together';
  }
  const fromStdin = fileFlags.filter((name) => values.string(name) === '-');
  return fromStdin.length > 1 ? oneStandardInput : undefined;
};

const fileFlags = ['certificate-authority', 'token-file', 'client-certificate', 'client-key'];

const connectionOf = async (
  values: FlagValues,
  io: Io,
): Promise<HttpConnection | { readonly failure: string }> => {
  const origin = originOf(values.string('server'));
  if (origin === undefined) return { failure: '--server is not an https URL' };
  const files = new Map<string, Secret<string>>();
  for (const flag of fileFlags) {
    const path = values.string(flag);
    if (path === '') continue;
    const file = await io.readText(path);
    if (file.kind === 'failure') return { failure: file.reason };
    files.set(flag, secret(file.text));
  }
  const pem = (flag: string): PemSource | undefined => {
    const found = files.get(flag);
    return found && { pem: found };
  };
  const authority = pem('certificate-authority');
  const certificate = pem('client-certificate');
  const key = pem('client-key');
  const token = files.get('token-file');
  const credential: HttpCredential | undefined = token && {
    kind: 'bearer',
    token: secret(reveal(token).trim()),
  };
  return {
    origin,
    insecureSkipVerify: false,
    headers: [],
    compression: false,
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
    ...(certificate === undefined || key === undefined
      ? {}
      : { clientCertificate: { certificate, key } }),
    ...(credential === undefined ? {} : { credential }),
  };
};

const originOf = (server: string): string | undefined => {
  const url = URL.parse(server);
  return url?.protocol === 'https:' && url.pathname === '/' && url.search === ''
    ? url.origin
    : undefined;
};

const requestToken = async (
  { values, operands }: CommandArguments,
  connection: HttpConnection,
  io: Io,
): Promise<ExitCode> => {
  const output = values.string('output');
  const [namespace, name] = [values.string('namespace'), operands[0] ?? ''].map(encodeURIComponent);
  const { nodePorts } = await import('../../node/ports.ts');
  const { http } = nodePorts();
  const peer = http.connect(connection);
  const response = await peer
    .send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token${output === 'json' ? '?pretty=true' : ''}`,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Accept', value: `application/${output === 'yaml' ? 'yaml' : 'json'}` },
      ],
      body: JSON.stringify(requestOf(values)),
      timeoutMs: requestTimeoutMs,
      maxBytes: maxAnswerBytes,
      signal: io.signal,
    })
    .catch((cause: unknown) =>
      fail(io, `failed to create token: ${cause instanceof Error ? cause.message : cause}`),
    )
    .finally(async () => {
      await peer.close();
      await http.close();
    });
  return print(response, output, io);
};

/** Returns the TokenRequest, in the API group that every server has. */
const requestOf = (values: FlagValues): object => {
  const seconds = values.number('duration') / 1000;
  const kind = values.string('bound-object-kind');
  const uid = values.string('bound-object-uid');
  return {
    apiVersion: `authentication.${kubernetesDomain}/v1`,
    kind: 'TokenRequest',
    spec: {
      audiences: values.list('audience'),
      ...(seconds === 0 ? {} : { expirationSeconds: seconds }),
      ...(kind === ''
        ? {}
        : {
            boundObjectRef: {
              kind,
              apiVersion: 'v1',
              name: values.string('bound-object-name'),
              ...(uid === '' ? {} : { uid }),
            },
          }),
    },
  };
};

const print = (response: HttpResponse, output: string, io: Io): ExitCode => {
  const body = new TextDecoder().decode(response.body);
  for (const warning of warningsOf(response)) io.stderr.write(`Warning: ${toPrintable(warning)}\n`);
  if (response.status !== 201) {
    printError(io, errorMessage(response, body));
    return exitCodes.problems;
  }
  if (output !== 'token') {
    const text = escapeText(body);
    io.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return exitCodes.ok;
  }
  const token = memberOf(memberOf(dataOf(response), 'status'), 'token');
  if (typeof token !== 'string' || token === '') {
    return fail(io, 'failed to create token: no token in server response');
  }
  // Pipes receive the token without a line end.
  io.stdout.write(io.stdout.isTerminal ? `${escapeUnprintable(token)}\n` : token);
  return exitCodes.ok;
};

const errorMessage = (response: HttpResponse, body: string): string => {
  const yaml = /^message: (.*)$/m.exec(body)?.[1];
  const message = memberOf(dataOf(response), 'message') ?? yaml;
  return `failed to create token: ${typeof message === 'string' ? message : `the server returned ${response.statusText}`}`;
};
