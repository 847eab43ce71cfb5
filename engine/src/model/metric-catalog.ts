/**
 * All metrics in one table: name, type, help text, labels and buckets. Those of kube-apiserver have
 * its names, help texts and buckets; others start with `authgraph_`. Labels have fixed sets of
 * values or digests, so that clients cannot create series.
 */

/** The values a label may have; `digest` is `sha256:<hex>` or empty. */
export type MetricLabelValues = readonly string[] | 'digest';

export interface MetricRow {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** kube-apiserver's stability level, which is printed before the help text; ALPHA if absent. */
  readonly stability?: 'BETA' | 'STABLE';
  /** One sentence; some of kube-apiserver's are empty. */
  readonly help: string;
  /** Labels by name, in printing order. */
  readonly labels: ReadonlyMap<string, MetricLabelValues>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
  /**
   * How the values of several worker processes become one: by default counters and histograms are
   * added, and the largest value of a gauge is used.
   */
  readonly ofWorkers?: 'sum' | 'max';
}

/** The label that distinguishes the servers of a cluster. The metrics port sets it. */
export const serverIdLabel = 'apiserver_id_hash';

const labels = (...rows: readonly (readonly [string, MetricLabelValues])[]) => new Map(rows);

const fractionsOfSecond = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Buckets from 1 ms, doubled up to 16.384 s. */
const doublings = Array.from({ length: 15 }, (_, power) => 2 ** power / 1000);

const day = 86_400;

