// The product as a process of its own, for the benches of whole requests: 64 issuers whose documents
// come from memory, stored roles, metrics; no decision log. It prints its port and process id, then
// one line for each reload, and the longest stall of its main thread since the last SIGUSR2 at each.
//
//   node bench/review-server.mjs TLS_FOLDER CONFIGURATION_FILE
import { openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFor } from '../engine/src/compile/settings.ts';
import { newestRelease } from '../engine/src/model/release.ts';
import { nodeMetrics } from '../engine/src/node/metrics.ts';
import { nodePorts } from '../engine/src/node/ports.ts';
import { memoryStore } from '../engine/src/node/store/memory.ts';
import { startServing } from '../engine/src/server/configuration/serving.ts';
import { defaultServeOptions } from '../engine/src/server/flags/options.ts';
import { openObjectServices } from '../engine/src/server/objects/object-services.ts';
import { startServer } from '../engine/src/server/server.ts';
import { issuerPages } from './issuer-pages.mjs';

const [folder, configuration] = process.argv.slice(2);
const metrics = nodeMetrics();
const ports = { ...nodePorts({ metrics }), http: issuerPages() };
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = memoryStore({ clock: ports.clock });
const rbac = 'rbac.authorization.k8s.io';
// A role allows all authenticated users to review tokens, as in a cluster.
const binding = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: new Map([['name', 'bench']]),
  roleRef: new Map(
    Object.entries({ apiGroup: rbac, kind: 'ClusterRole', name: 'system:auth-delegator' }),
  ),
  subjects: [
    new Map(Object.entries({ apiGroup: rbac, kind: 'Group', name: 'system:authenticated' })),
  ],
};
await store.create(
  { resource: 'clusterrolebindings', namespace: '', name: 'bench' },
  new Map(Object.entries(binding)),
);
const objectServices = openObjectServices({
  store,
  domain: 'k8s.io',
  ports,
  maxStalenessMs: 3_600_000,
  controlPlane: 'internal',
});
await objectServices.ready(AbortSignal.timeout(30_000));
const start = await startServing({
  configuration: { kind: 'file', path: configuration },
  settings: settingsFor(newestRelease),
  ports,
  link: { mode: 'product', jwksRefetch: 'throttled' },
  report: ({ kind }) => say({ event: kind }),
});
if (start.kind !== 'serving') throw new Error(`the configuration is ${start.kind}`);
await start.serving.waitForDiscovery(AbortSignal.timeout(60_000));
const server = await startServer({
  options: { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: 0 },
  holder: start.serving.holder,
  ports,
  objectServices,
  metricsText: metrics,
  certificate: {
    certificatePem: readFileSync(join(folder, 'server.pem'), 'utf8'),
    privateKeyPem: readFileSync(join(folder, 'server.key'), 'utf8'),
  },
});
// A tick a millisecond: between two ticks the thread was blocked, except for the time in which it
// waited for a processor. The kernel reports that: the second number of schedstat.
const schedstat = openSync('/proc/self/schedstat');
const line = Buffer.alloc(128);
const inLineMs = () => {
  const length = readSync(schedstat, line, 0, line.length, 0);
  return Number(line.latin1Slice(0, length).split(' ')[1]) / 1e6;
};
let stall = 0;
const watchStalls = () => {
  let last = { now: performance.now(), inLine: inLineMs() };
  setInterval(() => {
    const next = { now: performance.now(), inLine: inLineMs() };
    stall = Math.max(stall, next.now - last.now - (next.inLine - last.inLine));
    last = next;
  }, 1).unref();
};
// Reading schedstat costs as much as a few requests, so it happens only if stalls are requested.
process.once('SIGUSR2', watchStalls);
process.on('SIGUSR2', () => {
  say({ stallMs: stall });
  stall = 0;
});
process.on('SIGTERM', () => process.exit());
say({ port: server.port, pid: process.pid });
