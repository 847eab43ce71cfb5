/** The flags of a login with OpenID Connect, which `get-token` and `config set-credentials` share. */
import type {
  ClientAuthMethod,
  GrantType,
  LoginSettings,
  TokenType,
} from '../client/login/login-settings.ts';
import { redirectUriProblem } from '../client/login/loopback-listener.ts';
import type { FlagForm } from '../flags/flag-form.ts';
import { secret } from '../model/secret.ts';
import { type CommandArguments, fail, stringFlag } from './command.ts';
import type { Io } from './io.ts';

/** The environment variable with the client secret, as an alternative to a file. */
export const clientSecretVariable = 'AUTHGRAPH_CLIENT_SECRET';

const issuerGroup = 'Issuer';
const loginGroup = 'Login';

/** Flags whose values are paths. */
export const loginPathFlags: ReadonlySet<string> = new Set([
  'certificate-authority',
  'client-secret-file',
  'cache-dir',
]);

export const loginFlags: readonly FlagForm[] = [
  stringFlag(issuerGroup, 'issuer-url', 'URL', 'URL of the issuer, as in its discovery document.'),
  stringFlag(
    issuerGroup,
    'certificate-authority',
    'FILE',
    "File with the CA certificates that verify the issuer; the system's if unset.",
  ),
  stringFlag(issuerGroup, 'client-id', 'ID', 'ID of the client at the issuer.'),
  stringFlag(
    issuerGroup,
    'client-secret-file',
    'FILE',
    `File with the secret of a confidential client. Alternatively, the environment variable ${clientSecretVariable} contains it.`,
  ),
  {
    name: 'auth-method',
    group: issuerGroup,
    choices: ['', 'client_secret_basic', 'client_secret_post'],
    doc: 'How the client authenticates with its secret. If unset, a method that the issuer supports.',
  },
  {
    name: 'grant-type',
    group: loginGroup,
    choices: ['authorization-code', 'device-code', 'client-credentials'],
    doc: 'How to log in: authorization-code in a browser of this machine, device-code in a browser of any device, client-credentials as the client itself.',
  },
  {
    name: 'scope',
    group: loginGroup,
    type: 'stringArray',
    placeholder: 'SCOPE',
    doc: 'Scope to request; may be repeated. For users, openid is always requested. With offline_access, many issuers return a refresh token.',
  },
  {
    name: 'parameter',
    group: loginGroup,
    type: 'stringArray',
    placeholder: 'KEY=VALUE',
    doc: 'Further parameter of the request, such as audience, resource or login_hint; may be repeated.',
  },
  {
    name: 'token-type',
    group: loginGroup,
    choices: ['', 'id_token', 'access_token'],
    doc: 'Token to return. If unset, id_token for users and access_token for client-credentials.',
  },
  {
    name: 'redirect-uri',
    group: loginGroup,
    placeholder: 'URI',
    default: 'http://localhost:8000',
    doc: 'Address on loopback to which the issuer sends the browser back; it must be registered at the issuer. Port 0 selects a free port.',
  },
  {
    name: 'skip-open-browser',
    group: loginGroup,
    type: 'bool',
    doc: 'Only print the address of the login page.',
  },
  {
    name: 'timeout',
    group: loginGroup,
    type: 'duration',
    default: '5m',
    doc: 'How long to wait for the user to log in.',
  },
  stringFlag(
    'Cache',
    'cache-dir',
    'DIRECTORY',
    'Directory for tokens, without encryption but with mode 0600. If unset, nothing is written to disk, and each run is a new login.',
  ),
];

/** Returns the directory of `--cache-dir`; shells do not replace `~` in `--cache-dir=~/x`. */
export const cacheDirectory = (
  { values }: Pick<CommandArguments, 'values'>,
  io: Pick<Io, 'variable'>,
): string => {
  const directory = values.string('cache-dir');
  const home = io.variable('HOME') ?? '';
  return directory.startsWith('~/') && home !== '' ? `${home}${directory.slice(1)}` : directory;
};

