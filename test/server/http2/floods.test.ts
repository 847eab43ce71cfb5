/**
 * Floods of frames: the client gets ENHANCE_YOUR_CALM or is not read any longer, while other
 * clients are answered. Tests have the published names of the attacks.
 */
import { describe, expect, test, vi } from 'vitest';
import { reach, startFake } from '../../support/fake-generation.ts';
import type { Field } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  errorCodes,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headersFrame,
  prefixed,
  requestFields,
  rstStream,
  settingsFrame,
  windowUpdate,
} from '../../support/http2-frames.ts';
import { openRaw, type RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();
const { enhanceYourCalm, compressionError, refusedStream } = errorCodes;
const { headers, priority, ping, continuation } = frameTypes;

const waiting = requestFields({ method: 'POST', path: '/wait' });
const begin = (stream: number): Buffer => headersFrame(stream, waiting, { more: true });
const priorityOf = (stream: number, on: number): Buffer =>
  frame(priority, { stream, payload: Buffer.from([0, 0, 0, on, 1]) });
/** Repeats the piece. */
const times = (count: number, piece: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => piece));

/** Time after which a server that accepts no bytes counts as not reading. */
const notReadMs = 300;

/**
 * Sends pieces until the connection ends or all are sent, and checks on another connection that
 * requests are answered. Returns false if the server stops reading.
 */
const flood = async (
  client: RawHttp2,
  { rounds, piece }: { readonly rounds: number; readonly piece: (round: number) => Buffer },
): Promise<boolean> => {
  const otherClient = await listener.open();
  let nextStream = 1;
  const requestOnOtherClient = async (): Promise<void> => {
    otherClient.send(headersFrame(nextStream, requestFields()));
    expect((await otherClient.answer(nextStream)).status).toBe(200);
    nextStream += 2;
  };
  try {
    for (let round = 0; round < rounds && !client.isClosed; round += 1) {
      client.send(piece(round));
      if (!(await client.sentWithin(notReadMs))) return false;
      if (round % 50 === 0) await requestOnOtherClient();
    }
    return true;
  } finally {
    await requestOnOtherClient();
  }
};

describe('streams that are reset', () => {
  const rounds = 3000;
  const kinds: readonly (readonly [string, (stream: number) => readonly Buffer[]])[] = [
    ['rapid reset', (stream) => [begin(stream), rstStream(stream)]],
    ['MadeYouReset with WINDOW_UPDATE of 0', (stream) => [begin(stream), windowUpdate(stream, 0)]],
    [
      'MadeYouReset with a window above the maximum',
      (stream) => [begin(stream), windowUpdate(stream, 0x7fffffff)],
    ],
    [
      'MadeYouReset with DATA after the end',
      (stream) => [begin(stream), dataFrame(stream, ''), dataFrame(stream, '')],
    ],
    [
      'MadeYouReset with an invalid trailer section',
      (stream) => [begin(stream), headersFrame(stream, [[':path', '/']])],
    ],
    [
      'MadeYouReset with a wrong Content-Length',
      (stream) => [
        headersFrame(stream, [...waiting, ['content-length', '1']], { more: true }),
        dataFrame(stream, 'ab'),
      ],
    ],
    ['malformed header fields', (stream) => [headersFrame(stream, [...waiting, ['A', 'b']])]],
    ['more streams than allowed', (stream) => [begin(stream)]],
  ];

  test.each(kinds)('%s', async (_name, sent) => {
    const client = await listener.open();
    await flood(client, {
      rounds: rounds / 10,
      piece: (round) =>
        Buffer.concat(
          Array.from({ length: 10 }, (_, index) => sent((round * 10 + index) * 2 + 1)).flat(),
        ),
    });
    expect((await client.ended()).goaways).toEqual([enhanceYourCalm]);
    const begun = listener.events().filter((what) => what === '/wait begun');
    const cut = listener.events().filter((what) => what === '/wait cut');
    expect(begun.length).toBeLessThan(250);
    expect(cut).toHaveLength(begun.length);
  });
});

