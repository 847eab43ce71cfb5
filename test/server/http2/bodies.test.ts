/**
 * Bodies over HTTP/2: their length as it was said, trailers behind them, and answers that come before
 * their end. Nothing is done by a body that did not come as it was announced.
 */
import { describe, expect, test } from 'vitest';
import { bodyLimits } from '../../../engine/src/server/limits.ts';
import type { Field } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  dataFrames,
  errorCodes,
  flags,
  frame,
  frameTypes,
  headersFrame,
  requestFields,
} from '../../support/http2-frames.ts';
import type { RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();
const { protocolError, streamClosed, noError } = errorCodes;

const upload = (fields: readonly Field[] = [], path = '/echo'): Buffer =>
  headersFrame(1, requestFields({ method: 'POST', path, fields }), { more: true });
const announced = (length: string): Buffer => upload([['content-length', length]]);
const trailers = (fields: readonly Field[]): Buffer => headersFrame(1, fields);

/** What the stream comes to; a request beside it must be answered all the same. */
const exchange = async (sent: readonly Buffer[]) => {
  const client = await listener.open();
  client.send(...sent, headersFrame(3, requestFields()));
  const answer = await client.answer(1);
  expect((await client.answer(3)).status).toBe(200);
  await client.alive();
  return answer;
};

describe('the length that was announced', () => {
  test.each([
    ['fewer bytes', [announced('5'), dataFrame(1, 'abc')]],
    ['no bytes', [announced('5'), dataFrame(1, '')]],
    ['more bytes at once', [announced('5'), dataFrame(1, 'abcdefg')]],
    [
      'more bytes later',
      [announced('5'), dataFrame(1, 'abcde', { more: true }), dataFrame(1, 'f')],
    ],
    ['bytes where none were announced', [announced('0'), dataFrame(1, 'abc')]],
    [
      'fewer bytes and trailers',
      [announced('5'), dataFrame(1, 'ab', { more: true }), trailers([])],
    ],
    [
      'a length and no body',
      [headersFrame(1, requestFields({ path: '/echo', fields: [['content-length', '5']] }))],
    ],
    [
      'two lengths',
      [
        upload([
          ['content-length', '5'],
          ['content-length', '3'],
        ]),
        dataFrame(1, 'abcde'),
      ],
    ],
    ['two lengths in one', [announced('5, 5'), dataFrame(1, 'abcde')]],
    ['a sign', [announced('+5'), dataFrame(1, 'abcde')]],
    ['less than nothing', [announced('-1'), dataFrame(1, '')]],
    ['no number', [announced('abc'), dataFrame(1, 'abcde')]],
    ['nothing', [announced(''), dataFrame(1, 'abcde')]],
    ['a number beyond all numbers', [announced('99999999999999999999'), dataFrame(1, 'abcde')]],
    ['a hexadecimal number', [announced('0x5'), dataFrame(1, 'abcde')]],
  ] satisfies [string, readonly Buffer[]][])('%s is a fault of the stream', async (_name, sent) => {
    expect(await exchange(sent)).toMatchObject({ status: undefined, reset: protocolError });
    expect(listener.events()).not.toContain('/echo whole');
  });

  test.each([
    ['as announced', [announced('5'), dataFrame(1, 'abcde')], 'abcde'],
    [
      'in pieces',
      [announced('5'), dataFrame(1, 'ab', { more: true }), dataFrame(1, 'cde')],
      'abcde',
    ],
    [
      'an end of its own',
      [announced('2'), dataFrame(1, 'ab', { more: true }), dataFrame(1, '')],
      'ab',
    ],
    ['no length', [upload(), dataFrame(1, 'abc')], 'abc'],
    ['nothing announced, nothing sent', [announced('0'), dataFrame(1, '')], ''],
    ['no body at all', [headersFrame(1, requestFields({ method: 'POST', path: '/echo' }))], ''],
    ['a leading zero', [announced('05'), dataFrame(1, 'abcde')], 'abcde'],
    [
      'padding, which does not count',
      [
        announced('2'),
        frame(frameTypes.data, {
          flags: flags.padded | flags.endStream,
          stream: 1,
          payload: Buffer.from([3, 97, 98, 0, 0, 0]),
        }),
      ],
      'ab',
    ],
  ] satisfies [string, readonly Buffer[], string][])('%s is right', async (_name, sent, body) => {
    const answer = await exchange(sent);
    expect(answer).toMatchObject({ status: 200, hasEnded: true, reset: undefined });
    expect(JSON.parse(answer.body).body).toBe(body);
  });
});

test('what is more than was announced takes no room of the connection', async () => {
  const client = await listener.open();
  const tooMuch = (stream: number): readonly Buffer[] => [
    headersFrame(
      stream,
      requestFields({ method: 'POST', path: '/echo', fields: [['content-length', '5']] }),
      { more: true },
    ),
    dataFrame(stream, 'x'.repeat(16_384), { more: true }),
  ];
  // As many as the connection has room for.
  const streams = Array.from({ length: 64 }, (_, index) => 2 * index + 1);
  for (const stream of streams) {
    client.send(...tooMuch(stream));
    expect((await client.answer(stream)).reset).toBe(protocolError);
  }
  client.send(
    headersFrame(129, requestFields({ method: 'POST', path: '/echo' }), { more: true }),
    ...dataFrames(129, Buffer.alloc(32_768)),
  );
  expect((await client.answer(129)).status).toBe(200);
});

describe('trailers', () => {
  const begun = [upload(), dataFrame(1, 'abc', { more: true })];

  test.each([
    ['that do not end the stream', headersFrame(1, [['a', 'b']], { more: true })],
    ['with a path', trailers([[':path', '/']])],
    ['with an unknown pseudo field', trailers([[':x', 'y']])],
    ['with a status', trailers([[':status', '200']])],
    ['with a capital', trailers([['A', 'b']])],
    ['with a line break', trailers([['a', 'b\r\nc: d']])],
  ])('%s are a fault of the stream', async (_name, sent) => {
    expect(await exchange([...begun, sent])).toMatchObject({
      status: undefined,
      reset: protocolError,
    });
    expect(listener.events()).not.toContain('/echo whole');
  });

  test.each([
    ['with a credential', [['authorization', 'Bearer tok-admin']]],
    ['with a field of the proxy', [['x-remote-user', 'admin']]],
    ['with a field of the connection', [['connection', 'close']]],
    ['without a field', []],
  ] satisfies [string, readonly Field[]][])(
    '%s are no part of the request',
    async (_name, sent) => {
      const answer = await exchange([...begun, trailers(sent)]);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual({ method: 'POST', headers: [], body: 'abc' });
    },
  );

  test('behind the end of the stream are a fault', async () => {
    const waiting = upload([], '/wait');
    const answer = await exchange([waiting, dataFrame(1, 'abc'), trailers([['a', 'b']])]);
    expect(answer).toMatchObject({ status: undefined, reset: streamClosed });
  });
});

describe('large bodies', () => {
  /** Keeps to the windows that the server gives; `beside`: bytes sent before on other streams. */
  const sendWithin = async (
    client: RawHttp2,
    body: Buffer,
    { stream: streamId = 1, sentElsewhere = 0 } = {},
  ): Promise<void> => {
    const given = (stream: number, first: number): number =>
      client.frames
        .filter((each) => each.type === frameTypes.windowUpdate && each.stream === stream)
        .reduce((sum, { payload }) => sum + payload.readUInt32BE(0), first);
    const settings = client.frames.find(({ type }) => type === frameTypes.settings);
    const first = firstWindowOf(settings?.payload ?? Buffer.alloc(0));
    let sent = 0;
    for (const each of dataFrames(streamId, body)) {
      const size = each.length - 9;
      const isRoom = () =>
        given(0, 65_535) >= sentElsewhere + sent + size && given(streamId, first) >= sent + size;
      const isOver = () =>
        client.received(streamId).hasEnded || client.received(streamId).reset !== undefined;
      await client.until(() => isRoom() || isOver(), 'room for a frame');
      if (isOver()) return;
      client.send(each);
      sent += size;
    }
  };

  const firstWindowOf = (settings: Buffer): number => {
    for (let place = 0; place < settings.length; place += 6) {
      if (settings.readUInt16BE(place) === 4) return settings.readUInt32BE(place + 2);
    }
    return 65_535;
  };

  test('3 MiB come in, by the windows that the server gives', async () => {
    const client = await listener.open();
    client.send(upload());
    await sendWithin(client, Buffer.alloc(bodyLimits.bytes, 'x'));
    const answer = await client.answer(1);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).body).toBe(`${bodyLimits.bytes} bytes`);
  });

  test('come in next to others that nobody reads yet', async () => {
    const client = await listener.open();
    const unread = Buffer.alloc(256 * 1024);
    for (const stream of [1, 3, 5]) {
      const head = requestFields({ method: 'POST', path: '/wait' });
      client.send(headersFrame(stream, head, { more: true }), ...dataFrames(stream, unread));
    }
    client.send(headersFrame(7, requestFields({ method: 'POST', path: '/echo' }), { more: true }));
    const bytes = 1024 * 1024;
    await sendWithin(client, Buffer.alloc(bytes, 'x'), {
      stream: 7,
      sentElsewhere: 3 * unread.length,
    });
    expect(JSON.parse((await client.answer(7)).body).body).toBe(`${bytes} bytes`);
    listener.release();
    for (const stream of [1, 3, 5]) expect((await client.answer(stream)).status).toBe(200);
  });

  test('of padding for the most part come in, too', async () => {
    const client = await listener.open();
    const padded = frame(frameTypes.data, {
      flags: flags.padded,
      stream: 1,
      payload: Buffer.concat([Buffer.from([255]), Buffer.alloc(256)]),
    });
    // More than the window of the stream.
    const count = 2000;
    client.send(upload(), ...Array.from({ length: count }, () => padded), dataFrame(1, ''));
    const answer = await client.answer(1);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).body).toHaveLength(count);
  });

  test('a byte more is refused, and the connection goes on', async () => {
    const client = await listener.open();
    client.send(upload());
    await sendWithin(client, Buffer.alloc(bodyLimits.bytes + 1, 'x'));
    expect(await client.answer(1)).toMatchObject({ status: 413, hasEnded: true });
    client.send(headersFrame(3, requestFields()));
    expect((await client.answer(3)).status).toBe(200);
    expect(listener.events()).toContain('/echo tooLarge');
  });

  test('what is announced as more is refused before it comes', async () => {
    const client = await listener.open();
    client.send(announced(`${bodyLimits.bytes + 1}`));
    expect(await client.answer(1)).toMatchObject({ status: 413, hasEnded: true });
  });
});

