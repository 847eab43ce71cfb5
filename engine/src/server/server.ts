/**
 * The HTTPS server. It serves requests with the current authenticator generation, which it reads
 * from the holder, so a reload does not involve the listener.
 */
import type { HeaderNames } from '../authenticators/authenticating-proxy/index.ts';
import {
  accountTokenRules,
  uidMismatchRule,
} from '../authenticators/service-account-token/index.ts';
import { readPeerChain } from '../certificates/peer-chain.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import { constrainedImpersonationGate, unauthenticatedHttp2Gate } from '../model/feature-gates.ts';
import type { PeerCertificates } from '../model/request.ts';
import type { Log } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import { bootstrapView } from '../rbac/bootstrap-roles.ts';
import { checkEscalation } from '../rbac/escalation.ts';
import { rolePolicy } from '../rbac/role-policy.ts';
import { impersonator } from '../runtime/impersonate.ts';
import { listSnapshots } from './api/list-snapshots.ts';
import { watchSlots } from './api/watch-slots.ts';
import type { GenerationHolder } from './configuration/authenticator-generation.ts';
import type { HealthCheck } from './endpoints/health.ts';
import { type IssuerDocuments, issuerDocuments } from './endpoints/issuer-documents.ts';
import type { HealthList } from './endpoints/route.ts';
import { serverFairness, type WaitingLimits } from './fairness/fairness.ts';
import type { ServeOptions } from './flags/options.ts';
import { fairnessLimits, watchLimits } from './limits.ts';
import { listen } from './listener.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { processBudget } from './memory/process-budget.ts';
import { ServerMemory } from './memory/server-memory.ts';
import type { ClientAuthorities } from './modules/client-authorities.ts';
import type { ObjectServices } from './objects/object-services.ts';
import type { TokenIssuing } from './objects/token-issuing.ts';
import { authenticationErrorLog } from './requests/authentication-error-log.ts';
import { serveAuthorizer } from './requests/authorize.ts';
import { requestHandler } from './requests/handle-request.ts';
import { createSelfSigned } from './tls/self-signed.ts';
import {
  type CertificatePair,
  readCertificatePair,
  watchCertificatePair,
} from './tls/serving-certificate.ts';

export interface ServerSettings {
  readonly options: ServeOptions;
  readonly holder: GenerationHolder;
  readonly ports: Pick<Ports, 'clock' | 'digest' | 'log' | 'metrics' | 'randomness'>;
  /**
   * The stored objects and their roles. If absent, no objects are served and only the bootstrap
   * roles apply.
   */
  readonly objectServices?: ObjectServices | undefined;
  /** Absent if service account tokens are not configured. */
  readonly issuing?: TokenIssuing | undefined;
  /**
   * Certificate authorities announced to clients in the TLS handshake. If absent, no client
   * certificate is requested.
   */
  readonly authorities?: ClientAuthorities | undefined;
  /** The headers of the authenticating proxy, which are removed after authentication. */
  readonly proxyHeaders?: HeaderNames | undefined;
  /** The destination of the decision log; absent if there is none. */
  readonly decisionLog?: Log;
  /** A serving certificate that replaces the files and the self-signed certificate. */
  readonly certificate?: CertificatePair;
  /** The content of `/metrics`; empty if absent. */
  readonly metricsText?: { text(): Promise<string>; readonly contentType: string };
  readonly productVersion?: string;
  /**
   * `false` for a server without kube-apiserver's loopback authenticator, which comes before the
   * modules.
   */
  readonly checksLoopbackTokens?: false;
  /** Replaces the default limits of waiting requests. */
  readonly waitingLimits?: WaitingLimits;
  /** The memory that clients may occupy; derived from the limits of the process if absent. */
  readonly budget?: MemoryBudget;
}

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
 */