describe('frames without effect', () => {
  const kinds: readonly (readonly [string, Buffer])[] = [
    ['PING', frame(ping, { payload: Buffer.alloc(8) })],
    ['SETTINGS', settingsFrame()],
    [
      'SETTINGS that change the initial window',
      Buffer.concat([settingsFrame([[4, 65_536]]), settingsFrame([[4, 65_535]])]),
    ],
    ['PRIORITY', priorityOf(1, 3)],
    ['empty DATA', dataFrame(1, '', { more: true })],
    ['padding', frame(0, { flags: flags.padded, stream: 1, payload: Buffer.from([1, 0]) })],
    ['unknown frames', frame(0x77)],
    ['RST_STREAM on a stream that has ended', rstStream(3)],
    ['DATA on a stream that has ended', dataFrame(3, 'a', { more: true })],
    ['WINDOW_UPDATE for the connection', windowUpdate(0, 1)],
    ['WINDOW_UPDATE on an open stream', windowUpdate(1, 1)],
    ['WINDOW_UPDATE on a stream that has ended', windowUpdate(3, 1)],
  ];

  test.each(kinds)('%s', async (_name, piece) => {
    const client = await listener.open();
    client.send(begin(1), headersFrame(3, requestFields()));
    await client.answer(3);
    await flood(client, { rounds: 500, piece: () => times(200, piece) });
    expect((await client.ended()).goaways).toEqual([enhanceYourCalm]);
    await vi.waitFor(() => expect(listener.events()).toContain('/wait cut'));
  });
});

describe('WINDOW_UPDATE while a hundred responses wait', () => {
  const big = requestFields({ path: '/big/20000' });
  const waitingAnswers = async (window: number): Promise<RawHttp2> => {
    const client = await listener.open({ settings: [[4, window]] });
    const streams = Array.from({ length: 100 }, (_, index) => index * 2 + 1);
    client.send(...streams.map((stream) => headersFrame(stream, big)));
    await client.until(() => client.received(199).status === 200, 'the headers of all responses');
    return client;
  };

  test('that allows no data ends the connection', async () => {
    const client = await waitingAnswers(0);
    // 5 for the connection, 2 for each stream.
    client.send(times(205, windowUpdate(0, 1)));
    await client.alive();
    client.send(windowUpdate(0, 1));
    expect((await client.ended()).goaways).toEqual([enhanceYourCalm]);
  });

  test('may allow a few bytes each', async () => {
    const client = await waitingAnswers(1_000_000);
    for (let sent = 0; sent < 5000; sent += 1) client.send(windowUpdate(0, 16));
    await client.until(() => client.dataBytes() >= 65_535 + 80_000, 'the allowed bytes');
    await client.alive();
  });
});

