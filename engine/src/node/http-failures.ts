/**
 * Translates errors of outgoing requests into Go's messages, as they appear in
 * kube-apiserver's log: `dial tcp 127.0.0.1:443: connect: connection refused`. The caller puts the
 * URL in front; after a redirect, the message itself starts with the URL that failed.
 */

import { STATUS_CODES } from 'node:http';
import { chainMessages } from '../certificates/chain-problem.ts';

/** The request of a redirect chain that an error belongs to. */
export interface RequestTarget {
  readonly url: string;
  readonly redirected: boolean;
  /** Name that the certificate must be valid for, if it differs from the URL's host. */
  readonly serverName?: string;
}

/** Returns the error for a request without a response; `cause` is a message or the thrown value. */
export const requestError = (target: RequestTarget, cause: unknown): Error =>
  errorFor(target, typeof cause === 'string' ? cause : reasonOf(cause, target));

/** Returns the error for a response body that could not be read. */
export const bodyError = (target: RequestTarget, cause: unknown, signal: AbortSignal): Error => {
  const reason = signal.aborted ? abortReason(signal) : bodyReason(cause);
  return errorFor(target, `unable to read response body: ${reason}`);
};

const errorFor = ({ url, redirected }: RequestTarget, reason: string): Error =>
  new Error(redirected ? `Get ${JSON.stringify(withoutPassword(url))}: ${reason}` : reason);

const abortReason = (signal: AbortSignal): string =>
  isTimeout(signal.reason)
    ? 'context deadline exceeded (Client.Timeout or context cancellation while reading body)'
    : 'context canceled';

/** The error for a certificate that only its common name would match. */
export const legacyNameError = (): Error =>
  Object.assign(
    new Error('x509: certificate relies on legacy Common Name field, use SANs instead'),
    { code: 'AUTHGRAPH_LEGACY_NAME' },
  );

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly cause: Error;
}

const reasonOf = (thrown: unknown, { url, serverName }: RequestTarget): string => {
  const failure = innermost(thrown);
  if (isTimeout(thrown)) {
    return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  }
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(failure.message)?.[1];
  if (proxyStatus !== undefined)
    return STATUS_CODES[proxyStatus] ?? `proxy answered ${proxyStatus}`;
  if (failure.cause.name === 'AbortError') return 'context canceled';
  const host = URL.parse(url)?.hostname ?? '';
  return (
    nameReason(failure.code, host) ??
    connectReason(failure, url) ??
    certificateReason(failure, serverName ?? host) ??
    exchangeReason(failure)
  );
};

/** If several addresses were tried, the error of the first one is reported. */
const innermost = (thrown: unknown): Failure => {
  const error = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  if (!(error instanceof Error)) return { code: '', message: '', cause: new Error('unknown') };
  const code = 'code' in error ? String(error.code) : '';
  return { code, message: error.message, cause: error };
};

const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === 'TimeoutError';

const nameReasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'no such host'],
  ['ENODATA', 'no such host'],
  ['EAI_AGAIN', 'server misbehaving'],
  ['EAI_FAIL', 'server misbehaving'],
]);

const nameReason = (code: string, host: string): string | undefined => {
  const reason = nameReasons.get(code);
  return reason === undefined ? undefined : `dial tcp: lookup ${host}: ${reason}`;
};

const connectReasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['EADDRNOTAVAIL', 'connect: cannot assign requested address'],
  ['ETIMEDOUT', 'connect: connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'i/o timeout'],
]);

const connectReason = ({ code, cause }: Failure, url: string): string | undefined => {
  const reason = connectReasons.get(code);
  if (reason === undefined) return undefined;
  const target = URL.parse(url);
  const address = 'address' in cause ? String(cause.address) : target?.hostname;
  const port = 'port' in cause ? String(cause.port) : target?.port || '443';
  return `dial tcp ${address?.includes(':') ? `[${address}]` : address}:${port}: ${reason}`;
};

