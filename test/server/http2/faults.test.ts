/** Invalid frames end the connection or the stream; unknown frames and settings are ignored. */
import { describe, expect, test } from 'vitest';
import {
  dataFrame,
  errorCodes,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headersFrame,
  requestFields,
  rstStream,
  settingsFrame,
  windowUpdate,
} from '../../support/http2-frames.ts';
import { connectionFaults, openingFaults, streamFaults } from './fault-cases.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();

test.each(connectionFaults)('$name ends the connection', async ({ sent, code }) => {
  const client = await listener.open();
  client.send(...sent);
  expect((await client.ended()).goaways).toEqual([code]);
});

test.each(streamFaults)('$name ends the stream', async ({ sent, code }) => {
  const client = await listener.open();
  client.send(...sent, headersFrame(3, requestFields()));
  expect(await client.answer(1)).toMatchObject({ status: undefined, reset: code });
  expect((await client.answer(3)).status).toBe(200);
  await client.alive();
});

test.each(openingFaults)('rejects $name', async ({ sent, code, hasGoAway }) => {
  const client = await listener.open({ opening: Buffer.concat(sent) });
  const { goaways } = await client.ended();
  expect(goaways.every((said) => said === code)).toBe(true);
  if (hasGoAway) expect(goaways).toHaveLength(1);
  expect(listener.events()).toEqual([]);
});

test('GOAWAY contains the last stream that was processed', async () => {
  const client = await listener.open();
  client.send(headersFrame(1, requestFields()), headersFrame(5, requestFields()));
  await client.answer(5);
  client.send(windowUpdate(0, 0));
  expect(await client.ended()).toMatchObject({ goaways: [1], lastStream: 5 });
});

test('HEADERS on a stream that has ended is a connection error', async () => {
  const client = await listener.open();
  client.send(headersFrame(1, requestFields()));
  await client.answer(1);
  client.send(headersFrame(1, requestFields()));
  expect((await client.ended()).goaways).toEqual([errorCodes.streamClosed]);
});

describe('DATA on a closed stream', () => {
  test('is a stream error after both sides have ended the stream', async () => {
    const client = await listener.open();
    client.send(headersFrame(1, requestFields()));
    await client.answer(1);
    client.send(dataFrame(1, 'a'), headersFrame(3, requestFields()));
    expect((await client.answer(3)).status).toBe(200);
    expect(client.received(1).reset).toBe(errorCodes.streamClosed);
    await client.alive();
  });

  test('is ignored after the server has reset the stream', async () => {
    const client = await listener.open();
    const upload = requestFields({ method: 'POST', path: '/echo' });
    client.send(
      headersFrame(1, upload, { more: true }),
      windowUpdate(1, 0),
      ...Array.from({ length: 20 }, () => dataFrame(1, Buffer.alloc(16_384), { more: true })),
      headersFrame(3, requestFields()),
    );
    expect((await client.answer(3)).status).toBe(200);
    await client.alive();
  });

  test('releases its bytes to the connection window', async () => {
    const client = await listener.open();
    const upload = requestFields({ method: 'POST', path: '/echo' });
    const granted = () =>
      client.frames
        .filter(({ type, stream }) => type === frameTypes.windowUpdate && stream === 0)
        .reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 65_535);
    let spent = 0;
    for (let stream = 1; spent < 3 * 1024 * 1024; stream += 2) {
      await client.until(() => granted() - spent >= 8 * 16_384, 'a larger window');
      client.send(
        headersFrame(stream, upload, { more: true }),
        rstStream(stream),
        ...Array.from({ length: 8 }, () => dataFrame(stream, Buffer.alloc(16_384), { more: true })),
      );
      spent += 8 * 16_384;
    }
    await client.alive();
  });
});

test.each([
  ['ECDHE-ECDSA-AES128-SHA', 'TLSv1.2', [0xc]],
  ['ECDHE-ECDSA-AES256-SHA384', 'TLSv1.2', [0xc]],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLSv1.2', []],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLSv1.2', []],
  ['TLS_AES_128_GCM_SHA256', 'TLSv1.3', []],
] as const)('cipher suite %s', async (ciphers, version, goaways) => {
  const tls = { ciphers, minVersion: version, maxVersion: version };
  const client = await listener.open({ tls });
  client.send(headersFrame(1, requestFields()));
  const { status } = await client.answer(1);
  expect(client.connectionEnd().goaways).toEqual(goaways);
  expect(status).toBe(goaways.length === 0 ? 200 : undefined);
  expect(listener.events()).toHaveLength(goaways.length === 0 ? 1 : 0);
});

