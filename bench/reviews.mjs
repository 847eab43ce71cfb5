// Whole requests: cached TokenReviews over HTTP/2 and TLS on persistent connections, compared with a
// bare node:http2 server that answers as many fixed bytes. What counts is the processor time of the
// server's process for one request, measured in alternating slices.
//
//   node bench/reviews.mjs [-t milliseconds] [--slices 5] [--connections 16] [--warm milliseconds]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arg, emit, MS } from './peers/node/lib.mjs';
import {
  bodies,
  configuration,
  folder,
  openConnections,
  slice,
  startPeer,
} from './review-peers.mjs';

const slices = Number(arg('--slices', 5));
const connectionCount = Number(arg('--connections', 16));
/** `--node FLAG`: passed to the product's process, for example for a profiler. */
const nodeFlags = arg('--node') ? [arg('--node')] : [];

const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const product = await startPeer('review-server.mjs', [configuration], nodeFlags);
const first = await openConnections(product.port, connectionCount);
const answers = [];
for (const body of bodies) answers.push(Buffer.concat(await first[0].ask(body)));
const wrong = answers.filter(
  (answer) => JSON.parse(answer.toString()).status?.authenticated !== true,
).length;
emit('W6', 'accepted', `of ${answers.length}`, answers.length - wrong, { peer: 'authgraph' });
if (wrong > 0) throw new Error(`${wrong} reviews are not answered with a user`);
const answerFile = join(folder, 'answer.json');
const lengths = answers.map(({ length }) => length).sort((a, b) => a - b);
const typical = answers.find(({ length }) => length === lengths[lengths.length >> 1]);
writeFileSync(answerFile, typical);
const bare = await startPeer('peers/node/bare-http2.mjs', [answerFile]);
const peers = [
  { name: 'authgraph', child: product.child, connections: first },
  {
    name: 'bare',
    child: bare.child,
    connections: await openConnections(bare.port, connectionCount),
  },
];
// Warms up until all hot code is compiled.
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
  for (const connection of connections) connection.close();
  child.removeAllListeners('exit');
  child.kill();
}
