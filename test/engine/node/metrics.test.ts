/** The metrics page, with the names and texts of kube-apiserver. */
import { expect, test } from 'vitest';
import { metricCatalog } from '../../../engine/src/model/metric-catalog.ts';
import { nodeMetrics } from '../../../engine/src/node/metrics.ts';

const serverIdHash = `sha256:${'a'.repeat(64)}`;
const issuer = `sha256:${'b'.repeat(64)}`;
const attempts = 'authentication_attempts';
const reloads = 'apiserver_authentication_config_controller_automatic_reloads_total';
const keySet = 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info';

test('prints nothing before the first sample', async () => {
  const text = await nodeMetrics().text();
  expect(text.includes('authentication_attempts')).toBe(false);
  expect(text.includes('reloads_total')).toBe(false);
});

test('prints a counter with its heading', async () => {
  const metrics = nodeMetrics();
  metrics.increment(attempts, { result: 'success' });
  metrics.increment(attempts, { result: 'success' });
  metrics.increment(attempts, { result: 'failure' });
  expect(await metrics.text()).toContain(
    [
      '# HELP authentication_attempts [ALPHA] Counter of authenticated attempts.',
      '# TYPE authentication_attempts counter',
      'authentication_attempts{result="success"} 2',
      'authentication_attempts{result="failure"} 1',
      '',
    ].join('\n'),
  );
});

test('fills in the label of the server', async () => {
  const metrics = nodeMetrics({ serverIdHash });
  metrics.increment(reloads, { status: 'success' });
  expect(await metrics.text()).toContain(
    `${reloads}{status="success",apiserver_id_hash="${serverIdHash}"} 1`,
  );
});

test('prints a histogram with the buckets of the catalog', async () => {
  const metrics = nodeMetrics();
  metrics.observe('authentication_duration_seconds', 0.003, { result: 'error' });
  const text = await metrics.text();
  expect(text).toContain('authentication_duration_seconds_bucket{le="0.002",result="error"} 0');
  expect(text).toContain('authentication_duration_seconds_bucket{le="0.004",result="error"} 1');
  expect(text).toContain('authentication_duration_seconds_bucket{le="16.384",result="error"} 1');
});

test('forgets the matching series of a gauge, and keeps the others', async () => {
  const metrics = nodeMetrics({ serverIdHash });
  const one = `sha256:${'1'.repeat(64)}`;
  const two = `sha256:${'2'.repeat(64)}`;
  metrics.set(keySet, 1, { jwt_issuer_hash: issuer, hash: one });
  metrics.set(keySet, 1, { jwt_issuer_hash: '', hash: one });
  metrics.forget(keySet, { jwt_issuer_hash: issuer });
  metrics.set(keySet, 1, { jwt_issuer_hash: issuer, hash: two });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(keySet));
  expect(lines.map((line) => [line.includes(one), line.includes(two)])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test.each([
  ['an unknown name', 'no_such_metric', {}],
  ['a value outside its set', attempts, { result: 'system:masters' }],
  ['an unknown label', attempts, { result: 'success', username: 'ann' }],
  ['a missing label', attempts, {}],
  ['a prototype name', attempts, { result: '__proto__' }],
])('%s is refused and counted', async (_, name, labels) => {
  const metrics = nodeMetrics();
  metrics.increment(name, labels);
  const text = await metrics.text();
  expect(text).toContain('authgraph_metrics_refused_total 1');
  expect(text).not.toContain('authentication_attempts{');
  expect(text).not.toContain('ann');
});

test('counts a call that does not fit the type of the metric', async () => {
  const metrics = nodeMetrics();
  metrics.set(attempts, 5, { result: 'success' });
  metrics.observe(attempts, 5, { result: 'success' });
  expect(await metrics.text()).toContain('authgraph_metrics_refused_total 2');
});

test('counts separately for two servers in one process', async () => {
  const one = nodeMetrics();
  const two = nodeMetrics();
  one.increment(attempts, { result: 'success' });
  expect(await two.text()).not.toContain('authentication_attempts{');
});

test('has a valid catalog', () => {
  const names = metricCatalog.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, kind, buckets } of metricCatalog) {
    expect(name).toMatch(/^[a-z][a-z_]*$/);
    expect(buckets !== undefined, name).toBe(kind === 'histogram');
    expect([...(buckets ?? [])].sort((a, b) => a - b)).toEqual([...(buckets ?? [])]);
  }
});
