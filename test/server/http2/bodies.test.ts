/**
 * Request bodies over HTTP/2: Content-Length, trailer sections, and responses that are sent before
 * the end of the body. A body that is not as announced has no effect.
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

/** Returns the response on stream 1; a request on another stream must succeed. */
const exchange = async (sent: readonly Buffer[]) => {
  const client = await listener.open();
  client.send(...sent, headersFrame(3, requestFields()));
  const answer = await client.answer(1);
  expect((await client.answer(3)).status).toBe(200);
  await client.alive();
  return answer;
};

describe('Content-Length', () => {
  test.each([
    ['fewer bytes', [announced('5'), dataFrame(1, 'abc')]],
    ['no bytes', [announced('5'), dataFrame(1, '')]],
    ['more bytes at once', [announced('5'), dataFrame(1, 'abcdefg')]],
    [
      'more bytes later',
      [announced('5'), dataFrame(1, 'abcde', { more: true }), dataFrame(1, 'f')],
    ],
    ['bytes where 0 were announced', [announced('0'), dataFrame(1, 'abc')]],
    [
      'fewer bytes and a trailer section',
      [announced('5'), dataFrame(1, 'ab', { more: true }), trailers([])],
    ],
    [
      'a length without a body',
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
    ['two lengths in one field', [announced('5, 5'), dataFrame(1, 'abcde')]],
    ['a sign', [announced('+5'), dataFrame(1, 'abcde')]],
    ['a negative number', [announced('-1'), dataFrame(1, '')]],
    ['not a number', [announced('abc'), dataFrame(1, 'abcde')]],
    ['nothing', [announced(''), dataFrame(1, 'abcde')]],
    ['a number above all limits', [announced('99999999999999999999'), dataFrame(1, 'abcde')]],
    ['a hexadecimal number', [announced('0x5'), dataFrame(1, 'abcde')]],
  ] satisfies [string, readonly Buffer[]][])(
    'rejects %s with a stream error',
    async (_name, sent) => {
      expect(await exchange(sent)).toMatchObject({ status: undefined, reset: protocolError });
      expect(listener.events()).not.toContain('/echo whole');
    },
  );

  test.each([
    ['as announced', [announced('5'), dataFrame(1, 'abcde')], 'abcde'],
    [
      'in pieces',
      [announced('5'), dataFrame(1, 'ab', { more: true }), dataFrame(1, 'cde')],
      'abcde',
    ],
    [
      'a separate frame that ends the stream',
      [announced('2'), dataFrame(1, 'ab', { more: true }), dataFrame(1, '')],
      'ab',
    ],
    ['an absent length', [upload(), dataFrame(1, 'abc')], 'abc'],
    ['a length of 0 and no bytes', [announced('0'), dataFrame(1, '')], ''],
    ['an absent body', [headersFrame(1, requestFields({ method: 'POST', path: '/echo' }))], ''],
    ['a leading zero', [announced('05'), dataFrame(1, 'abcde')], 'abcde'],
    [
      'padding, which is not counted',
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
  ] satisfies [string, readonly Buffer[], string][])(
    'accepts a body: %s',
    async (_name, sent, body) => {
      const answer = await exchange(sent);
      expect(answer).toMatchObject({ status: 200, hasEnded: true, reset: undefined });
      expect(JSON.parse(answer.body).body).toBe(body);
    },
  );
});

test('releases the window of bytes that exceed Content-Length', async () => {
  const client = await listener.open();
  const tooMuch = (stream: number): readonly Buffer[] => [
    headersFrame(
      stream,
      requestFields({ method: 'POST', path: '/echo', fields: [['content-length', '5']] }),
      { more: true },
    ),
    dataFrame(stream, 'x'.repeat(16_384), { more: true }),
  ];
  // As many as the window of the connection allows.
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

describe('trailer sections', () => {
  const begun = [upload(), dataFrame(1, 'abc', { more: true })];

  test.each([
    ['that does not end the stream', headersFrame(1, [['a', 'b']], { more: true })],
    ['with a path', trailers([[':path', '/']])],
    ['with an unknown pseudo-header field', trailers([[':x', 'y']])],
    ['with a status', trailers([[':status', '200']])],
    ['with an upper-case name', trailers([['A', 'b']])],
    ['with a line break', trailers([['a', 'b\r\nc: d']])],
  ])('rejects one %s with a stream error', async (_name, sent) => {
    expect(await exchange([...begun, sent])).toMatchObject({
      status: undefined,
      reset: protocolError,
    });
    expect(listener.events()).not.toContain('/echo whole');
  });

  test.each([
    ['with a credential', [['authorization', 'Bearer tok-admin']]],
    ['with a header field of an authenticating proxy', [['x-remote-user', 'admin']]],
    ['with a connection-specific field', [['connection', 'close']]],
    ['without fields', []],
  ] satisfies [string, readonly Field[]][])('ignores the fields of one %s', async (_name, sent) => {
    const answer = await exchange([...begun, trailers(sent)]);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ method: 'POST', headers: [], body: 'abc' });
  });

  test('rejects one after the end of the stream', async () => {
    const waiting = upload([], '/wait');
    const answer = await exchange([waiting, dataFrame(1, 'abc'), trailers([['a', 'b']])]);
    expect(answer).toMatchObject({ status: undefined, reset: streamClosed });
  });
});

describe('large bodies', () => {
  /**
   * Sends within the windows that the server grants; `sentElsewhere` is the number of bytes sent on
   * other streams.
   */
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
      await client.until(() => isRoom() || isOver(), 'window for a frame');
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

  test('accepts 3 MiB within the flow-control windows', async () => {
    const client = await listener.open();
    client.send(upload());
    await sendWithin(client, Buffer.alloc(bodyLimits.bytes, 'x'));
    const answer = await client.answer(1);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).body).toBe(`${bodyLimits.bytes} bytes`);
  });

  test('accepts a large body next to bodies that are not read yet', async () => {
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

  test('accepts a body that consists mostly of padding', async () => {
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

  test('rejects one byte more and keeps the connection open', async () => {
    const client = await listener.open();
    client.send(upload());
    await sendWithin(client, Buffer.alloc(bodyLimits.bytes + 1, 'x'));
    expect(await client.answer(1)).toMatchObject({ status: 413, hasEnded: true });
    client.send(headersFrame(3, requestFields()));
    expect((await client.answer(3)).status).toBe(200);
    expect(listener.events()).toContain('/echo tooLarge');
  });

  test('rejects a larger Content-Length before the body arrives', async () => {
    const client = await listener.open();
    client.send(announced(`${bodyLimits.bytes + 1}`));
    expect(await client.answer(1)).toMatchObject({ status: 413, hasEnded: true });
  });
});

describe('a response before the end of the body', () => {
  test('resets that stream shortly afterwards, and no other', async () => {
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

  test('does not reset a stream whose body ends soon', async () => {
    const client = await listener.open();
    client.send(upload([], '/livez'));
    expect((await client.answer(1)).status).toBe(200);
    client.send(dataFrame(1, 'abc'));
    await client.alive();
    expect(client.received(1).reset).toBeUndefined();
  });

  test('releases the window that the body occupied', async () => {
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
    '%s is granted when the body is read',
    async (expectation) => {
      const client = await listener.open();
      client.send(upload([['expect', expectation]]));
      await client.until(
        () => client.received(1).status !== undefined,
        'the headers of a response',
      );
      expect(client.received(1)).toMatchObject({
        headerBlocks: [[[':status', '100']]],
        hasEnded: false,
      });
      client.send(dataFrame(1, 'abc'));
      const answer = await client.answer(1);
      expect(answer.status).toBe(200);
      expect(answer.headerBlocks).toHaveLength(2);
      expect(JSON.parse(answer.body).body).toBe('abc');
    },
  );

  test('is not granted if the body is not read', async () => {
    const client = await listener.open();
    client.send(expecting('/livez'));
    const answer = await client.answer(1);
    expect(answer.status).toBe(200);
    expect(answer.headerBlocks).toHaveLength(1);
  });

  test('ignores other expectations', async () => {
    const answer = await exchange([upload([['expect', 'a miracle']]), dataFrame(1, 'abc')]);
    expect(answer.status).toBe(200);
    expect(answer.headerBlocks).toHaveLength(1);
  });
});

test('HEAD returns the length of the body without the body', async () => {
  const answer = await exchange([
    headersFrame(1, requestFields({ method: 'HEAD', path: '/big/1000' })),
  ]);
  expect(answer).toMatchObject({ status: 200, body: '', hasEnded: true });
  expect(answer.headerBlocks[0]).toContainEqual(['content-length', '1000']);
});
