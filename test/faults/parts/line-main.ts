/**
 * A line between a server and a peer, in a process of its own: quick until it is told to be long, thin
 * and lossy. What is lost comes again later, as it does over TCP.
 */
import { connect, createServer, type Socket } from 'node:net';
import type { Quality, ToLine } from './line-messages.ts';

let target = 0;
let quality: Quality = { delayMs: 0, lossShare: 0, bytesPerSecond: Number.POSITIVE_INFINITY };
/** Until a lost packet is sent again. */
const againMs = 200;
const packetBytes = 1_400;

/** Passes on in order, each packet in its time. */
const pass = (from: Socket, to: Socket): void => {
  let freeAt = 0;
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += packetBytes) {
      const packet = chunk.subarray(at, at + packetBytes);
      const now = performance.now();
      const lost = Math.random() < quality.lossShare ? againMs : 0;
      freeAt = Math.max(freeAt, now + quality.delayMs + lost);
      freeAt += (packet.length / quality.bytesPerSecond) * 1_000;
      setTimeout(() => to.write(packet), freeAt - now);
    }
  });
  const end = () => setTimeout(() => to.destroy(), Math.max(freeAt - performance.now(), 0) + 1);
  from.on('error', () => {});
  from.once('close', end);
};

const server = createServer((near) => {
  const far = connect({ port: target, host: '127.0.0.1' });
  far.setNoDelay(true);
  near.setNoDelay(true);
  pass(near, far);
  pass(far, near);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});

process.on('message', (message) => {
  const told = message as ToLine;
  if (told.kind === 'to') target = told.port;
  else quality = told.quality;
  process.send?.({ done: true });
});
process.on('disconnect', () => process.exit());