describe('a client that never reads', () => {
  /**
   * Floods without reading, then reads the frames that were sent to the client. The server stops
   * reading or ends the connection.
   */
  const framesSentTo = async (
    client: RawHttp2,
    { rounds, piece }: { readonly rounds: number; readonly piece: (round: number) => Buffer },
  ): Promise<number> => {
    client.socket.pause();
    const isRead = await flood(client, { rounds, piece });
    client.socket.resume();
    if (isRead) await client.ended();
    return client.frames.length;
  };

  test.each([
    ['and sends PING', frame(ping, { payload: Buffer.alloc(8) })],
    ['and sends SETTINGS', settingsFrame([[4, 65_535]])],
  ])('%s', async (_name, piece) => {
    const client = await listener.open({ silent: true });
    const rounds = 300;
    expect(await framesSentTo(client, { rounds, piece: () => times(1000, piece) })).toBeLessThan(
      20_000,
    );
  });

  test('and requests long responses', async () => {
    const client = await listener.open({ settings: [[4, 0x7fffffff]] });
    client.send(windowUpdate(0, 0x7fffffff - 65_535));
    await client.alive();
    const long = requestFields({ path: '/big/300000' });
    await framesSentTo(client, {
      rounds: 1000,
      piece: (round) => headersFrame(round * 2 + 1, long),
    });
    const begun = listener.events().filter((what) => what === '/big/300000 begun');
    // A hundred wait, and the socket buffers hold a few more.
    expect(begun.length).toBeLessThan(200);
  });

  test('and requests responses with large headers', async () => {
    const client = await listener.open();
    client.socket.pause();
    const headersOnly = requestFields({ path: '/headers/8000' });
    await flood(client, {
      rounds: 500,
      piece: (round) =>
        Buffer.concat(
          Array.from({ length: 10 }, (_, index) =>
            headersFrame((round * 10 + index) * 2 + 1, headersOnly),
          ),
        ),
    });
    const begun = listener.events().filter((what) => what === '/headers/8000 begun');
    expect(begun.length).toBeLessThan(5000);
    expect(client.isClosed).toBe(false);
  });

  test('and requests a streamed response', async () => {
    const client = await listener.open({ settings: [[4, 0x7fffffff]] });
    client.send(windowUpdate(0, 0x7fffffff - 65_535));
    await client.alive();
    client.socket.pause();
    client.send(headersFrame(1, requestFields({ path: '/pieces/3000' })));
    const otherClient = await listener.open();
    for (let stream = 1; stream < 2000; stream += 2) {
      otherClient.send(headersFrame(stream, requestFields()));
      await otherClient.answer(stream);
    }
    expect(listener.events()).not.toContain('/pieces/3000 over');
    client.close();
    await vi.waitFor(() => expect(listener.events()).toContain('/pieces/3000 over'));
  });
});

describe('an endless header block', () => {
  const block = headerBlock(requestFields());
  const begun = frame(headers, { flags: flags.endStream, stream: 1, payload: block });
  const more = (payload: Buffer): Buffer => frame(continuation, { stream: 1, payload });

  test.each([
    ['of fields', more(headerBlock([['x-a', 'b'.repeat(1000)]]))],
    ['of fields in whole frames', more(headerBlock([['x-a', 'b'.repeat(16_000)]]))],
    ['of empty frames', more(Buffer.alloc(0))],
    ['of single bytes', more(Buffer.from([0x20]))],
  ])('%s', async (_name, piece) => {
    const client = await listener.open();
    client.send(begun);
    await flood(client, { rounds: 2000, piece: () => times(10, piece) });
    expect((await client.ended()).goaways).toEqual([enhanceYourCalm]);
    expect(listener.events().filter((what) => what !== '/livez begun')).toEqual([]);
  });
});

describe('a large header block', () => {
  const sendBlock = (client: RawHttp2, block: Buffer): void => {
    for (let place = 0; place < block.length; place += 16_384) {
      client.send(
        frame(place === 0 ? headers : continuation, {
          flags:
            (place === 0 ? flags.endStream : 0) |
            (place + 16_384 >= block.length ? flags.endHeaders : 0),
          stream: 1,
          payload: block.subarray(place, place + 16_384),
        }),
      );
    }
  };
  const padded = (count: number, length: number): Buffer =>
    headerBlock([
      ...requestFields(),
      ...Array.from({ length: count }, (_, index): Field => [`x-${index}`, 'a'.repeat(length)]),
    ]);

  test('of half a mebibyte is accepted', async () => {
    const client = await listener.open();
    sendBlock(client, padded(500, 1000));
    expect((await client.answer(1)).status).toBe(200);
  });

  test('with one field of half a mebibyte is accepted', async () => {
    const client = await listener.open();
    sendBlock(client, padded(1, 500_000));
    expect((await client.answer(1)).status).toBe(200);
  });

  test('of a mebibyte, including 32 bytes for each field, gets a 431', async () => {
    const client = await listener.open();
    sendBlock(client, padded(740, 1380));
    expect((await client.answer(1)).status).toBe(431);
    await client.alive();
    expect(listener.events()).toEqual([]);
  });

  test('of one and a half mebibytes ends the connection', async () => {
    const client = await listener.open();
    sendBlock(client, padded(1500, 1000));
    expect((await client.ended()).goaways).toEqual([enhanceYourCalm]);
    expect(listener.events()).toEqual([]);
  });

  test('with a field length of a gibibyte ends the connection', async () => {
    const client = await listener.open();
    const length = prefixed(0, 7, 2 ** 30);
    sendBlock(client, Buffer.concat([padded(0, 0), Buffer.from([0, 1, 97]), length]));
    const { goaways } = await client.ended();
    expect(goaways).toEqual([compressionError]);
  });

  test('that repeats a large table entry gets a 431', async () => {
    const client = await listener.open();
    const entry = Buffer.concat([
      Buffer.from([0x40, 1, 97]),
      prefixed(0, 7, 4000),
      Buffer.alloc(4000, 'b'),
    ]);
    const before = process.memoryUsage().rss;
    const named = Buffer.alloc(60_000, 0x80 | 62);
    sendBlock(client, Buffer.concat([headerBlock(requestFields()), entry, named]));
    expect((await client.answer(1)).status).toBe(431);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(listener.events()).toEqual([]);
  });

  test('with more than a thousand fields gets a 431', async () => {
    const server = await startFake();
    const client = await openRaw(reach(server));
    const fields = (count: number): readonly Field[] =>
      Array.from({ length: count }, (): Field => ['x', 'v']);
    const known: Field = ['authorization', 'Bearer tok-alice'];
    client.send(headersFrame(1, requestFields({ fields: [known, ...fields(999)] })));
    expect((await client.answer(1)).status).toBe(200);
    client.send(headersFrame(3, requestFields({ fields: [known, ...fields(1000)] })));
    expect((await client.answer(3)).status).toBe(431);
    client.close();
    await server.close(100);
  });
});

