/**
 * Decides who a token would be. It runs the same graph as a server; only the ports, for keys and
 * the time, can be different.
 */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Secret } from '../../model/secret.ts';
import type { TraceStep } from '../../model/trace.ts';
import type { Ports } from '../../ports/ports.ts';
import { link } from '../../runtime/link.ts';
import type { WhoamiAnswer, WhoamiOptions } from './whoami-answer.ts';

export interface TokenOptions extends WhoamiOptions {
  readonly ports: Ports;
  /** Stops the wait for keys. */
  readonly signal: AbortSignal;
  /** The issuer that the token names, if it can be read: only this issuer's keys are fetched. */
  readonly issuer: string | undefined;
}

/** Decides a token with all checks. */
export const whoamiToken = async (
  graph: AuthenticatorGraph,
  token: Secret<string>,
  { mode, explain, ports, signal, issuer }: TokenOptions,
): Promise<WhoamiAnswer> => {
  const concerned = graph.nodes.filter(({ issuerUrl }) => issuerUrl === issuer);
  const steps = explain ? unmatchedIssuerSteps(graph, concerned, issuer) : [];
  const linked = link({ ...graph, nodes: concerned }, ports, {
    mode,
    tokenCache: 'off',
  });
  try {
    await linked.waitForDiscovery(signal);
    const sink = { step: (step: TraceStep) => steps.push(step) };
    const request = { path: '/', token, audiences: [] };
    const decision = await linked.authenticate(request, signal, explain ? sink : undefined);
    const waiting = linked.readiness().find(({ isReady }) => !isReady);
    return {
      decision,
      steps,
      signature: 'checked',
      ...(waiting === undefined ? {} : { notReady: waiting.reason ?? waiting.id }),
    };
  } finally {
    await linked.close();
  }
};

const unmatchedIssuerSteps = (
  { nodes }: AuthenticatorGraph,
  concerned: AuthenticatorGraph['nodes'],
  issuer: string | undefined,
): TraceStep[] =>
  nodes
    .filter((node) => !concerned.includes(node))
    .map(({ id, issuerUrl }) => ({
      at: id,
      what: 'issuer',
      outcome: 'skipped',
      detail:
        issuer === undefined
          ? 'the credential is not a compact JWT with readable claims'
          : `iss is ${JSON.stringify(issuer)}; the issuer of this authenticator is ${JSON.stringify(issuerUrl)}`,
    }));
