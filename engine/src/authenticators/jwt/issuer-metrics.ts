/** The metrics of one issuer, with kube-apiserver's names. Labels contain digests only. */
import type { Decision } from '../../model/decision.ts';
import type { Ports } from '../../ports/ports.ts';
import type { FetchOutcome } from './issuer-keys.ts';

export interface IssuerMetrics {
  /** Returns the start time for measuring a decision. */
  started(): number;
  /** Records the decision and returns it. */
  decided(decision: Decision, startedAt: number): Decision;
  keysFetched(outcome: FetchOutcome): void;
}

const prefix = 'apiserver_authentication_jwt_authenticator';

/**
 * Creates the metrics of an issuer. The series remain after a reload and are reused for the same
 * issuer.
 */
export const issuerMetrics = (
  issuerUrl: string,
  { metrics, clock, digest }: Pick<Ports, 'metrics' | 'clock' | 'digest'>,
): IssuerMetrics => {
  const issuerHash = `sha256:${digest.sha256Hex(issuerUrl)}`;
  const issuer = { jwt_issuer_hash: issuerHash };
  const success = { result: 'success', ...issuer };
  const failure = { result: 'failure', ...issuer };
  const counted = metrics.disabled === undefined;
  return {
    started: () => (counted ? clock.monotonic() : 0),
    decided(decision, startedAt) {
      if (counted && decision.kind !== 'noOpinion') {
        const labels = decision.kind === 'accepted' ? success : failure;
        const seconds = (clock.monotonic() - startedAt) / 1000;
        metrics.observe(`${prefix}_latency_seconds`, seconds, labels);
      }
      return decision;
    },
    keysFetched(outcome) {
      const fetched = outcome.kind === 'fetched';
      const at = clock.now() / 1000;
      metrics.set(`${prefix}_jwks_fetch_last_timestamp_seconds`, at, fetched ? success : failure);
      if (outcome.kind === 'failed') return;
      const hash = `sha256:${digest.sha256Hex(outcome.body)}`;
      metrics.forget(`${prefix}_jwks_fetch_last_key_set_info`, issuer);
      metrics.set(`${prefix}_jwks_fetch_last_key_set_info`, 1, { ...issuer, hash });
    },
  };
};
