import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoopShare, type LoopSource } from '../../../engine/src/server/fairness/loop-share.ts';
import { loopLimits } from '../../../engine/src/server/limits.ts';

/** A connection that counts how often its input is paused. */
const connection = (loop: LoopShare, network = '192.0.2.1') => {
  const counts = { paused: 0, resumed: 0 };
  const source = loop.source(network, {
    pause() {
      counts.paused += 1;
    },
    resume() {
      counts.resumed += 1;
    },
  });
  return { source, counts };
};

/**
 * The clock of all tests; it only advances while a piece of work runs, regardless of the machine.
 */
let now = 0;
const loopShare = (): LoopShare => new LoopShare(() => now);

/** Uses time of the loop, as a request does. */
const spin = (milliseconds: number): void => {
  now += milliseconds;
};

/** More work than fits into a turn of the loop. */
const fill = (source: LoopSource, jobs: number, ran: () => void): void => {
  for (let at = 0; at < jobs; at += 1) {
    source.run(() => {
      spin(0.05);
      ran();
    });
  }
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await nextTurn();
};

test('runs work at once while the loop keeps up', async () => {
  const { source, counts } = connection(loopShare());
  const jobs = 30;
  for (let turn = 0; turn < 10; turn += 1) {
    let ran = 0;
    fill(source, jobs, () => {
      ran += 1;
    });
    // Together they would not fit into one turn.
    expect(ran).toBe(jobs);
    // The first one may still belong to this turn.
    await nextTurn();
    await nextTurn();
  }
  expect(counts).toEqual({ paused: 0, resumed: 0 });
});

test('runs the backlog of one connection in order, and reads from it again afterwards', async () => {
  const { source, counts } = connection(loopShare());
  const order: number[] = [];
  for (let at = 0; at < 400; at += 1) {
    source.run(() => {
      spin(0.05);
      order.push(at);
    });
  }
  expect(order.length).toBeLessThan(400);
  expect(counts).toEqual({ paused: 1, resumed: 0 });
  await until(() => order.length === 400);
  expect(order).toEqual(Array.from({ length: 400 }, (_, at) => at));
  expect(counts).toEqual({ paused: 1, resumed: 1 });
});

test('serves a quiet user before the waiting work of many connections of another user', async () => {
  const loop = loopShare();
  let flooded = 0;
  for (let at = 0; at < 43; at += 1) {
    const { source } = connection(loop);
    source.useAccount('flooder');
    fill(source, 50, () => {
      flooded += 1;
    });
  }
  for (let round = 0; round < 5; round += 1) {
    const { source: quiet } = connection(loop);
    quiet.useAccount(`other ${round}`);
    await nextTurn();
    const before = flooded;
    await new Promise<void>((resolve) => quiet.run(resolve));
    expect(flooded - before).toBeLessThanOrEqual(2 * loopLimits.stepsOfTurn);
  }
  expect(flooded).toBeLessThan(43 * 50);
  await until(() => flooded === 43 * 50);
});

test('leaves a quarter of the time to a user with a backlog next to three users who wait for each response', async () => {
  const loop = loopShare();
  const ran = { backlog: 0, closedLoop: 0 };
  const work = (user: keyof typeof ran) => (): void => {
    spin(1);
    ran[user] += 1;
  };
  const sourceOf = (user: string): LoopSource => {
    const { source } = connection(loop);
    source.useAccount(user);
    return source;
  };
  const backlogged = sourceOf('backlogged');
  for (let at = 0; at < 400; at += 1) backlogged.run(work('backlog'));
  const before = ran.backlog;
  const sendOneByOne = async (source: LoopSource): Promise<void> => {
    while (ran.closedLoop < 90) {
      await new Promise<void>((resolve) => {
        source.run(() => {
          work('closedLoop')();
          resolve();
        });
      });
      await nextTurn();
    }
  };
  await Promise.all(['first', 'second', 'third'].map((user) => sendOneByOne(sourceOf(user))));
  // A quarter of the time is 30; less where the machine interrupts a piece of the backlog.
  expect(ran.backlog - before).toBeGreaterThanOrEqual(10);
});

