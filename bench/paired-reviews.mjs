// Whole requests of this checkout and of another one: both servers run at the same time and get requests in short slices
// that alternate, so that what slows the machine slows both. Prints the processor time of one request for each. The
// warm-up has so many requests that the hot functions of both are optimized; with fewer, the ratio measures V8's compiler.
//
//   node bench/paired-reviews.mjs OTHER_CHECKOUT [-t milliseconds] [--slices 8] [--connections 16] [--warm requests]
import { join } from 'node:path';
import { arg, emit, MS } from './peers/node/lib.mjs';
import { configuration, openConnections, slice, startPeer } from './review-peers.mjs';

const roots = [join(import.meta.dirname, '..'), process.argv[2]];
const servers = [];
for (const root of roots) {
  const { child, port } = await startPeer(join(root, 'bench/review-server.mjs'), [configuration]);
  const connections = await openConnections(port, Number(arg('--connections', 16)));
  servers.push({ child, connections, cpu: 0, count: 0 });
}
for (const server of servers) {
  const warm = Number(arg('--warm', 150_000));
  for (let count = 0; count < warm; ) count += (await slice(server, MS)).count;
}
for (let turn = 0; turn < Number(arg('--slices', 8)); turn += 1) {
  for (const server of turn % 2 === 0 ? servers : servers.toReversed()) {
    const { cpu, count } = await slice(server, MS);
    server.cpu += cpu * count;
    server.count += count;
  }
}
const [ours, theirs] = servers.map(({ cpu, count }) => cpu / count);
emit('W6', 'cached-token-review', 'us cpu', ours, { peer: 'authgraph', theirs });
for (const { child, connections } of servers) {
  for (const connection of connections) connection.close();
  child.removeAllListeners('exit');
  child.kill();
}
