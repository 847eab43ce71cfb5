/**
 * Converts a validated kubeconfig context to a connection. As in client-go, credentials and
 * certificates apply to HTTPS only; credential plugins are not supported.
 */

import { decodeGoBase64 } from '../../formats/base64.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { Fields } from '../../formats/go-struct/decode.ts';
import { mapField, stringField, stringListField } from '../../formats/go-struct/fields.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { certificateBundleProblem } from '../../formats/x509/certificate.ts';
import { pemBlocks } from '../../formats/x509/pem.ts';
import type {
  HttpConnection,
  HttpCredential,
  HttpHeader,
  PemSource,
} from '../../model/http-connection.ts';
import { secret } from '../../model/secret.ts';
import type { FileLookup, KubeconfigContext } from './context.ts';
import { parseServerAddress } from './server-address.ts';

export type ConnectionReading =
  | {
      readonly kind: 'connection';
      readonly connection: HttpConnection;
      /** The path prefix of requests: `/authenticate`, for example; escaped, and at least `/`. */
      readonly path: string;
      /** The origin as it is shown in messages, without its password. */
      readonly shownOrigin: string;
    }
  | { readonly kind: 'error'; readonly message: string };

/** Returns the error of the token file, which client-go reads before anything else. */
export const tokenFileProblem = (
  { cluster, user }: KubeconfigContext,
  files: FileLookup,
): string | undefined => {
  const address = parseServerAddress(stringField(cluster, 'server'));
  const file = stringField(user, 'tokenFile');
  if (address.kind === 'error' || address.scheme !== 'https') return undefined;
  if (file === '' || stringField(user, 'token') !== '') return undefined;
  const contents = files(file);
  return contents.kind === 'unreadable' ? contents.reason : undefined;
};

export const connectionOf = (context: KubeconfigContext, files: FileLookup): ConnectionReading => {
  const { cluster, user } = context;
  const address = parseServerAddress(stringField(cluster, 'server'));
  if (address.kind === 'error') return address;
  const secure = address.scheme === 'https';
  const problem = secure
    ? (pluginError(context) ??
      trustProblem(cluster, files) ??
      certificateProblem(user) ??
      credentialProblem(user, files))
    : undefined;
  if (problem !== undefined) return { kind: 'error', message: problem };
  const { origin, path, userInfo } = address;
  const proxy = stringField(cluster, 'proxy-url');
  return {
    kind: 'connection',
    path,
    shownOrigin: origin.replace('//', `//${shownUser(userInfo)}`),
    connection: {
      origin,
      headers: impersonationHeaders(user),
      compression: cluster.get('disable-compression') !== true,
      ...(proxy === '' ? {} : { proxy }),
      ...(userInfo === '' ? {} : { credential: credentialOfAddress(userInfo) }),
      ...(secure ? identityOf(context, files) : { insecureSkipVerify: false }),
    },
  };
};

const shownUser = (userInfo: string): string => {
  if (userInfo === '') return '';
  const [user = '', password] = userInfo.split(':', 2);
  return password === undefined ? `${user}@` : `${user}:***@`;
};

/**
 * Returns the credential of an address with a user, which applies if there is no other credential.
 */
const credentialOfAddress = (userInfo: string): HttpCredential => {
  const colon = userInfo.indexOf(':');
  const [user, password] =
    colon === -1 ? [userInfo, ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
  return {
    kind: 'basic',
    username: unescaped(user),
    password: secret(unescaped(password)),
  };
};

/** Decodes percent escapes; invalid ones were rejected with the address. */
const unescaped = (text: string): string =>
  decodeUtf8Loosely(
    Uint8Array.from(
      text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      ),
      (letter) => letter.charCodeAt(0),
    ),
  );

const pluginError = ({ user, userName }: KubeconfigContext): string | undefined => {
  const advice = 'use a token, a tokenFile or a client certificate instead';
  if (user.has('exec'))
    return `user ${goQuote(userName)}: exec plugins are not supported; ${advice}`;
  if (user.has('auth-provider')) {
    return `user ${goQuote(userName)}: auth providers are not supported; ${advice}`;
  }
  return undefined;
};

const trustProblem = (cluster: Fields, files: FileLookup): string | undefined => {
  const authority = pemSource(cluster, 'certificate-authority', files);
  if (authority === undefined) return undefined;
  if (cluster.get('insecure-skip-tls-verify') === true) {
    return 'specifying a root certificates file with the insecure flag is not allowed';
  }
  const problem = bundleProblem(authority.text);
  return problem === undefined ? undefined : `unable to load root certificates: ${problem}`;
};

