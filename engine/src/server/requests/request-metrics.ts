/** Counts requests under kube-apiserver's metric names. */
import type { Decision } from '../../model/decision.ts';
import type { Authorization } from '../../ports/authorizer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MetricLabels, Metrics } from '../../ports/metrics.ts';

interface Meter {
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** `started` is the monotonic time in milliseconds at which the work began. */
export const countAuthentication = (meter: Meter, decision: Decision, started: number): void => {
  const result = resultLabels[decision.kind];
  meter.metrics.increment('authentication_attempts', result);
  meter.metrics.observe('authentication_duration_seconds', secondsSince(meter, started), result);
  if (decision.kind !== 'accepted') return;
  meter.metrics.increment('authenticated_user_requests', usernameLabels(decision.user.username));
};

export const countAuthorization = (
  meter: Meter,
  { allowed, error }: Authorization,
  started: number,
): void => {
  const result = allowed ? allowedLabels : error === undefined ? noOpinionLabels : errorLabels;
  meter.metrics.increment('authorization_attempts_total', result);
  meter.metrics.observe('authorization_duration_seconds', secondsSince(meter, started), result);
};

// The label objects are constants, which lets the metrics port find their series quickly.
const resultLabels: Readonly<Record<Decision['kind'], MetricLabels>> = {
  accepted: { result: 'success' },
  rejected: { result: 'error' },
  noOpinion: { result: 'failure' },
};
const allowedLabels: MetricLabels = { result: 'allowed' };
const noOpinionLabels: MetricLabels = { result: 'no-opinion' };
const errorLabels: MetricLabels = { result: 'error' };

const secondsSince = (meter: Meter, started: number): number =>
  (meter.clock.monotonic() - started) / 1000;

const knownUsernames = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Maps usernames to a closed set, so that a username never becomes a series. */
const usernameClass = (username: string): string => {
  if (knownUsernames.has(username)) return username;
  return username.includes('@') ? 'email_id' : 'other';
};

const usernameLabels = (username: string): MetricLabels => {
  const name = usernameClass(username);
  const cached = labelsOfClass.get(name);
  if (cached !== undefined) return cached;
  const labels = { username: name };
  labelsOfClass.set(name, labels);
  return labels;
};

const labelsOfClass = new Map<string, MetricLabels>();
