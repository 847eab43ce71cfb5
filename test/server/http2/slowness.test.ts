/** Idle and slow clients, with limits that are shortened for these tests. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  errorCodes,
  frame,
  frameTypes,
  headersFrame,
  preface,
  requestFields,
  rstStream,
  settingsFrame,
} from '../../support/http2-frames.ts';
import type { RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

const idleMs = 200;
const headersMs = 150;

vi.mock('../../../engine/src/server/limits.ts', async (original) => {
  const limits = await original<typeof import('../../../engine/src/server/limits.ts')>();
  return {
    ...limits,
    connectionLimits: { ...limits.connectionLimits, idleMs: 200, headersMs: 150 },
    http2Limits: { ...limits.http2Limits, waitingBytes: 100_000 },
  };
});

const listener = withListener();
const get = (stream: number, path: string): Buffer => headersFrame(stream, requestFields({ path }));
const pingFrame = frame(frameTypes.ping, { payload: Buffer.alloc(8) });

/** Sends a piece repeatedly until the connection has ended. */
const sendOn = async (client: RawHttp2, piece: Buffer): Promise<void> => {
  while (!client.isClosed) {
    client.send(piece);
    await pause(20);
  }
};

describe('an idle client', () => {
  test('gets GOAWAY', async () => {
    const client = await listener.open();
    const since = performance.now();
    expect((await client.ended()).goaways).toEqual([0]);
    expect(performance.now() - since).toBeGreaterThan(idleMs * 0.9);
  });

  test('is disconnected even before its preface', async () => {
    const client = await listener.open({ opening: Buffer.alloc(0) });
    await client.ended();
  });

  test('may wait for its response', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait'));
    await pause(idleMs * 2);
    listener.release();
    expect((await client.answer(1)).status).toBe(200);
    expect((await client.ended()).goaways).toEqual([0]);
  });
});

describe('a client after a long request', () => {
  const longBegun = async (): Promise<RawHttp2> => {
    const client = await listener.open();
    client.send(get(1, '/wait'));
    for (const since = performance.now(); performance.now() - since < idleMs * 2; ) {
      await pause(20);
      await client.alive();
    }
    return client;
  };

  test('may cancel it and send another one', async () => {
    const client = await longBegun();
    client.send(rstStream(1));
    await client.alive();
    client.send(get(3, '/livez'));
    expect((await client.answer(3)).status).toBe(200);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('becomes idle when it ends', async () => {
    const client = await longBegun();
    client.send(rstStream(1));
    const since = performance.now();
    expect((await client.ended()).goaways).toEqual([0]);
    expect(performance.now() - since).toBeGreaterThan(idleMs * 0.9);
  });
});

describe('a client that does not read its response', () => {
  test.each([
    ['while it is silent', undefined],
    ['while it sends PING', pingFrame],
    [
      'while it increases the wrong window',
      frame(frameTypes.windowUpdate, { payload: Buffer.from([0, 0, 0, 1]) }),
    ],
  ])('loses it %s', async (_name, piece) => {
    const client = await listener.open({ settings: [[4, 0]] });
    client.send(get(1, '/big/100'));
    await client.until(() => client.received(1).status === 200, 'the headers of the response');
    const ended = client.ended();
    if (piece !== undefined) await sendOn(client, piece);
    await ended;
    expect(client.dataBytes(1)).toBe(0);
  });

  test('has time until the idle timeout', async () => {
    const client = await listener.open({ settings: [[4, 0]] });
    await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(idleMs));
    client.send(get(1, '/big/100'));
    await client.until(() => client.received(1).status === 200, 'the headers of the response');
    await client.alive();
    client.send(
      frame(frameTypes.windowUpdate, { stream: 1, payload: Buffer.from([0, 0, 0, 100]) }),
    );
    expect((await client.answer(1)).body).toHaveLength(100);
  });

  test('loses that stream only', async () => {
    const client = await listener.open({ settings: [[4, 0]] });
    client.send(get(1, '/big/100'), get(3, '/wait'));
    await client.until(() => client.received(1).status === 200, 'the headers of the response');
    await client.until(() => client.received(1).reset !== undefined, 'the end of the response');
    expect(client.received(1).reset).toBe(errorCodes.cancel);
    listener.release();
    await client.until(
      () => client.received(3).status === 200,
      'the headers of the other response',
    );
  });

  test('loses it while it reads a byte now and then', async () => {
    const client = await listener.open({ settings: [[4, 0]] });
    client.send(get(1, '/big/100000'));
    const byte = frame(frameTypes.windowUpdate, { stream: 1, payload: Buffer.from([0, 0, 0, 1]) });
    const ended = client.ended();
    await sendOn(client, byte);
    await ended;
    expect(client.received(1).reset).toBe(errorCodes.cancel);
  });

  test('loses a streamed response', async () => {
    const client = await listener.open({ settings: [[4, 0]] });
    client.send(get(1, '/pieces/100'));
    await client.ended();
    await vi.waitFor(() => expect(listener.events()).toContain('/pieces/100 over'));
  });
});

test('refuses streams when too many bytes of responses wait for the client', async () => {
  const client = await listener.open({ settings: [[4, 0]] });
  const streams = [1, 3, 5, 7];
  client.send(...streams.map((stream) => get(stream, '/big/60000')));
  await client.until(() => client.received(7).reset !== undefined, 'the end of the last stream');
  client.send(get(9, '/livez'));
  await client.until(() => client.received(9).reset !== undefined, 'the end of a new stream');
  const { refusedStream } = errorCodes;
  expect([...streams, 9].map((stream) => client.received(stream).reset)).toEqual([
    undefined,
    undefined,
    refusedStream,
    refusedStream,
    refusedStream,
  ]);
});

test('PING does not prolong the idle timeout', async () => {
  const client = await listener.open();
  const ended = client.ended();
  await sendOn(client, pingFrame);
  expect((await ended).goaways).toEqual([0]);
});

test('an incomplete header block times out while a request waits', async () => {
  const client = await listener.open();
  client.send(get(1, '/wait'), frame(frameTypes.headers, { stream: 3 }));
  expect((await client.ended()).goaways).toEqual([errorCodes.enhanceYourCalm]);
});

describe('a client that is too slow', () => {
  test.each([
    ['to send its preface', [], Array.from(preface, (byte) => Buffer.from([byte]))],
    ['to send a frame', [preface, settingsFrame(), get(1, '/livez').subarray(0, 10)], undefined],
    [
      'to end a header block',
      [preface, settingsFrame(), frame(frameTypes.headers, { stream: 1 })],
      [frame(frameTypes.continuation, { stream: 1 })],
    ],
  ] satisfies [string, readonly Buffer[], readonly Buffer[] | undefined][])(
    '%s',
    async (_name, begun, pieces) => {
      const client = await listener.open({ opening: Buffer.concat(begun) });
      const ended = client.ended();
      const rest = pieces ?? [Buffer.from([0])];
      for (let round = 0; !client.isClosed; round += 1) {
        client.send(rest[round % rest.length] ?? Buffer.alloc(0));
        await pause(headersMs / 10);
      }
      expect((await ended).goaways.filter((code) => code !== errorCodes.enhanceYourCalm)).toEqual(
        [],
      );
      expect(listener.events()).toEqual([]);
    },
  );
});
