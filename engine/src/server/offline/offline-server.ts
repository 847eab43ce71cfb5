/**
 * Decides whole requests without a listener: the modules of the server in their order, with its code
 * for header fields, certificates, audiences and impersonation, against a snapshot of stored objects.
 */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Decision } from '../../model/decision.ts';
import { constrainedImpersonationGate } from '../../model/feature-gates.ts';
import type { HeaderList } from '../../model/header-list.ts';
import type { JsonObject } from '../../model/json.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { AuthenticationRequest, PeerCertificates } from '../../model/request.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Ports } from '../../ports/ports.ts';
import { withAggregatedRules } from '../../rbac/aggregation.ts';
import { rbacAuthorizer } from '../../rbac/authorize.ts';
import { bootstrapObjects } from '../../rbac/bootstrap-roles.ts';
import { fixedView } from '../../rbac/fixed-view.ts';
import { rolePolicy } from '../../rbac/role-policy.ts';
import { forbidden } from '../../runtime/forbidden.ts';
import { link } from '../../runtime/link.ts';
import { internalError } from '../../runtime/rejections.ts';
import { type Acting, questionText } from '../../simulate/whoami/act-as.ts';
import { whoamiAs } from '../../simulate/whoami/whoami-as.ts';
import type { ServeOptions } from '../flags/options.ts';
import type { Exchange } from '../http/exchange.ts';
import { loadModules, type ModuleContext } from '../modules/load-modules.ts';
import type { ReadModuleFile } from '../modules/module-file.ts';
import type { ModuleSettings } from '../modules/settings.ts';
import { authorizationAttributes } from '../requests/answer-decided.ts';
import { decide, withAcceptableAudiences } from '../requests/decide-request.ts';
import { missingUserError, readImpersonation } from '../requests/impersonation.ts';
import { factsReader } from '../requests/request-facts.ts';
import type { TestAuthorities } from './test-authorities.ts';

/** A request as a client sends it. */
export interface OfflineRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly certificates: PeerCertificates | undefined;
}

export interface OfflineDecision {
  readonly decision: Decision;
  /** The status of the response, if the request is answered before it is authenticated. */
  readonly answeredWith?: number;
  readonly impersonation:
    | { readonly kind: 'impersonated'; readonly user: UserInfo; readonly acting: Acting }
    /** `acting` is absent if the header fields are not valid. */
    | { readonly kind: 'denied'; readonly message: string; readonly acting?: Acting }
    | undefined;
  /** Empty unless a trace was requested. */
  readonly steps: readonly TraceStep[];
}

export interface OfflineServer {
  decide(
    request: OfflineRequest,
    options: { readonly trace: boolean; readonly signal: AbortSignal },
  ): Promise<OfflineDecision>;
  close(): Promise<void>;
}

export interface OfflineOptions {
  readonly graph: AuthenticatorGraph;
  readonly options: ServeOptions;
  readonly ports: Ports;
  /** The stored objects, besides the bootstrap roles. */
  readonly objects: readonly JsonObject[];
  readonly readFile: ReadModuleFile;
  /** Trusted in addition to the authorities of the flags. */
  readonly authorities?: TestAuthorities | undefined;
}

export type OfflineOpening =
  | { readonly kind: 'open'; readonly server: OfflineServer }
  /** The errors of kube-apiserver about the files of its flags. */
  | { readonly kind: 'failed'; readonly errors: readonly string[] };

