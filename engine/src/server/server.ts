/**
 * The HTTPS server. It serves requests with the current authenticator generation, which it reads
 * from the holder, so a reload does not involve the listener.
 */
import { readPeerChain } from '../certificates/peer-chain.ts';
import type { PeerCertificates } from '../model/request.ts';
import type { Log } from '../ports/log.ts';
import { createRequestServices, type ServerState } from './create-request-services.ts';
import { issuerDocuments } from './endpoints/issuer-documents.ts';
import { serverFairness, type WaitingLimits } from './fairness/fairness.ts';
import { fairnessLimits } from './limits.ts';
import { type CutOff, listen, type OpenRequests } from './listener.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { processBudget } from './memory/process-budget.ts';
import { ServerMemory } from './memory/server-memory.ts';
import type { TokenIssuing } from './objects/token-issuing.ts';
import { authenticationErrorLog } from './requests/authentication-error-log.ts';
import { requestHandler } from './requests/handle-request.ts';
import type { ServerSettings } from './server-settings.ts';
import { createSelfSigned, type SelfSignedCertificate } from './tls/self-signed.ts';
import { readCertificatePair, watchCertificatePair } from './tls/serving-certificate.ts';
import { traceRequests } from './tracing/trace-requests.ts';
import { onlyProcess, partOf, type WorkerPlace } from './workers/divide-limits.ts';

/**
 * A server that accepts requests.
 *
 * @example
 * ```ts
 * const stop = (server: RunningServer) => server.close(10_000);
 * ```
 */
