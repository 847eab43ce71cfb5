/** `authgraph get-token`: a credential plugin of kubectl and client-go that logs in at an issuer. */
import { LoginError, type LoginSettings } from '../../client/login/login-settings.ts';
import { readClientRequest } from '../../client/server/exec-credential.ts';
import { reveal } from '../../model/secret.ts';
import { redacted } from '../../source/redact-secrets.ts';
import { type CommandArguments, defineCommand, fail } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { cacheDirectory, loginFlags, loginMisuse, readLoginSettings } from '../login-flags.ts';

export const getTokenCommand = defineCommand({
  name: 'get-token',
  usage: '--issuer-url URL --client-id ID [flags]',
  about:
    'Logs in at an OpenID Connect issuer and prints the token as an ExecCredential, as kubectl expects it from a credential plugin. Messages go to standard error. To let kubectl run it, see "authgraph config set-credentials --help".',
  flags: loginFlags,
  examples: [
    {
      line: 'authgraph get-token --issuer-url https://idp.example --client-id kubernetes',
      does: 'log in with the browser of this machine',
    },
    {
      line: 'authgraph get-token --issuer-url https://idp.example --client-id kubernetes --grant-type device-code',
      does: 'log in with a code on any device',
    },
    {
      line: 'authgraph get-token --issuer-url https://idp.example --client-id ci --grant-type client-credentials --client-secret-file secret',
      does: 'a token of the client itself, for a pipeline',
    },
  ],
  run: (read, io) => runGetToken(read, io),
});

const runGetToken = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const misuse = loginMisuse(read);
  if (misuse !== undefined) return read.misuse(misuse);
  const request = readClientRequest(io.variable('KUBERNETES_EXEC_INFO'));
  if (request.kind === 'error') return fail(io, request.message);
  const settings = await readLoginSettings(read, io);
  // Loaded on demand: the OpenID Connect client is needed by no other command.
  const { expirationTimestamp, getToken } = await import('../../client/login/get-token.ts');
  try {
    const tokens = await getToken(settings, cacheDirectory(read, io), {
      print: (line) => io.stderr.write(`${line}\n`),
      variable: io.variable,
      signal: io.signal,
    });
    const expiration = expirationTimestamp(tokens);
    const credential = {
      kind: 'ExecCredential',
      apiVersion: request.version,
      spec: {},
      status: {
        ...(expiration === undefined ? {} : { expirationTimestamp: expiration }),
        token: reveal(tokens.token),
      },
    };
    io.stdout.write(`${JSON.stringify(credential)}\n`);
    return exitCodes.ok;
  } catch (cause) {
    if (!(cause instanceof LoginError)) throw cause;
    return fail(io, withoutSecret(cause.message, settings), cause.help);
  }
};

/** An issuer may repeat what it received in the description of an error. */
const withoutSecret = (message: string, { clientSecret }: LoginSettings): string => {
  const text = clientSecret === undefined ? '' : reveal(clientSecret);
  return text.length < minSecretLength ? message : message.replaceAll(text, redacted);
};

/** Shorter secrets are words of messages. */
const minSecretLength = 8;
