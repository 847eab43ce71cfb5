/**
 * Connections to a single peer, with its certificate authority, server name, proxy and our client
 * certificate.
 */
import {
  checkServerIdentity,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
} from 'node:tls';
import type { Dispatcher } from 'undici';
import type { HttpConnection } from '../model/http-connection.ts';
import { maxPeerRequests } from '../model/limits.ts';
import { reveal } from '../model/secret.ts';
import { defaultConnectTimeoutMs, type HttpClientOptions, systemRoots } from './http-agents.ts';
import { legacyNameError } from './http-failures.ts';
import type { PeerMaterial } from './http-identity.ts';
import { proxyFor } from './proxy.ts';

const maxHeaderBytes = 256 * 1024;

export const createPeerAgent = async (
  connection: HttpConnection,
  material: PeerMaterial,
  options: HttpClientOptions,
): Promise<Dispatcher> => {
  // Loaded with the first request: a program without peers need not wait for it.
  const undici = await import('undici');
  const { origin, serverName, insecureSkipVerify } = connection;
  const url = new URL(origin);
  const timeout = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const tls = {
    timeout,
    allowH2: false,
    secureContext: secureContextOf(material, options),
    rejectUnauthorized: !insecureSkipVerify,
    ...(serverName === undefined || isAddress(serverName) ? {} : { servername: serverName }),
    checkServerIdentity(host: string, certificate: PeerCertificate) {
      // RFC 6125 deprecated the subject's common name; Node still falls back to it.
      if (certificate.subjectaltname === undefined) return legacyNameError();
      return checkServerIdentity(serverName ?? host, certificate);
    },
  };
  const limits = {
    // The deadline of the request covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
    // Further requests wait, and their deadlines continue to run.
    connections: maxPeerRequests,
  };
  const { readVariable = (name) => process.env[name] } = options;
  const proxy =
    connection.proxy ?? (url.protocol === 'https:' ? proxyFor(url, readVariable) : undefined);
  if (proxy !== undefined) {
    const proxyTunnel = url.protocol === 'https:';
    return new undici.ProxyAgent({
      ...limits,
      uri: proxy,
      proxyTunnel,
      requestTls: tls,
      proxyTls: { timeout },
    });
  }
  const connect = undici.buildConnector(tls);
  return new undici.Agent({
    ...limits,
    connect: (target, callback) =>
      connect(
        serverName === undefined || isAddress(serverName)
          ? target
          : { ...target, servername: serverName },
        callback,
      ),
  });
};

const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);

/**
 * Returns the TLS settings, with the client certificate if it is usable. An unusable one is not
 * sent, as in kube-apiserver, which loads it only when the peer requests it; a peer that requires a
 * certificate then refuses the connection.
 */
const secureContextOf = (
  { certificateAuthority, certificate, key }: PeerMaterial,
  { extraRoots = [] }: HttpClientOptions,
): SecureContext => {
  const trust = {
    ca: certificateAuthority ?? [...systemRoots(), ...extraRoots],
    minVersion: 'TLSv1.2' as const,
    // An intermediate or the server's own certificate may be the trust anchor, as in
    // kube-apiserver.
    allowPartialTrustChain: true,
  };
  if (certificate === undefined || key === undefined) return createSecureContext(trust);
  try {
    return createSecureContext({ ...trust, cert: certificate, key: reveal(key) });
  } catch {
    return createSecureContext(trust);
  }
};
