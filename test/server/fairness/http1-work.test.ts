import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoopShare } from '../../../engine/src/server/fairness/loop-share.ts';
import { Http1Work } from '../../../engine/src/server/http/http1-work.ts';
import { loopLimits } from '../../../engine/src/server/limits.ts';

/** A clock that only advances while a request is served. */
let now = 0;

/** A connection of the network of all tests, with a function that sends a request. */
const connection = (loop: LoopShare) => {
  const work = new Http1Work(new Socket(), loop);
  return (method: string, url: string, serve: () => void): void => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
    work.begin(request, new ServerResponse(request), () => {
      now += 1;
      serve();
    });
  };
};

const requestsBefore = async (method: string, url: string): Promise<number> => {
  const loop = new LoopShare(() => now);
  const flood = Array.from({ length: 43 }, () => connection(loop));
  const waiting = connection(loop);
  let flooded = 0;
  const served = Promise.withResolvers<number>();
  const send = (at: number): void => {
    flood[at]?.('POST', '/apis', () => {
      flooded += 1;
      if (flooded < 2_000) send(at);
    });
  };
  for (const at of flood.keys()) for (let one = 0; one < 20; one += 1) send(at);
  // A request before, so that the connection has used time like the others.
  waiting(method, url, () => {
    const before = flooded;
    waiting(method, url, () => served.resolve(flooded - before));
  });
  await nextTurn();
  return served.promise;
};

test.each(['/livez', '/readyz?verbose', '/healthz/ping'])(
  'other requests of a network do not delay the probe %s',
  async (path) => {
    expect(await requestsBefore('GET', path)).toBeLessThanOrEqual(2 * loopLimits.stepsOfTurn);
  },
);

test.each([
  ['POST', '/livez'],
  ['GET', '/livezz'],
  ['GET', '/version?/livez'],
])('%s %s takes its turn with the other requests of its network', async (method, path) => {
  expect(await requestsBefore(method, path)).toBeGreaterThan(2 * loopLimits.stepsOfTurn);
});