describe('an answer before the end of the body', () => {
  test('ends the stream a moment later, and no other', async () => {
    const client = await listener.open();
    client.send(upload([], '/livez'), dataFrame(1, 'abc', { more: true }));
    expect(await client.answer(1)).toMatchObject({ status: 200, body: 'ok', hasEnded: true });
    client.send(headersFrame(3, requestFields()));
    expect((await client.answer(3)).status).toBe(200);
    await client.until(() => client.received(1).reset !== undefined, 'the end of the stream');
    expect(client.received(1).reset).toBe(noError);
    client.send(dataFrame(1, 'too late', { more: true }), headersFrame(5, requestFields()));
    expect((await client.answer(5)).status).toBe(200);
    await client.alive();
  });

  test('a body that ends soon ends its stream well', async () => {
    const client = await listener.open();
    client.send(upload([], '/livez'));
    expect((await client.answer(1)).status).toBe(200);
    client.send(dataFrame(1, 'abc'));
    await client.alive();
    expect(client.received(1).reset).toBeUndefined();
  });

  test('gives back the room that the body took', async () => {
    const client = await listener.open();
    const unwanted = requestFields({ method: 'POST' });
    // More than the window of the connection.
    for (let stream = 1; stream < 20; stream += 2) {
      client.send(headersFrame(stream, unwanted, { more: true }));
      client.send(...dataFrames(stream, Buffer.alloc(240 * 1024)));
      expect((await client.answer(stream)).status).toBe(200);
    }
    await client.alive();
  });
});

