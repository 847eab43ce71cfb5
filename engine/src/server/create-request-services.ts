/** Creates what the requests of a server share. */
import {
  accountTokenRules,
  uidMismatchRule,
} from '../authenticators/service-account-token/token-rules.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import { constrainedImpersonationGate, unauthenticatedHttp2Gate } from '../model/feature-gates.ts';
import { productVersion } from '../model/product-version.ts';
import { bootstrapView } from '../rbac/bootstrap-roles.ts';
import { checkEscalation } from '../rbac/escalation.ts';
import { rolePolicy } from '../rbac/role-policy.ts';
import { impersonator } from '../runtime/impersonate.ts';
import { listSnapshots } from './api/list-snapshots.ts';
import { watchSlots } from './api/watch-slots.ts';
import type { IssuerDocuments } from './endpoints/issuer-documents.ts';
import { healthChecks } from './health-checks.ts';
import { watchLimits } from './limits.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { serveAuthorizer } from './requests/authorize.ts';
import type { RequestServices } from './requests/request-services.ts';
import type { ServerSettings } from './server-settings.ts';
import { traceAuthorizer, traceGenerations, traceImpersonator } from './tracing/trace-requests.ts';
import { onlyProcess, partOf } from './workers/divide-limits.ts';

/** What changes while a server runs. */
export interface ServerState {
  isClosing: boolean;
  serverAddress: string;
  /** Created once the address is known. */
  issuerDocuments?: IssuerDocuments;
}

interface ServerParts extends Pick<RequestServices, 'authenticationErrors' | 'fairness'> {
  readonly state: ServerState;
  readonly budget: MemoryBudget;
}

export const createRequestServices = (
  settings: ServerSettings,
  { state, budget, authenticationErrors, fairness }: ServerParts,
): RequestServices => {
  const { options, ports, objectServices, metricsText, tracing, place = onlyProcess } = settings;
  const holder = tracing ? traceGenerations(settings.holder, tracing) : settings.holder;
  const domain = options.apiDomain ?? kubernetesDomain;
  const constrained = options.featureGates.get(constrainedImpersonationGate) ?? false;
  const policy = objectServices?.policy ?? rolePolicy([bootstrapView(domain)], { domain });
  const untraced = serveAuthorizer(policy, options.tokenReviewOpen);
  const authorizer = tracing ? traceAuthorizer(untraced, tracing) : untraced;
  const impersonate = impersonator({ ...ports, authorizer, constrained, domain });
  const snapshots = listSnapshots(ports.clock, budget.snapshotBytes);
  settings.onLists?.(snapshots.find);
  return {
    holder,
    authorizer,
    apiAudiences: options.apiAudiences,
    proxyHeaders: settings.proxyHeaders,
    webhook: options.webhook && { ...options.webhook, clock: ports.clock },
    impersonation: {
      impersonate: tracing ? traceImpersonator(impersonate, tracing) : impersonate,
      constrained,
      domain,
    },
    clock: ports.clock,
    randomness: ports.randomness,
    log: ports.log,
    authenticationErrors,
    decisionLog: settings.decisionLog,
    decisionClaims: settings.decisionClaims,
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
      productVersion,
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
      snapshots,
      findList: settings.findList,
      watches: watchSlots(Math.min(partOf(watchLimits.open, place), budget.watches)),
    },
    tokenRequests: tokenRequests(settings, domain),
    get issuerDocuments() {
      return state.issuerDocuments;
    },
    healthChecks: (list) =>
      healthChecks(list, holder, { isClosing: state.isClosing, objectServices }),
    metricsText: async () => ({
      contentType: metricsText?.contentType ?? 'text/plain; version=0.0.4; charset=utf-8',
      text: (await metricsText?.text()) ?? '',
    }),
  };
};

const tokenRequests = (
  { options, issuing }: ServerSettings,
  domain: string,
): RequestServices['tokenRequests'] =>
  issuing && {
    domain,
    issuer: issuing.settings.issuers[0] ?? '',
    maxExpirationSeconds: issuing.settings.maxExpirationSeconds,
    extendExpiration: issuing.settings.extendExpiration,
    rules: accountTokenRules(options.featureGates),
    uidMismatch: uidMismatchRule(options.featureGates, options.targetRelease),
    signer: issuing.signer,
  };
