/**
 * The two messages between a client and its credential plugin: what the client passes to the plugin
 * in KUBERNETES_EXEC_INFO, and the ExecCredential that the plugin prints.
 */
import { readPlainYaml } from '../../documents/yaml/plain-value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject } from '../../formats/go-struct/decode.ts';
import { mapField, stringField } from '../../formats/go-struct/fields.ts';
import { raw, string, struct } from '../../formats/go-struct/shape.ts';
import { notRegistered, readTypeMeta } from '../../formats/go-struct/type-meta.ts';
import { type Secret, secret } from '../../model/secret.ts';

/** The environment variable that contains the client's part of the ExecCredential. */
export const execInfoVariable = 'KUBERNETES_EXEC_INFO';

const execCredentialVersions = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
] as const;

/** The version of plugins that `config set-credentials` configures. */
export const [newestExecVersion] = execCredentialVersions;

export type ExecCredentialVersion = (typeof execCredentialVersions)[number];

/** Credentials of a plugin. A certificate comes with its key. */
export interface PluginCredentials {
  readonly token?: Secret<string>;
  readonly clientCertificate?: { readonly pem: string; readonly key: Secret<string> };
}

export type PluginOutput =
  | { readonly kind: 'credentials'; readonly credentials: PluginCredentials }
  /** The message is client-go's. */
  | { readonly kind: 'error'; readonly message: string };

const status = struct(
  'v1.ExecCredentialStatus',
  ['expirationTimestamp', raw],
  ['token', string],
  ['clientCertificateData', string],
  ['clientKeyData', string],
);

const execCredential = struct(
  'v1.ExecCredential',
  ['kind', string],
  ['apiVersion', string],
  ['spec', raw],
  ['status', status],
);

/** Levels of nesting in the output of a plugin. */
const maxDepth = 64;

/** Returns the version with this name; `undefined` if client-go has none. */
export const execCredentialVersion = (name: string): ExecCredentialVersion | undefined =>
  execCredentialVersions.find((version) => version === name);

/** Reads what the plugin printed; its version must be the configured one. */
export const readPluginOutput = (
  output: Uint8Array,
  version: ExecCredentialVersion,
): PluginOutput => {
  const plain = readPlainYaml(output, { depth: maxDepth });
  if (plain.kind === 'error') return error(`decoding stdout: ${plain.message}`);
  const stated = readTypeMeta(plain.value);
  if (stated.kind === 'error') return error(`decoding stdout: ${stated.message}`);
  const { apiVersion, objectKind } = stated;
  if (objectKind !== 'ExecCredential' || execCredentialVersion(apiVersion) === undefined)
    return error(`decoding stdout: ${notRegistered(objectKind, apiVersion)}`);
  if (apiVersion !== version)
    return error(
      `exec plugin is configured to use API version ${version}, plugin returned version ${apiVersion}`,
    );
  const decoded = decodeObject(plain.value, execCredential);
  if (decoded.kind === 'error') return error(`decoding stdout: ${decoded.message}`);
  if (!decoded.fields.has('status')) return error("exec plugin didn't return a status field");
  const fields = mapField(decoded.fields, 'status');
  const token = stringField(fields, 'token');
  const pem = stringField(fields, 'clientCertificateData');
  const key = stringField(fields, 'clientKeyData');
  if (token === '' && pem === '' && key === '')
    return error("exec plugin didn't return a token or cert/key pair");
  if ((pem === '') !== (key === ''))
    return error('exec plugin returned only certificate or key, not both');
  return {
    kind: 'credentials',
    credentials: {
      ...(token === '' ? {} : { token: secret(token) }),
      ...(pem === '' ? {} : { clientCertificate: { pem, key: secret(key) } }),
    },
  };
};

const error = (message: string): PluginOutput => ({ kind: 'error', message });

export type ClientRequest =
  | { readonly kind: 'request'; readonly version: ExecCredentialVersion }
  | { readonly kind: 'error'; readonly message: string };

/**
 * Reads the version that a client requests from a plugin; version v1 if the program was not started by
 * a client.
 */
export const readClientRequest = (info: string | undefined): ClientRequest => {
  if (info === undefined || info === '') return { kind: 'request', version: newestExecVersion };
  const plain = readPlainYaml(new TextEncoder().encode(info), { depth: maxDepth });
  const stated = plain.kind === 'error' ? plain : readTypeMeta(plain.value);
  if (stated.kind === 'error') return invalidRequest(stated.message);
  const version = execCredentialVersion(stated.apiVersion);
  if (stated.objectKind === 'ExecCredential' && version !== undefined)
    return { kind: 'request', version };
  return invalidRequest(
    `apiVersion is ${goQuote(stated.apiVersion)} and kind is ${goQuote(stated.objectKind)}; supported are ${execCredentialVersions.join(' and ')} of kind ExecCredential`,
  );
};

const invalidRequest = (reason: string): ClientRequest => ({
  kind: 'error',
  message: `${execInfoVariable}: ${reason}`,
});