/** Returns the error of contradictory flags, before anything is read. */
export const loginMisuse = ({ values }: Pick<CommandArguments, 'values'>): string | undefined => {
  const issuer = URL.parse(values.string('issuer-url'));
  if (values.string('issuer-url') === '') return 'specify an issuer with --issuer-url URL';
  if (issuer?.protocol !== 'https:') return '--issuer-url must be a URL that starts with https://';
  if (values.string('client-id') === '') return 'specify a client with --client-id ID';
  const redirect = redirectUriProblem(values.string('redirect-uri'));
  if (redirect !== undefined) return `--redirect-uri ${redirect}`;
  const parameter = values.list('parameter').find((text) => !/^[^=]+=/.test(text));
  if (parameter !== undefined)
    return `invalid argument ${JSON.stringify(parameter)} for "--parameter" flag: must be KEY=VALUE`;
  const reserved = parametersOf(values.list('parameter')).find(([name]) => ownParameters.has(name));
  if (reserved !== undefined) return `--parameter cannot set ${reserved[0]}`;
  const timeout = values.number('timeout');
  return timeout > 0 && timeout <= maxTimeoutMs
    ? undefined
    : '--timeout must be greater than 0 and at most 1h';
};

const maxTimeoutMs = 3_600_000;

/** Parameters that the login itself sets, and secrets, which are never arguments. */
const ownParameters: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'grant_type',
  'nonce',
  'password',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
]);

const parametersOf = (list: readonly string[]): readonly (readonly [string, string])[] =>
  list.map((text) => {
    const end = text.indexOf('=');
    return [text.slice(0, end), text.slice(end + 1)];
  });

/** Reads the files of the flags; ends the command if one cannot be read. */
export const readLoginSettings = async (
  { values }: CommandArguments,
  io: Io,
): Promise<LoginSettings> => {
  const grant = oneOf(grants, values.string('grant-type'));
  const isUser = grant !== 'client-credentials';
  const scopes = [...new Set([...(isUser ? ['openid'] : []), ...values.list('scope')])];
  return {
    issuer: values.string('issuer-url'),
    clientId: values.string('client-id'),
    clientSecret: await readClientSecret(values.string('client-secret-file'), { grant, io }),
    authMethod: oneOf(authMethods, values.string('auth-method')),
    grant,
    tokenType: oneOf(
      tokenTypes,
      values.string('token-type') || (isUser ? 'id_token' : 'access_token'),
    ),
    scopes,
    parameters: new Map(parametersOf(values.list('parameter'))),
    redirectUri: values.string('redirect-uri'),
    opensBrowser: !values.bool('skip-open-browser'),
    certificateAuthority: await readCertificateAuthority(
      values.string('certificate-authority'),
      io,
    ),
    loginTimeoutMs: values.number('timeout'),
  };
};

const grants: readonly GrantType[] = ['authorization-code', 'device-code', 'client-credentials'];
const tokenTypes: readonly TokenType[] = ['id_token', 'access_token'];
const authMethods: readonly ClientAuthMethod[] = ['', 'client_secret_basic', 'client_secret_post'];

/** The flag parser has accepted the value. */
const oneOf = <Choice extends string>(choices: readonly Choice[], text: string): Choice => {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error('unreachable: a choice that the flag does not have');
  return found;
};

const readClientSecret = async (
  path: string,
  { grant, io }: { readonly grant: GrantType; readonly io: Io },
): Promise<LoginSettings['clientSecret']> => {
  const fromVariable = io.variable(clientSecretVariable) ?? '';
  if (path === '') {
    if (fromVariable !== '') return secret(fromVariable);
    return grant === 'client-credentials'
      ? fail(
          io,
          'the grant client-credentials requires a client secret',
          `Use --client-secret-file FILE, or set ${clientSecretVariable}.`,
        )
      : undefined;
  }
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const text = file.text.trim();
  return text === '' ? fail(io, `${path} contains no client secret`) : secret(text);
};

const readCertificateAuthority = async (path: string, io: Io): Promise<string | undefined> => {
  if (path === '') return undefined;
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  return file.text.includes('-----BEGIN CERTIFICATE-----')
    ? file.text
    : fail(io, `${path} contains no PEM certificate`);
};