/** The empty mode is for attempts that no mode allowed. */
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
    help: 'Counter of authenticated requests broken out by username.',
    // kube-apiserver maps every name to this set, so that names do not create series.
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
    help: 'Counter of authenticated attempts.',
    labels: labels(['result', ['success', 'failure', 'error']]),
  },
  {
    name: 'authentication_duration_seconds',
    kind: 'histogram',
    help: 'Authentication duration in seconds broken out by result.',
    labels: labels(['result', ['success', 'failure', 'error']]),
    buckets: doublings,
  },
  {
    name: 'authorization_attempts_total',
    kind: 'counter',
    help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
    labels: labels(['result', ['allowed', 'denied', 'no-opinion', 'error']]),
  },
  {
    name: 'authorization_duration_seconds',
    kind: 'histogram',
    help: 'Authorization duration in seconds broken out by result.',
    labels: labels(['result', ['allowed', 'denied', 'no-opinion', 'error']]),
    buckets: doublings,
  },
  {
    name: 'authentication_token_cache_request_duration_seconds',
    kind: 'histogram',
    help: '',
    labels: labels(['status', ['hit', 'miss']]),
    buckets: fractionsOfSecond,
  },
  {
    name: 'authentication_token_cache_request_total',
    kind: 'counter',
    help: '',
    labels: labels(['status', ['hit', 'miss']]),
  },
  {
    name: 'authentication_token_cache_fetch_total',
    kind: 'counter',
    help: '',
    labels: labels(['status', ['ok', 'error']]),
  },
  {
    name: 'authentication_token_cache_active_fetch_count',
    kind: 'gauge',
    help: '',
    labels: labels(['status', ['in_flight', 'blocked']]),
    ofWorkers: 'sum',
  },
  {
    name: 'apiserver_current_inflight_requests',
    kind: 'gauge',
    stability: 'STABLE',
    help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    labels: labels(['request_kind', ['mutating', 'readOnly']]),
    ofWorkers: 'sum',
  },
  {
    name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
    kind: 'histogram',
    help: 'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
    labels: labels(['result', ['success', 'failure']], ['jwt_issuer_hash', 'digest']),
    buckets: [0.001, ...fractionsOfSecond],
  },
  {
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
    kind: 'gauge',
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
    help: 'Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.',
    labels: labels(['jwt_issuer_hash', 'digest'], [serverIdLabel, 'digest'], ['hash', 'digest']),
  },
  {
    name: 'apiserver_authentication_config_controller_automatic_reloads_total',
    kind: 'counter',
    stability: 'BETA',
    help: 'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
    labels: labels(['status', ['success', 'failure']], [serverIdLabel, 'digest']),
    // All workers load the same file.
    ofWorkers: 'max',
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
    help: 'Information about the last applied authentication configuration with hash as label, split by apiserver identity.',
    labels: labels([serverIdLabel, 'digest'], ['hash', 'digest']),
  },
  {
    name: 'apiserver_impersonation_attempts_total',
    kind: 'counter',
    help: 'Total number of impersonation attempts split by mode and decision.',
    labels: labels(['mode', ['', ...impersonationModes]], ['decision', ['allowed', 'denied']]),
  },
  {
    name: 'apiserver_impersonation_attempts_duration_seconds',
    kind: 'histogram',
    help: 'Latency of impersonation attempts in seconds split by mode and decision.',
    labels: labels(['mode', ['', ...impersonationModes]], ['decision', ['allowed', 'denied']]),
    buckets: doublings,
  },
  {
    name: 'apiserver_impersonation_authorization_attempts_total',
    kind: 'counter',
    help: 'Total number of authorization checks made by the impersonation handler split by mode and decision.',
    labels: labels(['mode', impersonationModes], ['decision', ['allowed', 'denied']]),
  },
  {
    name: 'apiserver_impersonation_authorization_attempts_duration_seconds',
    kind: 'histogram',
    help: 'Latency of authorization checks made by the impersonation handler in seconds split by mode and decision.',
    labels: labels(['mode', impersonationModes], ['decision', ['allowed', 'denied']]),
    buckets: doublings,
  },
  {
    name: 'apiserver_client_certificate_expiration_seconds',
    kind: 'histogram',
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
    help: 'Cumulative legacy service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_stale_tokens_total',
    kind: 'counter',
    help: 'Cumulative stale projected service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_valid_tokens_total',
    kind: 'counter',
    help: 'Cumulative valid projected service account tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_legacy_manual_token_uses_total',
    kind: 'counter',
    help: 'Cumulative manually created legacy tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_legacy_auto_token_uses_total',
    kind: 'counter',
    help: 'Cumulative auto-generated legacy tokens used',
    labels: labels(),
  },
  {
    name: 'serviceaccount_invalid_legacy_auto_token_uses_total',
    kind: 'counter',
    help: 'Cumulative invalid auto-generated legacy tokens used',
    labels: labels(),
  },
  {
    name: 'authgraph_certificate_authority_reloads_total',
    kind: 'counter',
    help: 'Total number of reloads of a CA bundle, split by pool and status.',
    labels: labels(
      ['pool', ['client-ca-bundle', 'request-header']],
      ['status', ['success', 'failure']],
    ),
  },
  {
    name: 'authgraph_decision_log_dropped_total',
    kind: 'counter',
    help: 'Number of lines of the decision log that were dropped because the output was too slow.',
    labels: labels(),
  },
  {
    name: 'authgraph_authentication_errors_omitted_total',
    kind: 'counter',
    help: 'Number of rejected requests whose log line "Unable to authenticate the request" was omitted because of the rate limit.',
    labels: labels(),
  },
  {
    name: 'authgraph_connections_evicted_total',
    kind: 'counter',
    help: 'Number of connections closed because the memory for connections, headers, bodies or responses was used up.',
    labels: labels(['share', ['connections', 'headers', 'bodies', 'answers']]),
  },
  {
    name: 'authgraph_requests_shed_total',
    kind: 'counter',
    help: 'Number of requests with a 429 response because the limit of their phase was reached: waiting for authentication, for their body, for the review of a token or for the store, or executing.',
    labels: labels(['phase', ['authentication', 'body', 'review', 'concurrency', 'store']]),
  },
  {
    name: 'authgraph_expired_bootstrap_tokens_total',
    kind: 'counter',
    help: 'Number of expired bootstrap tokens that the token cleaner found: deleted, already gone, or not deleted because the store was unavailable.',
    labels: labels(['result', ['deleted', 'gone', 'failed']]),
  },
  {
    name: 'leader_election_master_status',
    kind: 'gauge',
    help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    labels: labels(['name', ['authgraph-controllers']]),
  },
  {
    name: 'authgraph_store_view_age_seconds',
    kind: 'gauge',
    help: 'Seconds since the store last confirmed that the local copy of its objects is complete.',
    labels: labels(),
  },
  {
    name: 'authgraph_store_failures_total',
    kind: 'counter',
    help: 'Number of lists and watches of the store that failed or ended early.',
    labels: labels(),
  },
  {
    name: 'authgraph_metrics_refused_total',
    kind: 'counter',
    help: 'Number of samples with an unknown metric or label value, which were not recorded.',
    labels: labels(),
  },
];
