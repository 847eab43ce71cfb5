/**
 * Responses are sent within the flow-control windows of the client and continue when they are
 * increased (RFC 9113, 5.2 and 6.9).
 */
import { describe, expect, test } from 'vitest';
import { patterned } from '../../support/answering-listener.ts';
import {
  headersFrame,
  requestFields,
  rstStream,
  settingIds,
  settingsFrame,
  windowUpdate,
} from '../../support/http2-frames.ts';
import type { RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

const listener = withListener();

const big = (stream: number, bytes: number): Buffer =>
  headersFrame(stream, requestFields({ path: `/big/${bytes}` }));
const firstWindow = (bytes: number): Buffer =>
  settingsFrame([[settingIds.initialWindowSize, bytes]]);
const openWith = (window: number): Promise<RawHttp2> =>
  listener.open({ settings: [[settingIds.initialWindowSize, window]] });

/** Waits for so many bytes on the streams and checks that no more follow. */
const expectBytes = async (client: RawHttp2, expected: Readonly<Record<number, number>>) => {
  const streams = Object.keys(expected).map(Number);
  const sum = Object.values(expected).reduce((one, other) => one + other, 0);
  const received = () => streams.reduce((total, stream) => total + client.dataBytes(stream), 0);
  await client.until(() => received() >= sum, `${sum} bytes`);
  await client.alive();
  const found = streams.map((stream) => [stream, client.dataBytes(stream)]);
  expect(Object.fromEntries(found)).toEqual(expected);
};

describe('the window of a stream', () => {
  test('allows its size, then each increment', async () => {
    const client = await openWith(10);
    client.send(big(1, 100), big(3, 100));
    await expectBytes(client, { 1: 10, 3: 10 });
    client.send(windowUpdate(1, 5));
    await expectBytes(client, { 1: 15, 3: 10 });
    client.send(windowUpdate(3, 1));
    await expectBytes(client, { 1: 15, 3: 11 });
    client.send(windowUpdate(1, 1000), windowUpdate(3, 1000));
    expect(await client.answer(1)).toMatchObject({ body: patterned(100), hasEnded: true });
    expect(await client.answer(3)).toMatchObject({ body: patterned(100), hasEnded: true });
  });

  test('of 0 allows the headers and an empty body', async () => {
    const client = await openWith(0);
    client.send(big(1, 100), big(3, 0));
    expect(await client.answer(3)).toMatchObject({ status: 200, body: '', hasEnded: true });
    await client.alive();
    expect(client.received(1)).toMatchObject({ status: 200, body: '', hasEnded: false });
  });

  test('equal to the size of the body allows all of it', async () => {
    const client = await openWith(100);
    client.send(big(1, 100));
    expect(await client.answer(1)).toMatchObject({ body: patterned(100), hasEnded: true });
  });

  test('follows SETTINGS_INITIAL_WINDOW_SIZE, also below zero', async () => {
    const client = await openWith(10);
    client.send(big(1, 100), big(3, 100));
    await expectBytes(client, { 1: 10, 3: 10 });
    client.send(firstWindow(0), windowUpdate(1, 10));
    await expectBytes(client, { 1: 10, 3: 10 });
    client.send(windowUpdate(1, 1));
    await expectBytes(client, { 1: 11, 3: 10 });
    client.send(firstWindow(5));
    await expectBytes(client, { 1: 16, 3: 10 });
    client.send(firstWindow(1000));
    expect(await client.answer(1)).toMatchObject({ body: patterned(100), hasEnded: true });
    expect(await client.answer(3)).toMatchObject({ body: patterned(100), hasEnded: true });
  });

  test('is initially the value that the client set last', async () => {
    const client = await openWith(10);
    client.send(firstWindow(20), big(1, 100));
    await expectBytes(client, { 1: 20 });
  });

  test('can be increased to the maximum', async () => {
    const client = await openWith(10);
    client.send(big(1, 100));
    await expectBytes(client, { 1: 10 });
    client.send(windowUpdate(1, 0x7fffffff));
    expect(await client.answer(1)).toMatchObject({ body: patterned(100), hasEnded: true });
  });

  test('of a reset stream is ignored', async () => {
    const client = await openWith(10);
    client.send(big(1, 100), big(3, 100));
    await expectBytes(client, { 1: 10, 3: 10 });
    client.send(rstStream(1), windowUpdate(1, 1000), windowUpdate(3, 1000));
    expect(await client.answer(3)).toMatchObject({ body: patterned(100), hasEnded: true });
    expect(client.dataBytes(1)).toBe(10);
    expect(client.received(1).hasEnded).toBe(false);
  });
});

describe('the window of the connection', () => {
  test('is shared by the streams', async () => {
    const client = await openWith(1_000_000);
    client.send(big(1, 50_000), big(3, 50_000), big(5, 50_000));
    await client.until(() => client.dataBytes() >= 65_535, 'the initial window');
    await client.alive();
    expect(client.dataBytes()).toBe(65_535);
    client.send(windowUpdate(0, 10_000));
    await client.until(() => client.dataBytes() >= 75_535, 'the increment');
    await client.alive();
    expect(client.dataBytes()).toBe(75_535);
    client.send(windowUpdate(0, 1_000_000));
    for (const stream of [1, 3, 5]) {
      expect(await client.answer(stream)).toMatchObject({ body: patterned(50_000) });
    }
  });

  test('is shared in turns', async () => {
    const client = await openWith(1_000_000);
    client.send(big(1, 900_000), big(3, 40_000));
    await client.until(() => client.dataBytes() >= 65_535, 'the initial window');
    client.send(...Array.from({ length: 3 }, () => windowUpdate(0, 32_768)));
    expect((await client.answer(3)).body).toHaveLength(40_000);
  });

  test('is also consumed by short responses', async () => {
    const client = await openWith(1_000_000);
    const streams = [1, 3, 5, 7, 9];
    client.send(...streams.map((stream) => big(stream, 16_000)));
    await client.until(() => client.dataBytes() >= 65_535, 'the initial window');
    await client.alive();
    expect(client.dataBytes()).toBe(65_535);
    client.send(windowUpdate(0, 20_000));
    for (const stream of streams) {
      expect(await client.answer(stream)).toMatchObject({ body: patterned(16_000) });
    }
  });

  test('is available to other streams while a stream waits for its own window', async () => {
    const client = await openWith(0);
    client.send(big(1, 100_000), big(3, 1000), windowUpdate(3, 1000));
    expect(await client.answer(3)).toMatchObject({ body: patterned(1000), hasEnded: true });
    expect(client.dataBytes(1)).toBe(0);
  });

  test('serves two waiting streams', async () => {
    const client = await openWith(1_000_000);
    client.send(big(1, 200_000), big(3, 200_000));
    await client.until(() => client.dataBytes() >= 65_535, 'the initial window');
    for (let given = 65_535; given < 400_000; given += 20_000) {
      client.send(windowUpdate(0, 20_000));
      await client.until(() => client.dataBytes() >= Math.min(given + 20_000, 400_000), 'more');
    }
    expect(await client.answer(1)).toMatchObject({ body: patterned(200_000), hasEnded: true });
    expect(await client.answer(3)).toMatchObject({ body: patterned(200_000), hasEnded: true });
  });
});

describe('a streamed response', () => {
  const pieces = (stream: number, count: number): Buffer =>
    headersFrame(stream, requestFields({ path: `/pieces/${count}` }));

  test('is sent within its window and continues afterwards', async () => {
    const client = await openWith(10_000);
    client.send(pieces(1, 3));
    await expectBytes(client, { 1: 10_000 });
    client.send(windowUpdate(1, 10_000));
    await expectBytes(client, { 1: 20_000 });
    client.send(windowUpdate(1, 100_000));
    const answer = await client.answer(1);
    expect(answer.hasEnded).toBe(true);
    expect(answer.body).toBe(patterned(16_384).repeat(3));
  });

  test('ends without any window left', async () => {
    const client = await openWith(40_000);
    client.send(pieces(1, 2));
    await expectBytes(client, { 1: 32_768 });
    const answer = await client.answer(1);
    expect(answer.hasEnded).toBe(true);
  });

  test('has no frame above SETTINGS_MAX_FRAME_SIZE', async () => {
    const client = await openWith(1_000_000);
    client.send(windowUpdate(0, 1_000_000), big(1, 300_000), pieces(3, 10));
    await client.answer(1);
    await client.answer(3);
    expect(client.frames.every(({ payload }) => payload.length <= 16_384)).toBe(true);
  });
});
