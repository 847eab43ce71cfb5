/**
 * Connections to a single peer, with its certificate authority, server name, proxy and our client
 * certificate.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { HttpConnection } from '../model/http-connection.ts';
import { maxPeerRequests } from '../model/limits.ts';
import { reveal } from '../model/secret.ts';
import { createAgent, type HttpClientOptions, isAddress, trustOptions } from './http-agents.ts';
import type { PeerMaterial } from './http-identity.ts';
import { proxyFor } from './proxy.ts';

export const createPeerAgent = async (
  connection: HttpConnection,
  material: PeerMaterial,
  options: HttpClientOptions,
): Promise<Dispatcher> => {
  const { origin, serverName, insecureSkipVerify } = connection;
  const url = new URL(origin);
  const isHttps = url.protocol === 'https:';
  return createAgent(
    {
      secureContext: secureContextOf(material, options),
      connections: maxPeerRequests,
      proxy: connection.proxy ?? (isHttps ? proxyFor(url, options.readVariable) : undefined),
      proxyTunnel: isHttps,
      rejectUnauthorized: !insecureSkipVerify,
      serverName,
      targetOf: (target) =>
        serverName === undefined || isAddress(serverName)
          ? target
          : { ...target, servername: serverName },
    },
    options,
  );
};

/**
 * Returns the TLS settings, with the client certificate if it is usable. An unusable one is not
 * sent, as in kube-apiserver, which loads it only when the peer requests it; a peer that requires a
 * certificate then refuses the connection.
 */
const secureContextOf = (
  { certificateAuthority, certificate, key }: PeerMaterial,
  options: HttpClientOptions,
): SecureContext => {
  const trust = trustOptions(certificateAuthority, options);
  if (certificate === undefined || key === undefined) return createSecureContext(trust);
  try {
    return createSecureContext({ ...trust, cert: certificate, key: reveal(key) });
  } catch {
    return createSecureContext(trust);
  }
};
