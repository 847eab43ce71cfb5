/**
 * Connections to issuers: one pool for each certificate authority and proxy. The one place that knows
 * what is trusted, for whom, and through what.
 */
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import type { Dispatcher } from 'undici';
import { legacyNameError } from './http-failures.ts';
import { proxyFor, type ReadVariable } from './proxy.ts';

/** How requests to issuers and webhooks leave this machine. */
export interface HttpClientOptions {
  /** PEM roots that count beside the system's: for a provider on loopback. */
  readonly extraRoots?: readonly string[];
  /** Ports on loopback that stand in for host names, as a line in a hosts file would. */
  readonly loopbackPorts?: ReadonlyMap<string, number>;
  /** Variables that name a proxy; those of the process where absent. */
  readonly readVariable?: ReadVariable;
  /** Time for name, connection and handshake together. */
  readonly connectTimeoutMs?: number;
  /** Between two looks at the files of a peer's credentials. */
  readonly fileRefreshMs?: number;
}

export interface AgentPool {
  agentOf(url: URL, certificateAuthority: string | undefined): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** Name, connection and handshake. */
export const defaultConnectTimeoutMs = 5_000;
const maxHeaderBytes = 256 * 1024;
/** Certificate authorities with open connections; as many issuers as a file may have, and the system. */
const maxAgents = 65;
/** Pools made when they are first asked for. */
export const agentPool = (options: HttpClientOptions): AgentPool => {
  const { readVariable: variable = (name) => process.env[name], loopbackPorts = new Map() } =
    options;
  const agents = new Map<string, Promise<Dispatcher>>();
  const destroy = async (agent: Promise<Dispatcher>) => (await agent).destroy();
  return {
    agentOf(url, certificateAuthority) {
      const proxy = loopbackPorts.has(url.hostname) ? undefined : proxyFor(url, variable);
      const key = JSON.stringify([certificateAuthority, proxy]);
      const agent = agents.get(key) ?? createAgent(certificateAuthority, proxy, options);
      // The one asked for last stands last; the first one is the one to part with.
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

const createAgent = async (
  certificateAuthority: string | undefined,
  proxy: string | undefined,
  options: HttpClientOptions,
): Promise<Dispatcher> => {
  // Loaded with the first request: a program that asks no issuer need not wait for it.
  const undici = await import('undici');
  const timeout = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const tls = {
    timeout,
    allowH2: false,
    secureContext: createTrustContext(certificateAuthority, options),
    checkServerIdentity(host: string, certificate: PeerCertificate) {
      // The subject's common name stopped counting with RFC 6125; Node still falls back to it.
      if (certificate.subjectaltname === undefined) return legacyNameError();
      return checkServerIdentity(host, certificate);
    },
  };
  const limits = {
    // One deadline for all lies on the request; these would only blur its words.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
    connections: 8,
  };
  if (proxy !== undefined) {
    return new undici.ProxyAgent({ ...limits, uri: proxy, requestTls: tls, proxyTls: { timeout } });
  }
  const connect = undici.buildConnector(tls);
  return new undici.Agent({
    ...limits,
    connect(target, callback) {
      const port = options.loopbackPorts?.get(target.hostname);
      if (port === undefined) return connect(target, callback);
      const servername = target.hostname;
      return connect(
        { ...target, hostname: '127.0.0.1', port: String(port), servername },
        callback,
      );
    },
  });
};

/** Made once an agent: the system's roots take 20 ms to read. */
const createTrustContext = (
  certificateAuthority: string | undefined,
  { extraRoots = [] }: HttpClientOptions,
): SecureContext =>
  createSecureContext({
    ca:
      certificateAuthority === undefined ? [...systemRoots(), ...extraRoots] : certificateAuthority,
    minVersion: 'TLSv1.2',
    // An intermediate or the server's own certificate may be the root, as with the real server.
    allowPartialTrustChain: true,
  });

/** The machine's own roots; those that come with Node where it has none. */
export const systemRoots = (): readonly string[] => {
  const roots = [...getCACertificates('system'), ...getCACertificates('extra')];
  return roots.length === 0 ? rootCertificates : roots;
};
