// Changes of a configuration with 64 authenticators under a load of reviews: how long does the main
// thread block, and what do clients notice? The same is measured without a change,
// because on a shared machine the thread also waits for the processor. Connections pause between two
// reviews: at full load the thread has stalls of some milliseconds by itself, which hide the change.
//
//   node bench/reloads.mjs [-t milliseconds] [--reloads 10] [--connections 4] [--pause milliseconds]
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { arg, emit, MS } from './peers/node/lib.mjs';
import { bodies, configuration, openConnections, slice, startPeer } from './review-peers.mjs';

const reloads = Number(arg('--reloads', 10));
const pauseMs = Number(arg('--pause', 4));
const peer = { peer: 'authgraph' };
const product = await startPeer('review-server.mjs', [configuration]);
const connections = await openConnections(product.port, Number(arg('--connections', 4)));
const asked = { child: product.child, connections };
for (const body of bodies) await connections[0].ask(body);
await slice(asked, Number(arg('--warm', 10_000)));

/** Returns the next message of the server of one kind. */
const heard = async (name) => {
  for (;;) {
    const [line] = await once(product.lines, 'line');
    const said = JSON.parse(line);
    if (name in said) return said;
  }
};

/** The longest stall since the last call, in milliseconds. */
const stall = async () => {
  const answer = heard('stallMs');
  product.child.kill('SIGUSR2');
  return (await answer).stallMs;
};

const text = readFileSync(configuration, 'utf8');
const quiet = [];
const changed = [];
for (let turn = 0; turn < reloads; turn += 1) {
  await stall();
  const calm = await slice(asked, MS, pauseMs);
  quiet.push({ stall: await stall(), p99: calm.p99 });
  const event = heard('event');
  writeFileSync(configuration, `${text}# ${turn}\n`);
  const busy = await slice(asked, MS, pauseMs);
  changed.push({ stall: await stall(), p99: busy.p99 });
  const { event: kind } = await event;
  if (kind !== 'reloaded') throw new Error(`the change is ${kind}`);
}
const sorted = (list, name) => list.map((one) => one[name]).sort((a, b) => a - b);
for (const [variant, list] of [
  ['without-a-change', quiet],
  ['reload-64', changed],
]) {
  for (const name of ['stall', 'p99']) {
    const values = sorted(list, name);
    emit('W8', `${name}-${variant}`, 'ms', values[values.length >> 1], {
      best: values[0],
      ...peer,
    });
  }
}
const middle = (list) => sorted(list, 'stall')[list.length >> 1];
emit('W8', 'stall-caused', 'ms', Math.max(0, middle(changed) - middle(quiet)), peer);
for (const connection of connections) connection.close();
product.child.removeAllListeners('exit');
product.child.kill();