export const startServer = async (settings: ServerSettings): Promise<RunningServer> => {
  const { options, ports, holder, authorities, objectServices, issuing } = settings;
  const serving = await servingCertificate(settings);
  const budget = settings.budget ?? processBudget();
  const state: ServerState = { closing: false, serverAddress: '' };
  const domain = options.apiDomain ?? kubernetesDomain;
  const constrained = options.featureGates.get(constrainedImpersonationGate) ?? false;
  const policy = objectServices?.policy ?? rolePolicy([bootstrapView(domain)], { domain });
  const authorizer = serveAuthorizer(policy, options.tokenReviewOpen);
  const authenticationErrors = authenticationErrorLog(ports);
  const fairness = serverFairness(options, {
    clock: ports.clock,
    waiting: settings.waitingLimits ?? waitingLimits(budget),
  });
  const handle = requestHandler({
    holder,
    authorizer,
    apiAudiences: options.apiAudiences,
    proxyHeaders: settings.proxyHeaders,
    webhook: options.webhook && { ...options.webhook, clock: ports.clock },
    impersonation: {
      impersonate: impersonator({ ...ports, authorizer, constrained, domain }),
      constrained,
      domain,
    },
    clock: ports.clock,
    randomness: ports.randomness,
    log: ports.log,
    authenticationErrors,
    decisionLog: settings.decisionLog,
    decisionFields: { groups: options.decisionLogGroups, extra: options.decisionLogExtra },
    metrics: ports.metrics,
    endsUnauthenticated: options.featureGates.get(unauthenticatedHttp2Gate) ?? true,
    checksLoopbackTokens: settings.checksLoopbackTokens ?? true,
    fairness,
    goawayChance: options.goawayChance,
    get serverAddress() {
      return state.serverAddress;
    },
    version: {
      release: options.targetRelease,
      productVersion: settings.productVersion ?? '0.0.0',
      nodeVersion: process.versions.node,
      platform: `${process.platform}/${process.arch}`,
    },
    betaReviews: options.betaReviews,
    objects: objectServices && {
      store: objectServices.store,
      clock: ports.clock,
      randomness: ports.randomness,
      authorizer,
      grantProblem: (attempt) =>
        checkEscalation(attempt, { policy, authorizer, store: objectServices.store }),
      snapshots: listSnapshots(ports.clock, budget.snapshotBytes),
      watches: watchSlots(Math.min(watchLimits.open, budget.watches)),
    },
    tokenRequests: issuing && {
      domain,
      issuer: issuing.settings.issuers[0] ?? '',
      maxExpirationSeconds: issuing.settings.maxExpirationSeconds,
      extendExpiration: issuing.settings.extendExpiration,
      rules: accountTokenRules(options.featureGates),
      uidMismatch: uidMismatchRule(options.featureGates, options.targetRelease),
      signer: issuing.signer,
    },
    get issuerDocuments() {
      return state.issuerDocuments;
    },
    healthChecks: (list) => healthChecks(list, holder, { ...state, objectServices }),
    metricsText: async () => ({
      contentType: settings.metricsText?.contentType ?? 'text/plain; version=0.0.4; charset=utf-8',
      text: (await settings.metricsText?.text()) ?? '',
    }),
  });
  if (options.http2 === 'disabled') ports.log.event('info', 'Forcing use of http/1.1 only');
  const listener = await listen({
    address: options.bindAddress,
    port: options.securePort,
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
      state.closing = true;
      stopReporting();
      await Promise.all([listener.close(graceMs), watch?.close()]);
      authenticationErrors.close();
    },
  };
};

/** Reduces the limits of waiting requests to what the memory budget allows. */
const waitingLimits = ({ waitingRequests }: MemoryBudget): WaitingLimits => ({
  waitingForAuthentication: Math.min(fairnessLimits.waitingForAuthentication, waitingRequests),
  waitingForBody: Math.min(fairnessLimits.waitingForBody, waitingRequests),
  waitingForReview: Math.min(fairnessLimits.waitingForReview, waitingRequests),
});

interface ServerState {
  closing: boolean;
  serverAddress: string;
  /** Created once the address is known. */
  issuerDocuments?: IssuerDocuments;
}

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

const servingCertificate = async ({ options, ports, certificate }: ServerSettings) => {
  if (certificate !== undefined) {
    return { pair: certificate, files: undefined, authorityPem: undefined };
  }
  const { tlsCertFile, tlsPrivateKeyFile } = options;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    const hosts = [...new Set(['localhost', '127.0.0.1', options.bindAddress])];
    const selfSigned = createSelfSigned({ hosts, now: ports.clock.now() });
    return { pair: selfSigned, files: undefined, authorityPem: selfSigned.authorityPem };
  }
  const files = { certificateFile: tlsCertFile, privateKeyFile: tlsPrivateKeyFile };
  const reading = await readCertificatePair(files);
  if (reading.kind === 'error') throw new Error(reading.message);
  return { pair: reading.pair, files, authorityPem: undefined };
};

/**
 * The health checks of an endpoint. `/livez` only pings; `/readyz` also requires one discovery
 * attempt for every issuer, and fails during shutdown.
 */
const healthChecks = (
  list: HealthList,
  holder: GenerationHolder,
  state: { readonly closing: boolean; readonly objectServices: ObjectServices | undefined },
): readonly HealthCheck[] => {
  const ping: HealthCheck = { name: 'ping', problem: () => undefined };
  if (list === 'livez') return [ping];
  const { generation, release } = holder.acquire();
  const issuers = generation.readinessChecks().map(
    ({ name, ready, reason }): HealthCheck => ({
      name,
      problem: () => (ready ? undefined : reason),
    }),
  );
  release();
  const objects = state.objectServices === undefined ? [] : objectChecks(state.objectServices);
  if (list === 'healthz') return [ping, ...issuers];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    problem: () => (state.closing ? 'process is shutting down' : undefined),
  };
  return [ping, ...issuers, ...objects, shutdown];
};

/** The health checks of the stored objects, under kube-apiserver's names. */
const objectChecks = ({ view, hasBootstrapRoles }: ObjectServices): readonly HealthCheck[] => [
  {
    name: 'informer-sync',
    problem() {
      const { ready, reason } = view.readiness();
      return ready ? undefined : reason;
    },
  },
  {
    name: 'poststarthook/rbac/bootstrap-roles',
    problem: () => (hasBootstrapRoles() ? undefined : 'not finished'),
  },
];