/** Returns the first error of a bundle without a single readable certificate. */
const bundleProblem = (text: string): string | undefined => {
  const blocks = pemBlocks(text);
  const certificates = blocks.filter(
    ({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders,
  );
  if (certificates.length === 0) {
    return blocks.length === 0 || text.trimEnd() !== text.trim()
      ? 'unable to parse bytes as PEM block'
      : 'no valid certificate authority data seen';
  }
  return certificateBundleProblem(text) === undefined ? undefined : 'failed to parse certificate';
};

/** Checks inline data only; files are checked when a server requests the certificate. */
const certificateProblem = (user: Fields): string | undefined => {
  const certificate = bytesOf(user, 'client-certificate-data');
  const key = bytesOf(user, 'client-key-data');
  if (certificate !== undefined && pemBlocks(certificate).length === 0) {
    return 'tls: failed to find any PEM data in certificate input';
  }
  const hasCertificate =
    certificate !== undefined || stringField(user, 'client-certificate') !== '';
  if (hasCertificate && key !== undefined && pemBlocks(key).length === 0) {
    return 'tls: failed to find any PEM data in key input';
  }
  return undefined;
};

const credentialProblem = (user: Fields, files: FileLookup): string | undefined => {
  const hasBearer = stringField(user, 'token') !== '' || stringField(user, 'tokenFile') !== '';
  const hasBasic = stringField(user, 'username') !== '';
  if (hasBearer && hasBasic) return 'username/password or bearer token may be set, but not both';
  const file = stringField(user, 'tokenFile');
  const contents = file === '' || stringField(user, 'token') !== '' ? undefined : files(file);
  return contents?.kind === 'read' && contents.bytes.length === 0
    ? `read empty token from file ${goQuote(file)}`
    : undefined;
};

const identityOf = (
  { cluster, user }: KubeconfigContext,
  files: FileLookup,
): Pick<
  HttpConnection,
  'certificateAuthority' | 'clientCertificate' | 'credential' | 'insecureSkipVerify' | 'serverName'
> => {
  const authority = pemSource(cluster, 'certificate-authority', files);
  const certificate = pemSource(user, 'client-certificate', files);
  const key = pemSource(user, 'client-key', files);
  const credential = credentialOf(user, files);
  const serverName = stringField(cluster, 'tls-server-name');
  // Only a pair of files is read again: if one of the two is inline, a new file would not match it.
  const toPemSource =
    certificate?.file === undefined || key?.file === undefined ? withoutFile : withFile;
  return {
    insecureSkipVerify: cluster.get('insecure-skip-tls-verify') === true,
    ...(authority === undefined ? {} : { certificateAuthority: withFile(authority) }),
    ...(certificate === undefined || key === undefined
      ? {}
      : { clientCertificate: { certificate: toPemSource(certificate), key: toPemSource(key) } }),
    ...(credential === undefined ? {} : { credential }),
    ...(serverName === '' ? {} : { serverName }),
  };
};

interface PemData {
  readonly text: string;
  readonly file?: string;
}

const withFile = ({ text, file }: PemData): PemSource => ({
  pem: secret(text),
  ...(file === undefined ? {} : { file }),
});

const withoutFile = ({ text }: PemData): PemSource => ({ pem: secret(text) });

/** Returns the inline data if there is any, otherwise the content of the file. */
export const pemSource = (fields: Fields, name: string, files: FileLookup): PemData | undefined => {
  const data = bytesOf(fields, `${name}-data`);
  if (data !== undefined) return { text: data };
  const file = stringField(fields, name);
  if (file === '') return undefined;
  const contents = files(file);
  return contents.kind === 'unreadable'
    ? { text: '', file }
    : { text: decodeUtf8Loosely(contents.bytes), file };
};

/** Returns a bytes field as text; `undefined` if it is absent or empty. */
const bytesOf = (fields: Fields, name: string): string | undefined => {
  const data = decodeGoBase64(stringField(fields, name), {
    alphabet: 'standard',
    padding: 'required',
  });
  return data.kind === 'bytes' && data.bytes.length > 0 ? decodeUtf8Loosely(data.bytes) : undefined;
};

/**
 * Returns the bearer token or the basic credential. A readable token file takes precedence over a
 * token.
 */
const credentialOf = (user: Fields, files: FileLookup): HttpCredential | undefined => {
  const token = stringField(user, 'token');
  const file = stringField(user, 'tokenFile');
  if (file !== '') {
    const contents = files(file);
    const read = contents.kind === 'read' ? decodeUtf8Loosely(contents.bytes).trim() : '';
    return { kind: 'bearer', token: secret(read === '' ? token : read), file };
  }
  if (token !== '') return { kind: 'bearer', token: secret(token) };
  const username = stringField(user, 'username');
  if (username === '') return undefined;
  return { kind: 'basic', username, password: secret(stringField(user, 'password')) };
};

const impersonationHeaders = (user: Fields): readonly HttpHeader[] => {
  const name = stringField(user, 'as');
  if (name === '') return [];
  const uid = stringField(user, 'as-uid');
  const extra = mapField(user, 'as-user-extra');
  return [
    { name: 'Impersonate-User', value: name },
    ...(uid === '' ? [] : [{ name: 'Impersonate-Uid', value: uid }]),
    ...stringListField(user, 'as-groups').map((value) => ({ name: 'Impersonate-Group', value })),
    ...[...extra.keys()].flatMap((key) =>
      stringListField(extra, key).map((value) => ({
        name: `Impersonate-Extra-${escapeKey(key)}`,
        value,
      })),
    ),
  ];
};

/** Percent-encodes the characters that a header name cannot contain, and the percent sign. */
const escapeKey = (key: string): string =>
  Array.from(new TextEncoder().encode(key), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(letter)
      ? letter
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
