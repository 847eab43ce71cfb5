/**
 * A proxy between a server and a peer, in a process of its own: fast until it gets a delay, a
 * bandwidth and a loss rate. Lost packets are sent again later, as in TCP.
 */
import { connect, createServer, type Socket } from 'node:net';
import type { Quality, ToLine } from './line-messages.ts';

let target = 0;
let quality: Quality = { delayMs: 0, lossShare: 0, bytesPerSecond: Number.POSITIVE_INFINITY };
/** The delay before a lost packet is sent again. */
const againMs = 200;
const packetBytes = 1_400;

/** Forwards packets in order, each after its delay. */
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
  const request = message as ToLine;
  if (request.kind === 'to') target = request.port;
  else quality = request.quality;
  process.send?.({ done: true });
});
process.on('disconnect', () => process.exit());