describe('ignored frames and bits', () => {
  const block = headerBlock(requestFields());
  const bytes = (...each: readonly number[]): Buffer => Buffer.from(each);
  const upload = headersFrame(1, requestFields({ method: 'POST', path: '/echo' }), { more: true });

  test.each([
    ['an unknown frame', [frame(0x77, { flags: 255, stream: 9, payload: bytes(1, 2, 3) })]],
    ['an unknown setting', [settingsFrame([[0x99, 1]])]],
    ['SETTINGS without settings', [settingsFrame()]],
    ['SETTINGS_ENABLE_PUSH', [settingsFrame([[2, 1]])]],
    [
      'the same setting twice',
      [
        settingsFrame([
          [4, 1],
          [4, 65_535],
        ]),
      ],
    ],
    ['an unsolicited PING ACK', [frame(6, { flags: flags.ack, payload: Buffer.alloc(8) })]],
    ['a reserved bit in an increment', [windowUpdate(0, 0x80000001)]],
    ['PRIORITY on an idle stream', [frame(2, { stream: 7, payload: bytes(0, 0, 0, 3, 1) })]],
    ['an unknown frame of type 0x10', [frame(0x10, { payload: bytes(0, 0, 0, 1) })]],
  ])('%s', async (_name, sent) => {
    const client = await listener.open();
    client.send(...sent, headersFrame(1, requestFields()));
    expect(await client.answer(1)).toMatchObject({ status: 200, body: 'ok' });
    await client.alive();
  });

  test.each([
    ['RST_STREAM after the response', rstStream(1)],
    ['WINDOW_UPDATE after the response', windowUpdate(1, 5)],
    ['PRIORITY after the response', frame(2, { stream: 1, payload: bytes(0, 0, 0, 3, 1) })],
  ])('%s', async (_name, sent) => {
    const client = await listener.open();
    client.send(headersFrame(1, requestFields()));
    await client.answer(1);
    client.send(sent, headersFrame(3, requestFields()));
    expect((await client.answer(3)).status).toBe(200);
    await client.alive();
  });

  test('HEADERS with padding and priority', async () => {
    const client = await listener.open();
    client.send(
      frame(frameTypes.headers, {
        flags: flags.endHeaders | flags.endStream | flags.padded | flags.priority,
        stream: 1,
        payload: Buffer.concat([bytes(4, 0, 0, 0, 0, 7), block, Buffer.alloc(4)]),
      }),
    );
    expect((await client.answer(1)).status).toBe(200);
  });

  test('DATA with padding', async () => {
    const client = await listener.open();
    client.send(
      upload,
      frame(frameTypes.data, {
        flags: flags.padded,
        stream: 1,
        payload: bytes(3, 97, 98, 1, 2, 3),
      }),
      frame(frameTypes.data, {
        flags: flags.padded | flags.endStream,
        stream: 1,
        payload: bytes(2, 0, 0),
      }),
    );
    expect(JSON.parse((await client.answer(1)).body).body).toBe('ab');
  });

  test('a header block in several frames, some of them empty', async () => {
    const client = await listener.open();
    const parts = [block.subarray(0, 7), bytes(), block.subarray(7, 20), block.subarray(20)];
    client.send(
      frame(frameTypes.headers, { flags: flags.endStream, stream: 1, payload: bytes() }),
      ...parts.map((payload, index) =>
        frame(frameTypes.continuation, {
          flags: index === parts.length - 1 ? flags.endHeaders : 0,
          stream: 1,
          payload,
        }),
      ),
    );
    expect((await client.answer(1)).status).toBe(200);
  });

  test('a reserved bit in the stream ID', async () => {
    const client = await listener.open();
    client.send(
      frame(frameTypes.headers, {
        flags: flags.endHeaders | flags.endStream,
        stream: 0x80000001,
        payload: block,
      }),
    );
    expect((await client.answer(1)).status).toBe(200);
  });
});
