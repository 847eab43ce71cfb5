/**
 * Every metric we count, as one table: name, kind, words, labels and buckets. Names, words and
 * buckets of the real server's families are its own; ours start with `authgraph_`. Labels are closed
 * sets or digests, so no client can make a new series.
 */

/** Values a label may have; `digest` is `sha256:<hex>` or empty. */
export type MetricLabelValues = readonly string[] | 'digest';

export interface MetricRow {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** How firmly the real server keeps the name; printed before the words. */
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE';
  /** One sentence; the real server leaves some empty. */
  readonly help: string;
  /** By label name, in printing order. */
  readonly labels: ReadonlyMap<string, MetricLabelValues>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}

/** The label that tells servers of one cluster apart; filled in by the metrics port. */
export const serverIdLabel = 'apiserver_id_hash';

const labels = (...rows: readonly (readonly [string, MetricLabelValues])[]) => new Map(rows);

const fractionsOfSecond = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** 1 ms doubled up to 16.384 s. */
const doublings = Array.from({ length: 15 }, (_, power) => 2 ** power / 1000);

const day = 86_400;

/** The empty one besides: of an attempt that none allowed. */
const impersonationModes = [
  'associated-node',
  'arbitrary-node',
  'serviceaccount',
  'user-info',
  'legacy',
];