export interface RunningServer {
  /** Example: `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** The root certificate to trust if the serving certificate is self-signed. */
  readonly authorityPem: string | undefined;
  /**
   * Reads the serving certificate and the certificate authorities again, as their file watches do.
   */
  checkFiles(): Promise<void>;
  /** Stops accepting requests, completes the open ones and ends. Further calls have no effect. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts to listen. Rejects with an `Error` if certificate files are unusable or the port is in
 * use.
 *
 * @example
 * ```ts
 * const server = await startServer({
 *   options: defaultServeOptions(),
 *   holder: start.serving.holder,
 *   ports: nodePorts(),
 * });
 * console.log(server.url);
 * ```
 */
export const startServer = async (settings: ServerSettings): Promise<RunningServer> => {
  const { options, ports, authorities, issuing } = settings;
  const serving = await servingCertificate(settings);
  const budget = settings.budget ?? processBudget();
  const state: ServerState = { isClosing: false, serverAddress: '' };
  const authenticationErrors = authenticationErrorLog(ports);
  const { place = onlyProcess } = settings;
  const fairness = serverFairness(options, {
    clock: ports.clock,
    waiting: settings.waitingLimits ?? waitingLimits(budget, place),
    place,
  });
  const services = createRequestServices(settings, {
    state,
    budget,
    authenticationErrors,
    fairness,
  });
  if (options.http2 === 'disabled') ports.log.event('info', 'Forcing use of http/1.1 only');
  const { tracing } = settings;
  const answer = requestHandler(services);
  const handle = tracing === undefined ? answer : traceRequests(answer, tracing);
  const listener = await listen({
    address: options.bindAddress,
    port: options.securePort,
    reservedPort: settings.reservedPort,
    certificate: serving.pair,
    http2: options.http2,
    ...(authorities === undefined ? {} : { clientAuthorities: authorities.pems() }),
    canParseCertificates,
    handle,
    memory: new ServerMemory({
      budget,
      onEvicted: (share) =>
        ports.metrics.increment('authgraph_connections_evicted_total', { share }),
    }),
    reportError: (error) => ports.log.event('error', 'connection failed', { error }),
  });
  const stopReporting = fairness.inFlight.report(ports.metrics, ports.clock);
  authorities?.onChange(() => listener.useClientAuthorities(authorities.pems()));
  const { address, port } = listener.address;
  const host = address.includes(':') ? `[${address}]` : address;
  state.serverAddress = `${host}:${port}`;
  if (issuing !== undefined) publishIssuer(state, issuing, ports.log);
  const watch =
    serving.files === undefined
      ? undefined
      : watchCertificatePair(serving.files, serving.pair, {
          use: (pair) => listener.useCertificate(pair),
          log: ports.log,
        });
  return {
    url: `https://${host}:${port}`,
    address,
    port,
    authorityPem: serving.authorityPem,
    async checkFiles() {
      await Promise.all([watch?.look(), authorities?.checkNow()]);
    },
    async close(graceMs) {
      if (state.isClosing) return;
      state.isClosing = true;
      stopReporting();
      const report = reportShutdown(ports, { ...listener.openRequests(), graceMs });
      const [cutOff] = await Promise.all([listener.close(graceMs), watch?.close()]);
      authenticationErrors.close();
      report(cutOff);
    },
  };
};

/** Logs the beginning of a shutdown; returns a function that logs its end. */
const reportShutdown = (
  { log, clock }: Pick<ServerSettings['ports'], 'log' | 'clock'>,
  { graceMs, ...open }: OpenRequests & { readonly graceMs: number },
) => {
  const started = clock.monotonic();
  log.event('info', 'shutting down', { ...open, graceSeconds: graceMs / 1000 });
  return (cutOff: CutOff): void => {
    const seconds = Number(((clock.monotonic() - started) / 1000).toFixed(3));
    const { requests: requestsCutOff, connections: connectionsCutOff } = cutOff;
    const level = requestsCutOff > 0 ? 'warn' : 'info';
    log.event(level, 'shut down', { seconds, requestsCutOff, connectionsCutOff });
  };
};

/** Reduces the limits of waiting requests to what the memory budget allows. */
const waitingLimits = ({ waitingRequests }: MemoryBudget, place: WorkerPlace): WaitingLimits => {
  const atMost = (limit: number): number => Math.min(partOf(limit, place), waitingRequests);
  return {
    waitingForAuthentication: atMost(fairnessLimits.waitingForAuthentication),
    waitingForBody: atMost(fairnessLimits.waitingForBody),
    waitingForReview: atMost(fairnessLimits.waitingForReview),
  };
};

/**
 * Publishes the discovery documents of the service account issuer. An invalid issuer does not
 * prevent the start, as in kube-apiserver.
 */
const publishIssuer = (state: ServerState, { settings, keys }: TokenIssuing, log: Log): void => {
  const outcome = issuerDocuments({
    issuer: settings.issuers[0] ?? '',
    jwksUri: settings.jwksUri,
    address: state.serverAddress,
    keys: keys.all,
  });
  if (outcome.kind === 'documents') state.issuerDocuments = outcome.documents;
  else log.event('warn', 'the service account issuer is not published', { reason: outcome.reason });
};

/**
 * Reports whether a client chain can be parsed. A chain that only exceeds our limits is accepted
 * here and rejected later with a reason.
 */
const canParseCertificates = (certificates: PeerCertificates): boolean => {
  const chain = readPeerChain(certificates);
  return chain.kind === 'read' || chain.cause === 'limit';
};

/** Creates the certificate of a server without certificate files. */
export const selfSignedFor = (
  { bindAddress }: Pick<ServerSettings['options'], 'bindAddress'>,
  now: number,
): SelfSignedCertificate =>
  createSelfSigned({ hosts: [...new Set(['localhost', '127.0.0.1', bindAddress])], now });

const servingCertificate = async ({ options, ports, certificate }: ServerSettings) => {
  if (certificate !== undefined) {
    return { pair: certificate, files: undefined, authorityPem: undefined };
  }
  const { tlsCertFile, tlsPrivateKeyFile } = options;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    const selfSigned = selfSignedFor(options, ports.clock.now());
    return { pair: selfSigned, files: undefined, authorityPem: selfSigned.authorityPem };
  }
  const files = { certificateFile: tlsCertFile, privateKeyFile: tlsPrivateKeyFile };
  const reading = await readCertificatePair(files);
  if (reading.kind === 'error') throw new Error(reading.message);
  return { pair: reading.pair, files, authorityPem: undefined };
};
