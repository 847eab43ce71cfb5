/** Adds spans to the handling of requests. Without tracing nothing of this file is called. */

import type { Authenticator } from '../../authenticators/module.ts';
import type { Decision } from '../../model/decision.ts';
import { andThen } from '../../model/maybe-promise.ts';
import type { ModuleId } from '../../model/module-id.ts';
import type { Authorizer } from '../../ports/authorizer.ts';
import type { Span, Tracing } from '../../ports/tracing.ts';
import type { AuthenticatorFunction } from '../../runtime/combine-decisions.ts';
import { mask } from '../../runtime/decision-log.ts';
import type { Impersonator } from '../../runtime/impersonate.ts';
import type {
  AuthenticatorGeneration,
  GenerationHolder,
} from '../configuration/authenticator-generation.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import type { OutgoingResponse } from '../http/outgoing-response.ts';

type Handler = (incoming: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>;

/** Methods that can be part of a span name; others are `_OTHER`, as in the semantic conventions. */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);

/** Adds a span for each request, below the trace context that the client sent. */
export const traceRequests =
  (handle: Handler, tracing: Tracing): Handler =>
  (incoming) => {
    const { method: sent, rawTarget, headers, httpMajor } = incoming.request;
    const method = methods.has(sent) ? sent : '_OTHER';
    return tracing.inSpan(
      {
        name: `HTTP ${method}`,
        kind: 'server',
        received: headers,
        attributes: {
          'http.request.method': method,
          'url.path': pathOf(rawTarget),
          'url.scheme': 'https',
          'network.protocol.version': String(httpMajor === 2 ? 2 : 1.1),
        },
      },
      (span) =>
        andThen(handle(incoming), (response) => {
          span.set({ 'http.response.status_code': response.status });
          if (response.status >= 500) span.fail(`status ${response.status}`);
          return response;
        }),
    );
  };

/**
 * Returns the path without its query, which can contain a token. It is copied, because a part of a
 * string keeps the whole string in memory for as long as the span waits.
 */
const pathOf = (target: string): string => {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  return mask(Buffer.from(path.slice(0, maxPathLength)).toString());
};

/** Longer paths are cut. */
const maxPathLength = 1024;

/** Adds a span for the authentication of a request or of a reviewed token. */
export const traceGenerations = (holder: GenerationHolder, tracing: Tracing): GenerationHolder => {
  const traced = new WeakMap<AuthenticatorGeneration, AuthenticatorGeneration>();
  const tracedOf = (generation: AuthenticatorGeneration): AuthenticatorGeneration => {
    const known = traced.get(generation);
    if (known !== undefined) return known;
    const { authenticateConnection } = generation;
    const created: AuthenticatorGeneration = {
      graphHash: generation.graphHash,
      ...(generation.claimLiterals === undefined
        ? {}
        : { claimLiterals: generation.claimLiterals }),
      readinessChecks: generation.readinessChecks,
      authenticate: traceAuthentication(generation.authenticate, tracing),
      ...(authenticateConnection === undefined
        ? {}
        : {
            authenticateConnection: () => traceAuthentication(authenticateConnection(), tracing),
          }),
    };
    traced.set(generation, created);
    return created;
  };
  return {
    acquire() {
      const { generation, release } = holder.acquire();
      return { generation: tracedOf(generation), release };
    },
  };
};

const traceAuthentication =
  (authenticate: AuthenticatorFunction, tracing: Tracing): AuthenticatorFunction =>
  (...args) =>
    tracing.inSpan({ name: 'authentication', kind: 'internal' }, (span) =>
      andThen(authenticate(...args), (decision) => {
        setDecision(span, decision);
        return decision;
      }),
    );

/** Adds a span for each authenticator that a request reaches. */
export const traceAuthenticator =
  (tracing: Tracing) =>
  (
    id: ModuleId,
    authenticator: Pick<Authenticator, 'authenticate'>,
  ): Pick<Authenticator, 'authenticate'> => ({
    authenticate: (...args) =>
      tracing.inSpan({ name: `authenticator ${id}`, kind: 'internal' }, (span) =>
        andThen(authenticator.authenticate(...args), (decision) => {
          setDecision(span, decision);
          return decision;
        }),
      ),
  });

/** Adds a span for the authorization of a request. */
export const traceAuthorizer = (authorizer: Authorizer, tracing: Tracing): Authorizer => ({
  authorize: (attributes) =>
    tracing.inSpan({ name: 'authorization', kind: 'internal' }, (span) =>
      andThen(authorizer.authorize(attributes), (authorization) => {
        span.set({ 'authgraph.allowed': authorization.allowed });
        return authorization;
      }),
    ),
});

/** Adds a span for the impersonation of a user. */
export const traceImpersonator =
  (impersonate: Impersonator, tracing: Tracing): Impersonator =>
  async (attempt) =>
    tracing.inSpan({ name: 'impersonation', kind: 'internal' }, (span) =>
      andThen(impersonate(attempt), (outcome) => {
        span.set({ 'authgraph.allowed': outcome.kind !== 'denied' });
        return outcome;
      }),
    );

/** Records a decision: its kind, the module, and the diagnostic code of a rejection. */
const setDecision = (span: Span, decision: Decision): void => {
  span.set({
    'authgraph.decision': decision.kind,
    ...(decision.kind === 'noOpinion' || decision.by === undefined
      ? {}
      : { 'authgraph.module': decision.by }),
    ...(decision.kind === 'rejected' ? { 'authgraph.code': decision.reason.code } : {}),
  });
};
