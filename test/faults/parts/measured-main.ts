/** Clients whose latency is measured, in a process of their own. */
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Latencies, Measured, MeasuredClients } from './flood-messages.ts';

process.on('disconnect', () => process.exit());
const { port, token, pauseMs }: MeasuredClients = JSON.parse(process.argv[2] ?? '{}');
const origin = `https://127.0.0.1:${port}`;
const mostFindings = 10;

const times = { livez: [] as number[], freshLivez: [] as number[], review: [] as number[] };
const findings: string[] = [];
const find = (finding: string): void => {
  if (findings.length < mostFindings) findings.push(finding);
};

const get = (agent: Agent | false): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: '/livez', agent, rejectUnauthorized: false },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    asked.on('error', reject);
    asked.end();
  });

let session = connectHttp2(origin, { rejectUnauthorized: false });
const review = JSON.stringify({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  spec: { token },
});
const reviewToken = (): Promise<number> =>
  new Promise((resolve, reject) => {
    if (session.closed || session.destroyed)
      session = connectHttp2(origin, { rejectUnauthorized: false });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/apis/authentication.k8s.io/v1/tokenreviews',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    let status = 0;
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('error', reject).on('end', () => resolve(status));
    stream.resume();
    stream.end(review);
  });

const measure = async (name: keyof typeof times, right: number, ask: () => Promise<number>) => {
  for (;;) {
    const started = performance.now();
    try {
      const status = await ask();
      if (status !== right) find(`${name}: ${status}`);
    } catch (error) {
      find(`${name}: ${String(error)}`);
    }
    times[name].push(performance.now() - started);
    await pause(pauseMs);
  }
};

const latencies = (name: keyof typeof times): Latencies => {
  const sorted = times[name].splice(0).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
};

/**
 * Waits for a response to each kind of request: on a busy machine a single one may outlast the
 * flood.
 */
process.on('message', async () => {
  while (Object.values(times).some(({ length }) => length === 0)) await pause(pauseMs);
  const measured: Measured = {
    livez: latencies('livez'),
    freshLivez: latencies('freshLivez'),
    review: latencies('review'),
    findings: findings.splice(0),
  };
  process.send?.(measured);
});

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
void measure('livez', 200, () => get(agent));
void measure('freshLivez', 200, () => get(false));
void measure('review', 201, reviewToken);
