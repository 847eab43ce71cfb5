/** Counting of requests under the real server's metric names. */
import type { Decision } from '../model/decision.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';

interface Meter {
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** `started` is the monotonic time in milliseconds at which the work began. */
export const countAuthentication = (meter: Meter, decision: Decision, started: number): void => {
  const result = resultOf(decision);
  meter.metrics.increment('authentication_attempts', { result });
  meter.metrics.observe('authentication_duration_seconds', secondsSince(meter, started), {
    result,
  });
  if (decision.kind !== 'accepted') return;
  const username = usernameClass(decision.user.username);
  meter.metrics.increment('authenticated_user_requests', { username });
};

export const countAuthorization = (
  meter: Meter,
  { allowed, error }: { readonly allowed: boolean; readonly error: string | undefined },
  started: number,
): void => {
  const denied = error === undefined ? 'no-opinion' : 'error';
  const result = allowed ? 'allowed' : denied;
  meter.metrics.increment('authorization_attempts_total', { result });
  meter.metrics.observe('authorization_duration_seconds', secondsSince(meter, started), {
    result,
  });
};

const secondsSince = (meter: Meter, started: number): number =>
  (meter.clock.monotonic() - started) / 1000;

const resultOf = (decision: Decision): 'success' | 'failure' | 'error' => {
  if (decision.kind === 'accepted') return 'success';
  return decision.kind === 'rejected' ? 'error' : 'failure';
};

const known = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** A closed set, so that no name becomes a series. */
export const usernameClass = (username: string): string => {
  if (known.has(username)) return username;
  return username.includes('@') ? 'email_id' : 'other';
};
