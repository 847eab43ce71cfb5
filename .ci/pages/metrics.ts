/** Generates docs/metrics.md from the catalog that the metrics port reads. */
import { type MetricRow, metricCatalog } from '../../engine/src/model/metric-catalog.ts';

const opening = `# Metrics

After reading this page you can monitor the server with its metrics, and you know what each of them means.
\`GET /metrics\` returns them in the Prometheus text format. Metrics of kube-apiserver have the same names, help strings,
labels and buckets, so dashboards and alerts still work; metrics of AuthGraph start with \`authgraph_\`. A label has a
closed set of values, or is a digest (\`sha256:…\`) of an issuer's URL, a key set, a configuration or this server, so
clients cannot create new series. A metric without samples is not returned. The same metrics can be [exported by
OTLP](running/tracing.md).

This page is generated from \`engine/src/model/metric-catalog.ts\` by \`npm run -s docs\`.

## What to watch

| question | look at |
|---|---|
| Was the last edit of the file loaded? | \`…_automatic_reloads_total{status="failure"}\`, and the hash in \`…_last_config_info\` |
| Are credentials rejected? | \`authentication_attempts{result="error"}\`; the [log](running/api-server.md#find-out-why-a-request-got-a-401) gives the reasons |
| Does an issuer respond? | \`…_jwks_fetch_last_timestamp_seconds{result="failure"}\` younger than that of \`success\`; the log (\`issuer discovery failed\`, \`issuer key fetch failed\`, \`issuer answers again\`) contains the reason. \`/readyz\` waits only for the first attempt of each issuer, so an issuer that is down does not affect the users of other issuers |
| Did the issuer change its keys? | the hash in \`…_jwks_fetch_last_key_set_info\` |
| Is the log complete? | \`authgraph_decision_log_dropped_total\` is 0 |
| Does the store respond? | \`authgraph_store_view_age_seconds\` stays below 5, \`authgraph_store_failures_total\` does not rise |
| Is the server overloaded? | \`authgraph_requests_shed_total\` rises; its label \`phase\` names the limit, see [fairness](fairness.md). \`apiserver_current_inflight_requests\` shows how many requests are in flight |

## All metrics
`;

/** Returns the page as Markdown, one section per family. */
export const metricsPage = (): string => [opening, ...metricCatalog.map(sectionOf)].join('\n');

const sectionOf = ({ name, kind, stability, help, labels, buckets }: MetricRow): string =>
  [
    `### ${name}\n`,
    `${kind}, ${stability ?? 'ALPHA'}${name.startsWith('authgraph_') ? ', only in AuthGraph' : ''}. ${help}`.trim(),
    ...(labels.size === 0
      ? []
      : [
          '\n| label | values |\n|---|---|',
          ...[...labels].map(([label, values]) => labelRow(label, values)),
        ]),
    ...(buckets === undefined ? [] : [`\nBuckets: ${buckets.join(', ')}.`]),
    '',
  ].join('\n');

const labelRow = (label: string, values: readonly string[] | 'digest'): string =>
  `| \`${label}\` | ${values === 'digest' ? 'a digest' : values.map((value) => `\`${value}\``).join(', ')} |`;