describe('expect: 100-continue', () => {
  const expecting = (path: string): Buffer => upload([['expect', '100-continue']], path);

  test.each(['100-continue', 'a miracle, 100-Continue'])(
    '%s is granted when the body is asked for',
    async (expectation) => {
      const client = await listener.open();
      client.send(upload([['expect', expectation]]));
      await client.until(() => client.received(1).status !== undefined, 'the head of an answer');
      expect(client.received(1)).toMatchObject({ heads: [[[':status', '100']]], hasEnded: false });
      client.send(dataFrame(1, 'abc'));
      const answer = await client.answer(1);
      expect(answer.status).toBe(200);
      expect(answer.heads).toHaveLength(2);
      expect(JSON.parse(answer.body).body).toBe('abc');
    },
  );

  test('is not granted where the body is not wanted', async () => {
    const client = await listener.open();
    client.send(expecting('/livez'));
    const answer = await client.answer(1);
    expect(answer.status).toBe(200);
    expect(answer.heads).toHaveLength(1);
  });

  test('another expectation is passed over', async () => {
    const answer = await exchange([upload([['expect', 'a miracle']]), dataFrame(1, 'abc')]);
    expect(answer.status).toBe(200);
    expect(answer.heads).toHaveLength(1);
  });
});

test('HEAD has the length of a body and none', async () => {
  const answer = await exchange([
    headersFrame(1, requestFields({ method: 'HEAD', path: '/big/1000' })),
  ]);
  expect(answer).toMatchObject({ status: 200, body: '', hasEnded: true });
  expect(answer.heads[0]).toContainEqual(['content-length', '1000']);
});