const { outsideValidity, unknownAuthority, wrongPurpose, pathTooLong } = chainMessages;

const certificateReasons: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', outsideValidity],
  ['CERT_NOT_YET_VALID', outsideValidity],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['CERT_SIGNATURE_FAILURE', unknownAuthority],
  ['CERT_UNTRUSTED', unknownAuthority],
  ['INVALID_CA', 'x509: invalid certificate: not a certificate authority'],
  ['INVALID_PURPOSE', wrongPurpose],
  ['PATH_LENGTH_EXCEEDED', pathTooLong],
  ['AUTHGRAPH_LEGACY_NAME', legacyNameError().message],
]);

/** Node's code for every other error of OpenSSL about a certificate. */
const otherCertificateError = 'UNSPECIFIED';

const otherCertificateReasons: ReadonlyMap<string, string> = new Map([
  [
    'key usage does not include certificate signing',
    `${unknownAuthority} (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate")`,
  ],
]);

const certificateReason = (failure: Failure, host: string): string | undefined => {
  const reason =
    failure.code === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? nameMismatch(failure.cause, host.replace(/^\[|\]$/g, ''))
      : failure.code === otherCertificateError
        ? (otherCertificateReasons.get(failure.message) ?? `x509: ${failure.message}`)
        : certificateReasons.get(failure.code);
  return reason === undefined ? undefined : `tls: failed to verify certificate: ${reason}`;
};

const nameMismatch = (cause: Error, host: string): string => {
  const names = alternativeNames(cause);
  const isAddress = /^[\d.]+$|:/.test(host);
  const wanted = names.filter(([kind]) => kind === (isAddress ? 'IP Address' : 'DNS'));
  if (wanted.length > 0) {
    return `x509: certificate is valid for ${wanted.map(([, name]) => name).join(', ')}, not ${host}`;
  }
  return isAddress
    ? `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`
    : `x509: certificate is not valid for any names, but wanted to match ${host}`;
};

/** Parses `DNS:a.example, IP Address:127.0.0.1`, as Node prints it. */
const alternativeNames = (cause: Error): readonly (readonly [string, string])[] => {
  const certificate = 'cert' in cause ? cause.cert : undefined;
  if (typeof certificate !== 'object' || certificate === null) return [];
  const text = 'subjectaltname' in certificate ? certificate.subjectaltname : undefined;
  if (typeof text !== 'string') return [];
  return text.split(', ').map((name) => {
    const colon = name.indexOf(':');
    return [name.slice(0, colon), name.slice(colon + 1)] as const;
  });
};

const exchangeReason = ({ code, message, cause }: Failure): string => {
  if (code === 'ECONNRESET') {
    // Node uses the same code for a reset and for a connection that ends during the handshake.
    return message.includes('socket disconnected') ? 'EOF' : 'read: connection reset by peer';
  }
  if (code === 'EPIPE') return 'write: broken pipe';
  if (code === 'UND_ERR_SOCKET') return 'EOF';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'net/http: server response headers are too large';
  if (code === 'HPE_HEADER_OVERFLOW') return 'net/http: server response headers are too large';
  if (cause.name === 'HTTPParserError') {
    return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  }
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(`${code} ${message}`)) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) return 'tls: handshake failure';
  return code === '' ? 'the request failed' : `the request failed (${code})`;
};

const bodyReason = (thrown: unknown): string => {
  const { code, message, cause } = innermost(thrown);
  if (message.startsWith('response body is larger')) return message;
  if (code === 'Z_BUF_ERROR') return 'unexpected EOF';
  if (code.startsWith('Z_')) return 'gzip: invalid header or checksum';
  if (code === 'ECONNRESET') return 'read: connection reset by peer';
  if (cause.name === 'HTTPParserError') return 'malformed chunked encoding';
  return 'unexpected EOF';
};

const withoutPassword = (text: string): string => {
  const url = URL.parse(text);
  if (url === null || url.password === '') return text;
  url.password = '***';
  return url.href;
};
