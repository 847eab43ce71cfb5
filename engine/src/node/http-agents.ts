/**
 * Connection pools for issuers, one per certificate authority and proxy. This file decides which
 * roots are trusted, and which proxy is used.
 */
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { legacyNameError } from './http-failures.ts';
import { proxyFor, type ReadVariable } from './proxy.ts';

/**
 * Options for outgoing connections to issuers and webhooks.
 *
 * @example
 * ```ts
 * const http: HttpClientOptions = { extraRoots: [readFileSync('issuer-ca.pem', 'utf8')] };
 * const ports = nodePorts({ http });
 * ```
 */
export interface HttpClientOptions {
  /** PEM roots that are trusted in addition to the system's: for a provider on loopback. */
  readonly extraRoots?: readonly string[];
  /**
   * Ports on loopback by host name, for hosts that are redirected there as by a line in a hosts
   * file.
   */
  readonly loopbackPorts?: ReadonlyMap<string, number>;
  /**
   * Reads the environment variables that configure a proxy; defaults to the variables of the
   * process.
   */
  readonly readVariable?: ReadVariable;
  /** Timeout for name resolution, connection and TLS handshake together. */
  readonly connectTimeoutMs?: number;
  /** Interval at which the files of a peer's credentials are read again. */
  readonly fileRefreshMs?: number;
}

export interface AgentPool {
  agentOf(url: URL, certificateAuthority: string | undefined): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** Default timeout for name resolution, connection and TLS handshake. */
const defaultConnectTimeoutMs = 5_000;
const maxHeaderBytes = 256 * 1024;
/**
 * Maximum number of connection pools: as many issuers as a file may have, and the one for the
 * system's roots.
 */
const maxAgents = 65;
/** Returns the pools, each of which is created when it is first used. */
export const agentPool = (options: HttpClientOptions): AgentPool => {
  const { readVariable, loopbackPorts = new Map() } = options;
  const agents = new Map<string, Promise<Dispatcher>>();
  const destroy = async (agent: Promise<Dispatcher>) => (await agent).destroy();
  return {
    agentOf(url, certificateAuthority) {
      const proxy = loopbackPorts.has(url.hostname) ? undefined : proxyFor(url, readVariable);
      const key = JSON.stringify([certificateAuthority, proxy]);
      const agent = agents.get(key) ?? createIssuerAgent(certificateAuthority, proxy, options);
      // The most recently used pool comes last; the first one is closed.
      agents.delete(key);
      agents.set(key, agent);
      const oldest = agents.entries().next();
      if (agents.size > maxAgents && !oldest.done) {
        agents.delete(oldest.value[0]);
        void oldest.value[1].then((idle) => idle.close());
      }
      return agent;
    },
    async close() {
      const all = [...agents.values()];
      agents.clear();
      await Promise.allSettled(all.map(destroy));
    },
  };
};

const createIssuerAgent = (
  certificateAuthority: string | undefined,
  proxy: string | undefined,
  options: HttpClientOptions,
): Promise<Dispatcher> =>
  createAgent(
    {
      secureContext: createSecureContext(trustOptions(certificateAuthority, options)),
      connections: 8,
      proxy,
      targetOf(target) {
        const port = options.loopbackPorts?.get(target.hostname);
        if (port === undefined) return target;
        const servername = target.hostname;
        return { ...target, hostname: '127.0.0.1', port: String(port), servername };
      },
    },
    options,
  );

export interface AgentSettings {
  readonly secureContext: SecureContext;
  /** Further requests wait, and their deadlines continue to run. */
  readonly connections: number;
  readonly proxy: string | undefined;
  /** If false, the proxy gets the requests instead of a tunnel. */
  readonly proxyTunnel?: boolean;
  readonly rejectUnauthorized?: boolean;
  /** The name that the certificate must be valid for, if it differs from that of the URL. */
  readonly serverName?: string | undefined;
  /** Returns the address and the server name of a connection without a proxy. */
  readonly targetOf: (target: buildConnector.Options) => buildConnector.Options;
}

export const createAgent = async (
  { secureContext, connections, proxy, proxyTunnel = true, ...settings }: AgentSettings,
  { connectTimeoutMs: timeout = defaultConnectTimeoutMs }: HttpClientOptions,
): Promise<Dispatcher> => {
  // Loaded with the first request: a program that contacts no server need not wait for it.
  const undici = await import('undici');
  const { rejectUnauthorized = true, serverName, targetOf } = settings;
  const tls = {
    timeout,
    allowH2: false,
    secureContext,
    rejectUnauthorized,
    ...(serverName === undefined || isAddress(serverName) ? {} : { servername: serverName }),
    checkServerIdentity(host: string, certificate: PeerCertificate) {
      // RFC 6125 deprecated the subject's common name; Node still falls back to it.
      if (certificate.subjectaltname === undefined) return legacyNameError();
      return checkServerIdentity(serverName ?? host, certificate);
    },
  };
  const limits = {
    // The deadline of the request covers everything; these timeouts would only produce less precise
    // messages.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
    connections,
  };
  if (proxy !== undefined) {
    const proxyTls = { timeout };
    return new undici.ProxyAgent({ ...limits, uri: proxy, proxyTunnel, requestTls: tls, proxyTls });
  }
  const connect = undici.buildConnector(tls);
  return new undici.Agent({
    ...limits,
    connect: (target, callback) => connect(targetOf(target), callback),
  });
};

/** Reports whether a server name is an IP address, which is not sent as SNI. */
export const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);

/** Returns the trust settings, once per agent, since reading the system's roots takes 20 ms. */
export const trustOptions = (
  certificateAuthority: string | undefined,
  { extraRoots = [] }: HttpClientOptions,
): SecureContextOptions => ({
  ca: certificateAuthority ?? [...systemRoots(), ...extraRoots],
  minVersion: 'TLSv1.2',
  // An intermediate or the server's own certificate may be the trust anchor, as in
  // kube-apiserver.
  allowPartialTrustChain: true,
});

/** Returns the system's roots, or those that Node ships if the system has none. */
const systemRoots = (): readonly string[] => {
  const roots = [...getCACertificates('system'), ...getCACertificates('extra')];
  return roots.length === 0 ? rootCertificates : roots;
};