export const metricCatalog: readonly MetricRow[] = [
  {
    name: 'authenticated_user_requests',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Counter of authenticated requests broken out by username.',
    // The real server folds every name onto this set, so that names never become series.
    labels: labels([
      'username',
      [
        'admin',
        'client',
        'kube_proxy',
        'kubelet',
        'system:serviceaccount:kube-system:default',
        'email_id',
        'other',
      ],
    ]),
  },
  {
    name: 'authentication_attempts',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Counter of authenticated attempts.',
    labels: labels(['result', ['success', 'failure', 'error']]),
  },
  {
    name: 'authentication_duration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Authentication duration in seconds broken out by result.',
    labels: labels(['result', ['success', 'failure', 'error']]),
    buckets: doublings,
  },
  {
    name: 'authorization_attempts_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
    labels: labels(['result', ['allowed', 'denied', 'no-opinion', 'error']]),
  },
  {
    name: 'authorization_duration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Authorization duration in seconds broken out by result.',
    labels: labels(['result', ['allowed', 'denied', 'no-opinion', 'error']]),
    buckets: doublings,
  },
  {
    name: 'authentication_token_cache_request_duration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: '',
    labels: labels(['status', ['hit', 'miss']]),
    buckets: fractionsOfSecond,
  },
  {
    name: 'authentication_token_cache_request_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: '',
    labels: labels(['status', ['hit', 'miss']]),
  },
  {
    name: 'authentication_token_cache_fetch_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: '',
    labels: labels(['status', ['ok', 'error']]),
  },
  {
    name: 'authentication_token_cache_active_fetch_count',
    kind: 'gauge',
    stability: 'ALPHA',
    help: '',
    labels: labels(['status', ['in_flight', 'blocked']]),
  },
  {
    name: 'apiserver_current_inflight_requests',
    kind: 'gauge',
    stability: 'STABLE',
    help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    labels: labels(['request_kind', ['mutating', 'readOnly']]),
  },
  {
    name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
    labels: labels(['result', ['success', 'failure']], ['jwt_issuer_hash', 'digest']),
    buckets: [0.001, ...fractionsOfSecond],
  },
  {
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
    kind: 'gauge',
    stability: 'ALPHA',
    help: 'Timestamp of the last successful or failed JWKS fetch split by result, api server identity and jwt issuer for the JWT authenticator.',
    labels: labels(
      ['result', ['success', 'failure']],
      ['jwt_issuer_hash', 'digest'],
      [serverIdLabel, 'digest'],
    ),
  },
  {
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info',
    kind: 'gauge',
    stability: 'ALPHA',
    help: 'Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.',
    labels: labels(['jwt_issuer_hash', 'digest'], [serverIdLabel, 'digest'], ['hash', 'digest']),
  },
  {
    name: 'apiserver_authentication_config_controller_automatic_reloads_total',
    kind: 'counter',
    stability: 'BETA',
    help: 'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
    labels: labels(['status', ['success', 'failure']], [serverIdLabel, 'digest']),
  },
  {
    name: 'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
    kind: 'gauge',
    stability: 'BETA',
    help: 'Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
    labels: labels(['status', ['success', 'failure']], [serverIdLabel, 'digest']),
  },
  {
    name: 'apiserver_authentication_config_controller_last_config_info',
    kind: 'gauge',
    stability: 'ALPHA',
    help: 'Information about the last applied authentication configuration with hash as label, split by apiserver identity.',
    labels: labels([serverIdLabel, 'digest'], ['hash', 'digest']),
  },
  {
    name: 'apiserver_impersonation_attempts_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Total number of impersonation attempts split by mode and decision.',
    labels: labels(['mode', ['', ...impersonationModes]], ['decision', ['allowed', 'denied']]),
  },
  {
    name: 'apiserver_impersonation_attempts_duration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Latency of impersonation attempts in seconds split by mode and decision.',
    labels: labels(['mode', ['', ...impersonationModes]], ['decision', ['allowed', 'denied']]),
    buckets: doublings,
  },
  {
    name: 'apiserver_impersonation_authorization_attempts_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Total number of authorization checks made by the impersonation handler split by mode and decision.',
    labels: labels(['mode', impersonationModes], ['decision', ['allowed', 'denied']]),
  },
  {
    name: 'apiserver_impersonation_authorization_attempts_duration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Latency of authorization checks made by the impersonation handler in seconds split by mode and decision.',
    labels: labels(['mode', impersonationModes], ['decision', ['allowed', 'denied']]),
    buckets: doublings,
  },
  {
    name: 'apiserver_client_certificate_expiration_seconds',
    kind: 'histogram',
    stability: 'ALPHA',
    help: 'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    labels: labels(),
    buckets: [
      0,
      1800,
      3600,
      7200,
      21_600,
      43_200,
      day,
      2 * day,
      4 * day,
      7 * day,
      30 * day,
      90 * day,
      180 * day,
      360 * day,
    ],
  },
  {
    name: 'serviceaccount_legacy_tokens_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative legacy service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_stale_tokens_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative stale projected service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_valid_tokens_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative valid projected service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_legacy_manual_token_uses_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative manually created legacy tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_legacy_auto_token_uses_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative auto-generated legacy tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_invalid_legacy_auto_token_uses_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Cumulative invalid auto-generated legacy tokens used',
    labels: labels(),
  },
  {
    name: 'authgraph_certificate_authority_reloads_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Changes of a file of certificate authorities that were taken over, and looks at it that failed.',
    labels: labels(
      ['pool', ['client-ca-bundle', 'request-header']],
      ['status', ['success', 'failure']],
    ),
  },
  {
    name: 'authgraph_decision_log_dropped_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Lines of the decision log that were dropped because the sink did not keep up.',
    labels: labels(),
  },
  {
    name: 'authgraph_authentication_errors_omitted_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Rejected requests whose line "Unable to authenticate the request" was omitted from the log by its rate limit.',
    labels: labels(),
  },
  {
    name: 'authgraph_connections_evicted_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Connections closed because the memory for connections, header fields, bodies or responses was used up.',
    labels: labels(['share', ['connections', 'headers', 'bodies', 'answers']]),
  },
  {
    name: 'authgraph_requests_shed_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Requests answered 429 because the limit of their phase was reached: waiting for authentication, for their body, for the review of a token or for the store, or executing.',
    labels: labels(['phase', ['authentication', 'body', 'review', 'concurrency', 'store']]),
  },
  {
    name: 'authgraph_expired_bootstrap_tokens_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Expired bootstrap tokens that the token cleaner found: deleted, gone before, or not deleted because the store was away.',
    labels: labels(['result', ['deleted', 'gone', 'failed']]),
  },
  {
    name: 'authgraph_store_view_age_seconds',
    kind: 'gauge',
    stability: 'ALPHA',
    help: 'Seconds since the store last said that the local view of the stored objects is complete.',
    labels: labels(),
  },
  {
    name: 'authgraph_store_failures_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Number of lists and watches of the store that failed or ended too early.',
    labels: labels(),
  },
  {
    name: 'authgraph_metrics_refused_total',
    kind: 'counter',
    stability: 'ALPHA',
    help: 'Samples that named no metric of the catalogue or a label outside its closed set.',
    labels: labels(),
  },
];
