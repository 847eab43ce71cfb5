// Whole requests: cached TokenReviews over HTTP/2 and TLS on connections that stay, beside a bare
// node:http2 server that answers as many fixed bytes. What counts is the processor time of the
// server's process for one request, taken in slices that take turns.
//
//   node bench/reviews.mjs [-t milliseconds] [--slices 5] [--connections 16]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { selfSigned } from '../engine/src/server/tls/self-signed.ts';
import { arg, emit, load, MS, WORKLOAD } from './peers/node/lib.mjs';

const slices = Number(arg('--slices', 5));
const connectionCount = Number(arg('--connections', 16));
/** So few that each is decided from the cache, but for once in ten seconds. */
const tokenCount = 200;

const folder = mkdtempSync(join(tmpdir(), 'authgraph-reviews-'));
const made = selfSigned({ hosts: ['localhost', '127.0.0.1'], now: Date.now() });
writeFileSync(join(folder, 'server.pem'), made.certificatePem);
writeFileSync(join(folder, 'server.key'), made.privateKeyPem, { mode: 0o600 });
const configuration = join(folder, 'scale-64.yaml');
const text = readFileSync(join(WORKLOAD, 'configs/scale-64.yaml'), 'utf8');
writeFileSync(
  configuration,
  text.replace('apiserver.config.platform.io/', 'apiserver.config.k8s.io/'),
);

const tokens = load()
  .tokens.slice(0, tokenCount)
  .map(({ token }) => token);
const caller = tokens[0];
const group = 'authentication.k8s.io';
const bodies = tokens.map((token) =>
  Buffer.from(JSON.stringify({ apiVersion: `${group}/v1`, kind: 'TokenReview', spec: { token } })),
);
const head = {
  ':method': 'POST',
  ':path': `/apis/${group}/v1/tokenreviews`,
  authorization: `Bearer ${caller}`,
  'content-type': 'application/json',
  accept: 'application/json, */*',
  'user-agent': 'kube-apiserver/v1.36.3 (linux/amd64) kubernetes/abcdef0',
};

/** `--node FLAG`: for the product's process, a profiler say. */
const nodeFlags = arg('--node') ? [arg('--node')] : [];

/** A server process; settles when it told its port. */
const startPeer = (script, args, flags = []) =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...flags, join(import.meta.dirname, script), folder, ...args],
      {
        env: { ...process.env, WORKLOAD },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    child.on('exit', (code) => reject(new Error(`${script}: exit ${code}`)));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const { port } = JSON.parse(line);
      if (port !== undefined) resolve({ child, lines, port });
    });
  });

const openConnections = (port) =>
  Array.from({ length: connectionCount }, () =>
    connect(`https://127.0.0.1:${port}`, {
      ca: made.authorityPem,
      settings: { enablePush: false },
    }),
  );

/** One request to its end. */
const ask = (session, body) =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ...head, 'content-length': body.length });
    const chunks = [];
    let status = 0;
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => resolve({ status, answer: Buffer.concat(chunks) }));
    stream.on('error', reject);
    stream.end(body);
  });

/** User and system time of a process in microseconds, as the kernel counts it. */
const processorTime = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

/** Each connection asks as soon as it has its answer. */
const slice = async ({ child, connections }, milliseconds) => {
  const before = processorTime(child.pid);
  const end = performance.now() + milliseconds;
  const latencies = [];
  await Promise.all(
    connections.map(async (session, place) => {
      for (let index = place * 131; performance.now() < end; index += 1) {
        const started = performance.now();
        const { status } = await ask(session, bodies[index % bodies.length]);
        if (status !== 201) throw new Error(`status ${status}`);
        latencies.push(performance.now() - started);
      }
    }),
  );
  const used = processorTime(child.pid) - before;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(share * (latencies.length - 1))];
  return { cpu: used / latencies.length, count: latencies.length, p50: at(0.5), p99: at(0.99) };
};

const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const product = await startPeer('review-server.mjs', [configuration], nodeFlags);
const first = openConnections(product.port);
const answers = await Promise.all(
  bodies.map((body, index) => ask(first[index % first.length], body)),
);
const wrong = answers.filter(
  ({ answer }) => JSON.parse(answer.toString()).status?.authenticated !== true,
).length;
emit('W6', 'accepted', `of ${answers.length}`, answers.length - wrong, { peer: 'authgraph' });
if (wrong > 0) throw new Error(`${wrong} reviews are not answered with a user`);
const answerFile = join(folder, 'answer.json');
const lengths = answers.map(({ answer }) => answer.length).sort((a, b) => a - b);
const typical = answers.find(({ answer }) => answer.length === lengths[lengths.length >> 1]);
writeFileSync(answerFile, typical.answer);
const bare = await startPeer('peers/node/bare-http2.mjs', [answerFile]);
const peers = [
  { name: 'authgraph', child: product.child, connections: first },
  { name: 'bare', child: bare.child, connections: openConnections(bare.port) },
];
// Until everything that is hot is compiled.
for (const peer of peers) await slice(peer, Number(arg('--warm', 10_000)));
const taken = new Map(peers.map(({ name }) => [name, []]));
for (let turn = 0; turn < slices; turn += 1) {
  for (const peer of peers) taken.get(peer.name).push(await slice(peer, MS));
}
for (const { name } of peers) {
  const all = taken.get(name);
  emit('W6', 'cached-token-review', 'us cpu', middle(all.map(({ cpu }) => cpu)), {
    peer: name,
    cpuNsPerOp: middle(all.map(({ cpu }) => cpu)) * 1000,
    perSecond: Math.round((middle(all.map(({ count }) => count)) * 1000) / MS),
    p50Ms: middle(all.map(({ p50 }) => p50)),
    p99Ms: middle(all.map(({ p99 }) => p99)),
  });
}
const ratios = taken.get('authgraph').map(({ cpu }, turn) => cpu / taken.get('bare')[turn].cpu);
emit('W6', 'over-bare-http2', 'times', middle(ratios), { peer: 'authgraph', each: ratios });
for (const { child, connections } of peers) {
  for (const session of connections) session.destroy();
  child.removeAllListeners('exit');
  child.kill();
}
rmSync(folder, { recursive: true });