/** Loads the modules of the flags and links them with the graph. */
export const openOfflineServer = async (given: OfflineOptions): Promise<OfflineOpening> => {
  const { graph, options, ports, objects } = given;
  const context: ModuleContext = {
    ports,
    mode: 'product',
    gates: options.featureGates,
    apiAudiences: options.apiAudiences,
    readFile: readingTestAuthorities(given),
  };
  const loading = await loadModules(withTestAuthorities(given), context, {
    check: async () => ({ kind: 'good', apiDomain: graph.apiDomain }),
    create: async () => undefined,
  });
  if (loading.kind === 'failed')
    return { kind: 'failed', errors: loading.failures.map(({ error }) => error) };
  const domain = graph.apiDomain;
  const { nodes, flagModules, proxyHeaders } = loading.link({ objects: fixedView(objects) });
  const linked = link({ ...graph, ...nodes }, ports, {
    flagModules,
    apiAudiences: options.apiAudiences,
    tokenCache: 'off',
  });
  await linked.waitForDiscovery(AbortSignal.timeout(discoveryMs));
  const roles = fixedView(withAggregatedRules([...objects, ...bootstrapObjects(domain)]));
  const authorizer = rbacAuthorizer(rolePolicy([roles], { domain }));
  const constrained = options.featureGates.get(constrainedImpersonationGate) ?? false;
  const factsOf = factsReader({ proxyHeaders, webhook: undefined, impersonation: { domain } });

  /** Applies the `Impersonate-*` header fields as the server does. */
  const impersonation = async (
    requestor: UserInfo,
    exchange: Pick<Exchange, 'headers' | 'info'>,
    steps: TraceStep[] | undefined,
  ): Promise<OfflineDecision['impersonation']> => {
    const requested = readImpersonation(exchange.headers);
    if (requested === undefined) return undefined;
    const nameless = missingUserError(requested, { constrained, domain });
    if (nameless !== undefined) return { kind: 'denied', message: nameless.message };
    const answer = await whoamiAs(requestor, requested, {
      authorizer,
      constrained,
      domain,
      request: authorizationAttributes(exchange),
    });
    for (const { attributes, allowed, reason } of answer.questions)
      steps?.push({
        at: 'impersonation',
        what: questionText(attributes),
        outcome: allowed ? 'passed' : 'failed',
        ...(reason === '' ? {} : { detail: reason }),
      });
    const { outcome } = answer;
    const caller = { caller: requestor, wanted: requested, bare: false };
    if (outcome.kind === 'impersonated') {
      const acting: Acting = { ...answer, ...caller, kind: 'answer', refusal: undefined };
      return { kind: 'impersonated', user: outcome.user, acting };
    }
    const { message } = forbidden({ user: requestor, ...outcome.attributes }, outcome.reason);
    const acting: Acting = { ...answer, ...caller, kind: 'answer', refusal: message };
    return { kind: 'denied', message, acting };
  };

  return {
    kind: 'open',
    server: {
      async decide({ method, path, headers: fields, certificates }, { trace, signal }) {
        const headers = headerList(fields);
        const raw = { method, rawTarget: path, headers, fieldCount: headers.length };
        // HTTP/2, in which a request needs no Host field.
        const facts = factsOf({ ...raw, httpMajor: 2, httpMinor: 0 });
        if (facts.kind === 'answered')
          return { ...unauthenticatedAnswer(facts.response.status), steps: [] };
        const { exchange, bearer, impersonates } = facts;
        const request: AuthenticationRequest = {
          path: exchange.target.path,
          token: bearer.token,
          audiences: options.apiAudiences,
          headers,
          ...(certificates === undefined ? {} : { certificates }),
        };
        const steps: TraceStep[] = [];
        const sink = trace ? { step: (step: TraceStep) => steps.push(step) } : undefined;
        const decided = await decide(
          request,
          (authenticationRequest, waiter) =>
            linked.authenticateFor(authenticationRequest, waiter, sink),
          { turn: { signal }, services: { log: ports.log, checksLoopbackTokens: true } },
        );
        const decision = withAcceptableAudiences(decided, request);
        const impersonated =
          decision.kind === 'accepted' && impersonates
            ? await impersonation(decision.user, exchange, trace ? steps : undefined)
            : undefined;
        return { decision, impersonation: impersonated, steps };
      },
      close: () => linked.close(),
    },
  };
};

/** Keys that are not available by then are reported with the decision. */
const discoveryMs = 30_000;

/** Returns the header fields with one character per byte, as the server receives them. */
const headerList = (fields: OfflineRequest['headers']): HeaderList =>
  fields.map(({ name, value }) => ({
    name,
    value: Buffer.from(value, 'utf8').toString('latin1'),
  }));

/** Describes a request that is answered before it is authenticated, such as a malformed one. */
const unauthenticatedAnswer = (status: number): Omit<OfflineDecision, 'steps'> => ({
  answeredWith: status,
  decision: {
    kind: 'rejected',
    reason: {
      ...rejectionOf(internalError),
      message: `the request is answered with ${status} before it is authenticated`,
    },
  },
  impersonation: undefined,
});

/** Names of the test authorities if the flags name no files. */
const virtualFiles = {
  clients: 'test client CA',
  proxies: 'test requestheader client CA',
} as const;

/** Returns the settings in which the test authorities are configured, too. */
const withTestAuthorities = ({
  options: { modules },
  authorities,
}: Pick<OfflineOptions, 'options' | 'authorities'>): ModuleSettings => {
  if (authorities === undefined) return modules;
  const { clientCertificate, authenticatingProxy: proxy } = modules;
  return {
    ...modules,
    clientCertificate: { caFile: clientCertificate.caFile ?? virtualFiles.clients },
    authenticatingProxy: {
      ...proxy,
      // Without header names the proxy would be a client like any other.
      caFile:
        proxy.headers.username.length === 0 ? proxy.caFile : (proxy.caFile ?? virtualFiles.proxies),
    },
  };
};

/** Reads bundles with the certificate of the test authority appended. */
const readingTestAuthorities = ({
  options: { modules },
  authorities,
  readFile,
}: OfflineOptions): ReadModuleFile => {
  if (authorities === undefined) return readFile;
  const { caFile: clients = virtualFiles.clients } = modules.clientCertificate;
  const { caFile: proxies = virtualFiles.proxies } = modules.authenticatingProxy;
  const read = async (path: string): Promise<Awaited<ReturnType<ReadModuleFile>>> =>
    path === virtualFiles.clients || path === virtualFiles.proxies
      ? { kind: 'read', bytes: new Uint8Array(), hash: '' }
      : readFile(path);
  return async (path) => {
    const reading = await read(path);
    if (reading.kind === 'unreadable' || (path !== clients && path !== proxies)) return reading;
    const name = path === clients ? 'client-ca' : 'requestheader-client-ca';
    const text = `${new TextDecoder('latin1').decode(reading.bytes)}\n${authorities.pem(name)}`;
    return { ...reading, bytes: new TextEncoder().encode(text) };
  };
};
