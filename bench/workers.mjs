// `authgraph serve` with one process and with workers, both as users start them: cached TokenReviews over HTTP/2
// on persistent connections, in short slices that alternate, so that what slows the machine slows both. Prints the
// requests for each second of processor time of all processes of the server, their throughput, the share of each
// worker, and the share of the load generator, whose time counts for neither.
//
//   node bench/workers.mjs [-t milliseconds] [--workers 2] [--slices 10] [--connections 16] [--warm requests]
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createSigningKey, keySetOf, mintToken } from '../engine/src/node/mint.ts';
import { freePort } from '../test/support/free-port.ts';
import { arg, emit, MS } from './peers/node/lib.mjs';
import { folder, openConnections, processorTime, reviewOf, slice } from './review-peers.mjs';

const workerCount = Number(arg('--workers', 2));
const connectionCount = Number(arg('--connections', 16));
const tokenCount = 200;
const main = join(import.meta.dirname, '../engine/dist/cli/main.js');

const certificate = readFileSync(join(folder, 'server.pem'), 'utf8');
const signingKey = await createSigningKey('ES256', 'bench');
const issuer = createServer({ cert: certificate, key: readFileSync(join(folder, 'server.key')) });
issuer.listen(0, '127.0.0.1');
await new Promise((listening) => issuer.once('listening', listening));
const url = `https://127.0.0.1:${issuer.address().port}`;
issuer.on('request', ({ url: path }, response) => {
  const isKeys = path === '/keys';
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify(isKeys ? keySetOf([signingKey]) : { issuer: url, jwks_uri: `${url}/keys` }),
  );
});
const indented = certificate.replaceAll(/^(?=.)/gm, '      ');
const configuration = join(folder, 'workers.yaml');
writeFileSync(
  configuration,
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${url}
    audiences: [bench]
    certificateAuthority: |
${indented}
  claimMappings:
    username: { claim: sub, prefix: 'bench:' }
    groups: { claim: groups, prefix: '' }
`,
);
const exp = Math.floor(Date.now() / 1000) + 86_400;
const tokens = await Promise.all(
  Array.from({ length: tokenCount }, (_, number) =>
    mintToken(
      { iss: url, aud: 'bench', sub: `user-${number}`, groups: ['dev', 'ops'], exp },
      signingKey,
    ),
  ),
);

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);

const start = async (workers) => {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...[main, 'serve', '-c', configuration, '--bind-address=127.0.0.1', `--secure-port=${port}`],
      ...['--tls-cert-file', join(folder, 'server.pem')],
      ...['--tls-private-key-file', join(folder, 'server.key')],
      ...[
        '--token-review-open=group:system:authenticated',
        '--log-level=error',
        `--workers=${workers}`,
      ],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  process.once('exit', () => child.kill());
  await new Promise((ready, failed) => {
    child.stdout.on('data', (text) => String(text).includes(' serves ') && ready());
    child.once('exit', (code) => failed(new Error(`serve --workers=${workers}: exit ${code}`)));
  });
  const connections = await openConnections(port, connectionCount, tokens[0]);
  const answer = JSON.parse(
    Buffer.concat(await connections[0].ask(reviewOf(tokens[1]))).toString(),
  );
  if (answer.status?.user?.username !== 'bench:user-1') throw new Error(JSON.stringify(answer));
  const workerPids = childrenOf(child.pid);
  const pids = [child.pid, ...workerPids];
  const reviews = tokens.map(reviewOf);
  return { child, connections, pids, workerPids, reviews, cpu: 0, count: 0, ms: 0 };
};

const one = await start(1);
const several = await start(workerCount);
// Each process compiles its hot functions itself, so each worker needs as many requests as the one process.
for (const server of [one, several]) {
  const warm = Number(arg('--warm', 150_000)) * (server === several ? workerCount : 1);
  for (let count = 0; count < warm; ) count += (await slice(server, MS)).count;
}
const workersBefore = several.workerPids.map(processorTime);
const primaryBefore = processorTime(several.child.pid);
const ratios = { perCpuSecond: [], throughput: [] };
const generator = { own: 0, all: 0 };
for (let turn = 0; turn < Number(arg('--slices', 10)); turn += 1) {
  const taken = new Map();
  for (const server of turn % 2 === 0 ? [one, several] : [several, one]) {
    const own = process.cpuUsage();
    const { cpu, count } = await slice(server, MS);
    const { user, system } = process.cpuUsage(own);
    generator.own += user + system;
    generator.all += user + system + cpu * count;
    server.cpu += cpu * count;
    server.count += count;
    taken.set(server, { cpu, count });
  }
  ratios.perCpuSecond.push(taken.get(one).cpu / taken.get(several).cpu);
  ratios.throughput.push(taken.get(several).count / taken.get(one).count);
}
const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const perCpuSecond = ({ cpu, count }) => Math.round((count * 1e6) / cpu);
const used = several.workerPids.map((pid, place) => processorTime(pid) - workersBefore[place]);
emit('W11', 'requests-per-cpu-second', 'requests', perCpuSecond(one), { workers: 1 });
emit('W11', 'requests-per-cpu-second', 'requests', perCpuSecond(several), { workers: workerCount });
emit('W11', 'requests-per-cpu-second', 'times', middle(ratios.perCpuSecond), {
  each: ratios.perCpuSecond,
});
emit('W11', 'throughput', 'times', middle(ratios.throughput), { each: ratios.throughput });
emit('W11', 'least-over-most-used-worker', 'times', Math.min(...used) / Math.max(...used), {
  workersMs: used.map((microseconds) => microseconds / 1000),
  primaryMs: (processorTime(several.child.pid) - primaryBefore) / 1000,
});
emit('W11', 'load-generator', 'share of cpu', generator.own / generator.all);
for (const { child, connections } of [one, several]) {
  for (const connection of connections) connection.close();
  child.removeAllListeners('exit');
  child.kill();
}
issuer.close();
