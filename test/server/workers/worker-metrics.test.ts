/** The metrics of several processes as one page. */
import { expect, test } from 'vitest';
import { nodeMetrics } from '../../../engine/src/node/metrics.ts';
import { workerMetrics } from '../../../engine/src/server/workers/worker-metrics.ts';

const samples = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('counters and histograms are added, gauges are added or the largest one', async () => {
  const one = nodeMetrics();
  const other = nodeMetrics();
  for (const [metrics, requests] of [
    [one, 2],
    [other, 3],
  ] as const) {
    metrics.increment('authentication_attempts', { result: 'success' });
    metrics.observe('authentication_duration_seconds', requests, { result: 'success' });
    metrics.set('apiserver_current_inflight_requests', requests, { request_kind: 'readOnly' });
    metrics.set('authgraph_store_view_age_seconds', requests);
    metrics.increment('apiserver_authentication_config_controller_automatic_reloads_total', {
      status: 'success',
    });
  }
  const page = workerMetrics();
  const text = await page.text(one.families, [{ number: 1, read: other.families }]);
  expect(samples(text)).toEqual(
    expect.arrayContaining([
      'authentication_attempts{result="success"} 2',
      'authentication_duration_seconds_bucket{result="success",le="2.048"} 1',
      'authentication_duration_seconds_bucket{result="success",le="+Inf"} 2',
      'authentication_duration_seconds_sum{result="success"} 5',
      'apiserver_current_inflight_requests{request_kind="readOnly"} 5',
      'authgraph_store_view_age_seconds 3',
      expect.stringMatching(/automatic_reloads_total\{.*\} 1$/),
    ]),
  );
  // The families are those of one process.
  const headings = (page: string) => page.split('\n').filter((line) => line.startsWith('# TYPE'));
  expect(headings(text)).toEqual(headings(await one.text()));
});

test('a counter does not decrease when a worker ends', async () => {
  const own = nodeMetrics();
  const worker = nodeMetrics();
  worker.increment('authentication_attempts', { result: 'success' });
  worker.set('authgraph_store_view_age_seconds', 7);
  const page = workerMetrics();
  const readers = [{ number: 1, read: worker.families }];
  expect(await page.text(own.families, readers)).toContain('authgraph_store_view_age_seconds 7');
  page.retire(1);
  page.retire(1);
  const restarted = nodeMetrics();
  restarted.increment('authentication_attempts', { result: 'success' });
  const later = await page.text(own.families, [{ number: 1, read: restarted.families }]);
  expect(samples(later)).toEqual(
    expect.arrayContaining([
      'authentication_attempts{result="success"} 2',
      'authgraph_store_view_age_seconds 0',
    ]),
  );
});
