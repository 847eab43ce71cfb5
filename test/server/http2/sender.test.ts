/**
 * The cost of a WINDOW_UPDATE while many responses wait: the sender only visits streams that can
 * send. Reads of a stream's window are counted, so that no clock is needed.
 */
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import {
  initialWindowSize,
  type Outgoing,
  Sender,
} from '../../../engine/src/server/http2/sender.ts';
import { connectionMemory } from '../../support/server-memory.ts';

const bodyBytes = 100_000;

/** Creates a sender with so many waiting streams and counts how often they are visited. */
const waitingSender = (streams: number, window: number) => {
  let looks = 0;
  const written: Buffer[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const sender = new Sender(socket, () => {}, connectionMemory().responses);
  const all = Array.from({ length: streams }, (_, index): Outgoing => {
    let left = window;
    return {
      id: index * 2 + 1,
      get window() {
        looks += 1;
        return left;
      },
      set window(value: number) {
        left = value;
      },
      rest: Buffer.alloc(bodyBytes),
      isLast: true,
      onSent() {},
    };
  });
  for (const outgoing of all) sender.send(outgoing);
  sender.flush();
  return {
    sender,
    all,
    bytes: () => Buffer.concat(written).length,
    looksOf(work: () => void): number {
      looks = 0;
      work();
      return looks;
    },
  };
};

const most = 10;

test.each([1, 100, 10_000])(
  'visits few of %i streams with closed windows when the connection window grows',
  (streams) => {
    const { sender, looksOf } = waitingSender(streams, 0);
    expect(looksOf(() => sender.widen(1))).toBeLessThan(most);
  },
);

test.each([1, 100, 10_000])(
  'visits few of %i open streams when the connection window grows by a byte',
  (streams) => {
    const { sender, looksOf } = waitingSender(streams, 1_000_000);
    sender.widen(1);
    expect(looksOf(() => sender.widen(1))).toBeLessThan(most);
  },
);

test.each([1, 100, 10_000])(
  'visits few of %i streams when the window of one grows by a byte',
  (streams) => {
    const { sender, all, looksOf } = waitingSender(streams, 0);
    const last = all.at(-1);
    if (last === undefined) throw new Error('unreachable: there is a stream');
    const look = (): void => {
      last.window += 1;
      sender.windowsChanged([last]);
    };
    expect(looksOf(look)).toBeLessThan(most);
    expect(last.rest).toHaveLength(bodyBytes - 1);
  },
);

test('waitingBytes is the sum of what the streams have left to send', () => {
  const { sender, all } = waitingSender(3, 1_000_000);
  expect(sender.waitingBytes).toBe(3 * bodyBytes - initialWindowSize);
  const [first] = all;
  if (first === undefined) throw new Error('unreachable: there is a stream');
  sender.forget(first);
  expect(sender.waitingBytes).toBe((all[1]?.rest?.length ?? 0) + (all[2]?.rest?.length ?? 0));
  sender.widen(1_000_000);
  sender.flush();
  sender.flush();
  expect(sender.waitingBytes).toBe(0);
});

test('sends nothing while a window is negative', () => {
  const { sender, all, bytes } = waitingSender(2, 1_000_000);
  for (const outgoing of all) outgoing.window = -1;
  const before = bytes();
  sender.widen(1000);
  sender.flush();
  expect(bytes()).toBe(before);
});