describe('refuses streams beyond a hundred', () => {
  const streams = Array.from({ length: 120 }, (_, index) => index * 2 + 1);
  const refusedBy = async (client: RawHttp2): Promise<readonly number[]> => {
    await client.alive();
    return streams.filter((stream) => client.received(stream).reset === refusedStream);
  };

  test('and answers the hundred', async () => {
    const client = await listener.open();
    client.send(...streams.map((stream) => begin(stream)));
    expect(await refusedBy(client)).toEqual(streams.slice(100));
    listener.release();
    for (const stream of streams.slice(0, 100)) {
      expect((await client.answer(stream)).status).toBe(200);
    }
  });

  test('while responses wait for the client', async () => {
    const client = await listener.open({ settings: [[4, 0]] });
    const [first, rest] = [streams.slice(0, 100), streams.slice(100)];
    const big = requestFields({ path: '/big/10' });
    client.send(...first.map((stream) => headersFrame(stream, big)));
    await client.until(
      () => client.received(199).status === 200,
      'the headers of the last response',
    );
    client.send(...rest.map((stream) => headersFrame(stream, big)));
    expect(await refusedBy(client)).toEqual(rest);
  });

  test('while requests of reset streams are being processed', async () => {
    const client = await listener.open();
    const stubborn = requestFields({ path: '/stubborn' });
    const [gone, waiting] = [streams.slice(0, 90), streams.slice(90)];
    client.send(...gone.flatMap((stream) => [headersFrame(stream, stubborn), rstStream(stream)]));
    client.send(...waiting.slice(0, 15).map((stream) => begin(stream)));
    expect(await refusedBy(client)).toEqual(waiting.slice(10, 15));
    listener.release();
    await client.answer(181);
    client.send(headersFrame(301, requestFields()));
    expect((await client.answer(301)).status).toBe(200);
  });
});

test('does not limit a client that behaves well', async () => {
  const client = await listener.open();
  for (let stream = 1; stream < 1000; stream += 2) {
    client.send(
      headersFrame(stream, requestFields({ method: 'POST', path: '/echo' }), { more: true }),
      priorityOf(stream, 0),
      dataFrame(stream, 'abc'),
      windowUpdate(0, 100),
    );
    expect((await client.answer(stream)).status).toBe(200);
    // Clients also send WINDOW_UPDATE for data that they read after the end of the stream.
    client.send(...Array.from({ length: 10 }, () => windowUpdate(stream, 10)));
    if (stream % 20 === 1) await client.alive();
  }
});