test('shares time among the connections of one network before authentication', async () => {
  const loop = loopShare();
  let flooded = 0;
  for (let at = 0; at < 20; at += 1) {
    fill(connection(loop).source, 50, () => {
      flooded += 1;
    });
  }
  await nextTurn();
  const before = flooded;
  await new Promise<void>((resolve) => connection(loop).source.run(resolve));
  expect(flooded - before).toBeLessThanOrEqual(2 * loopLimits.stepsOfTurn);
  await until(() => flooded === 20 * 50);
});

test('leaves an older connection its share while others of its network are opened continuously', async () => {
  const loop = loopShare();
  let flooded = 0;
  let isOver = false;
  const openAnother = (): void => {
    const { source } = connection(loop);
    source.run(() => {
      spin(0.05);
      flooded += 1;
      source.close();
      if (!isOver) openAnother();
    });
  };
  const { source: old } = connection(loop);
  // More work than fits into a turn, so that the others wait.
  fill(connection(loop).source, 100, () => {});
  for (let at = 0; at < 20; at += 1) openAnother();
  await new Promise<void>((resolve) => {
    old.run(() => {
      spin(5);
      resolve();
    });
  });
  await nextTurn();
  const before = flooded;
  await Promise.race([
    new Promise<void>((resolve) => old.run(resolve)),
    until(() => flooded - before > 5_000),
  ]);
  isOver = true;
  // Each of the others may use as much time as the old one has used.
  expect(flooded - before).toBeLessThanOrEqual((20 * 5) / 0.05);
});

test('counts an interrupted piece of work like a usual one', async () => {
  const loop = loopShare();
  let flooded = 0;
  for (let at = 0; at < 20; at += 1) {
    fill(connection(loop).source, 200, () => {
      flooded += 1;
    });
  }
  const { source } = connection(loop);
  const run = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      source.run(() => {
        spin(milliseconds);
        resolve();
      });
    });
  for (const milliseconds of [0.05, 0.05, 500]) await run(milliseconds);
  await nextTurn();
  const before = flooded;
  await run(0.05);
  expect(flooded - before).toBeLessThanOrEqual((20 * (loopLimits.turnMs + 1)) / 0.05);
});

test('limits a client of long requests to its share', async () => {
  const loop = loopShare();
  let backlogMs = 0;
  const { source: backlog } = connection(loop);
  backlog.useAccount('backlog');
  for (let at = 0; at < 2_000; at += 1) {
    backlog.run(() => {
      spin(1);
      backlogMs += 1;
    });
  }
  const { source: long } = connection(loop);
  long.useAccount('long');
  const before = backlogMs;
  for (let round = 0; round < 20; round += 1) {
    // Short requests between the long ones do not hide them.
    for (const milliseconds of [0.1, 50]) {
      await new Promise<void>((resolve) => {
        long.run(() => {
          spin(milliseconds);
          resolve();
        });
      });
      await nextTurn();
    }
  }
  // Half of the time would be 1,000; the usual time of a request is known after a few of them.
  expect(backlogMs - before).toBeGreaterThanOrEqual(700);
});

test('drops the work of a closed connection', async () => {
  const loop = loopShare();
  let ran = 0;
  const gone = connection(loop);
  fill(gone.source, 200, () => {
    ran += 1;
  });
  const at = ran;
  gone.source.close();
  const { source } = connection(loop);
  await new Promise<void>((resolve) => source.run(resolve));
  await nextTurn();
  expect(ran).toBe(at);
});

test('has accounts only for open connections, also if a user is authenticated too late', () => {
  const loop = loopShare();
  const { source } = connection(loop);
  const { source: other } = connection(loop);
  for (let at = 0; at < 100; at += 1) source.useAccount(`user ${at}`);
  expect(loop.accounts).toBe(2);
  source.close();
  source.useAccount('late');
  source.run(() => {
    throw new Error('the connection is gone');
  });
  expect(loop.accounts).toBe(1);
  other.close();
  expect(loop.accounts).toBe(0);
});

test('preserves the order of the work of a user whose connection waits', async () => {
  const loop = loopShare();
  const { source } = connection(loop);
  const order: number[] = [];
  for (let at = 0; at < 200; at += 1) {
    source.run(() => {
      spin(0.05);
      order.push(at);
      source.useAccount(at % 2 === 0 ? 'alice' : 'bob');
    });
  }
  await until(() => order.length === 200);
  expect(order).toEqual(Array.from({ length: 200 }, (_, at) => at));
});
