/**
 * Who would a token be? The same graph at work that a server runs; only the world differs: keys and
 * clock as given.
 */
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { Secret } from '../model/secret.ts';
import type { TraceStep } from '../model/trace.ts';
import type { Ports } from '../ports/ports.ts';
import { link } from '../runtime/link.ts';
import type { WhoamiAnswer, WhoamiOptions } from './whoami-answer.ts';

/** Decides a token with all checks. `signal` ends the wait for keys. */
export const whoamiToken = async (
  graph: AuthenticatorGraph,
  token: Secret<string>,
  {
    mode,
    explain,
    ports,
    signal,
  }: WhoamiOptions & { readonly ports: Ports; readonly signal: AbortSignal },
): Promise<WhoamiAnswer> => {
  const linked = link(graph, ports, { mode, jwksRefetch: 'throttled', tokenCache: 'off' });
  try {
    await linked.healthy(signal);
    const steps: TraceStep[] = [];
    const sink = { step: (step: TraceStep) => steps.push(step) };
    const request = { path: '/', token, audiences: [] };
    const decision = await linked.authenticate(request, signal, explain ? sink : undefined);
    return { decision, steps, signature: 'checked' };
  } finally {
    await linked.close();
  }
};
