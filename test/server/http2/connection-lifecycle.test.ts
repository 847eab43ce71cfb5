/** The end of HTTP/2 connections: after a response, when the listener closes, and by the client. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readGates } from '../../../engine/src/model/feature-gates.ts';
import { newestRelease } from '../../../engine/src/model/release.ts';
import { type AnsweringListener, startAnswering } from '../../support/answering-listener.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import {
  dataFrame,
  frame,
  frameTypes,
  headersFrame,
  requestFields,
  rstStream,
  windowUpdate,
} from '../../support/http2-frames.ts';
import { rawExchange } from '../../support/raw-exchange.ts';
import { openRaw, type RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

const get = (stream: number, path: string): Buffer => headersFrame(stream, requestFields({ path }));
const begin = (stream: number, path: string): Buffer =>
  headersFrame(stream, requestFields({ method: 'POST', path }), { more: true });

describe('a response that closes the connection', () => {
  const listener = withListener();

  test('is followed by GOAWAY', async () => {
    const client = await listener.open();
    client.send(get(1, '/close'));
    expect(await client.answer(1)).toMatchObject({ status: 401, body: 'go', hasEnded: true });
    expect(await client.ended()).toMatchObject({ goaways: [0], lastStream: 1 });
  });

  test('lets earlier requests complete', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), get(3, '/wait?3'), get(5, '/close'));
    expect((await client.answer(5)).status).toBe(401);
    client.send(dataFrame(1, 'abc'));
    expect((await client.answer(1)).status).toBe(200);
    expect(client.isClosed).toBe(false);
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, body: '3', hasEnded: true });
    expect(await client.ended()).toMatchObject({ goaways: [0], lastStream: 5 });
  });

  test('prevents later requests', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait'), get(3, '/close'));
    await client.answer(3);
    client.send(get(5, '/echo'), get(7, '/livez'));
    await client.alive();
    expect(listener.events()).not.toContain('/echo begun');
    listener.release();
    await client.ended();
    expect(client.received(5).status).toBeUndefined();
    expect(client.received(7).status).toBeUndefined();
  });

  test('keeps the last stream ID of a later connection error', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait'), get(3, '/close'));
    await client.answer(3);
    client.send(get(5, '/livez'), get(7, '/livez'), windowUpdate(0, 0));
    expect(await client.ended()).toMatchObject({
      goaways: [0, 1],
      lastStream: 3,
      debug: 'WINDOW_UPDATE with increment 0',
    });
  });

  test('closes the connection of an incomplete body', async () => {
    const client = await listener.open();
    client.send(begin(1, '/close'), dataFrame(1, 'abc', { more: true }));
    expect((await client.answer(1)).status).toBe(401);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('lets a long response complete', async () => {
    const client = await listener.open();
    client.send(get(1, '/big/60000'), get(3, '/close'));
    expect((await client.answer(1)).body).toHaveLength(60_000);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test.each([
    ['refused', 'Bearer unknown', 401],
    ['without a token', undefined, 403],
  ])('is sent to a caller that is %s', async (_name, token, status) => {
    const server = await startFake();
    const client = await openRaw(reach(server));
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    client.send(
      headersFrame(
        1,
        requestFields({
          method: 'POST',
          path,
          fields: token === undefined ? [] : [['authorization', token]],
        }),
      ),
    );
    expect((await client.answer(1)).status).toBe(status);
    expect((await client.ended()).goaways).toEqual([0]);
    await server.close(100);
  });

  test.each(['Bearer unknown', ''])(
    'is not sent for the credential %j if the feature gate is off',
    async (token) => {
      const { gates } = readGates(['UnauthenticatedHTTP2DOSMitigation=false'], newestRelease);
      const server = await startFake({ options: { featureGates: gates } });
      const client = await openRaw(reach(server));
      const fields: [string, string][] = token === '' ? [] : [['authorization', token]];
      client.send(headersFrame(1, requestFields({ path: '/livez', fields })));
      await client.answer(1);
      await client.alive();
      client.close();
      await server.close(100);
    },
  );
});

const isBegin = (event: string): boolean => event.endsWith(' begun');

describe('closing the listener', () => {
  const listeners: AnsweringListener[] = [];
  const clients: RawHttp2[] = [];
  const start = async () => {
    const listener = await startAnswering();
    listeners.push(listener);
    const client = await openRaw(listener.reach);
    clients.push(client);
    return { listener, client };
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await Promise.all(listeners.splice(0).map((listener) => listener.close(10)));
  });

  test('answers requests in progress, then closes', async () => {
    const { listener, client } = await start();
    client.send(get(1, '/wait?1'));
    await client.alive();
    const closed = listener.close(10_000);
    await client.next(({ type }) => type === frameTypes.goaway, 'GOAWAY');
    expect(client.isClosed).toBe(false);
    listener.release();
    expect(await client.answer(1)).toMatchObject({ status: 200, body: '1', hasEnded: true });
    expect(await client.ended()).toMatchObject({ goaways: [0], lastStream: 1 });
    await closed;
  });

  test('ends streamed responses, including those that begin later', async () => {
    const { listener, client } = await start();
    client.send(get(1, '/endless'));
    await client.alive();
    listener.release();
    await client.until(() => client.dataBytes(1) > 0, 'a piece');
    client.send(get(3, '/endless'));
    await client.alive();
    const http1 = rawExchange(listener.reach, 'GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await vi.waitFor(() => expect(listener.events.filter(isBegin)).toHaveLength(3));
    const closed = listener.close(60_000);
    expect(await client.answer(1)).toMatchObject({ body: 'first', hasEnded: true });
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, hasEnded: true });
    expect((await client.ended()).goaways).toEqual([0]);
    expect((await http1).status).toBe(200);
    await closed;
    expect(listener.events.filter((what) => what === '/endless over')).toHaveLength(3);
  });

  test('closes idle connections at once', async () => {
    const { listener, client } = await start();
    await listener.close(10_000);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('cancels requests after the grace period', async () => {
    const { listener, client } = await start();
    client.send(get(1, '/wait'));
    await client.alive();
    await listener.close(10);
    expect((await client.ended()).goaways).toEqual([0]);
    expect(client.received(1).status).toBeUndefined();
    await vi.waitFor(() => expect(listener.events).toContain('/wait cut'));
  });

  test('does not wait for clients that have sent nothing', async () => {
    const { listener } = await start();
    const silent = connect(listener.reach.port, '127.0.0.1');
    const ended = once(silent, 'close');
    await once(silent, 'connect');
    await listener.close(10);
    silent.resume();
    await ended;
  });

  test('accepts no new connections', async () => {
    const { listener } = await start();
    await listener.close(10);
    await expect(openRaw(listener.reach)).rejects.toThrow();
  });
});

describe('a client that disconnects', () => {
  const listener = withListener();
  const canceledRequests = (...expected: readonly string[]) =>
    vi.waitFor(() => {
      const event = listener.events().filter((what) => what.endsWith(' cut'));
      expect(event.toSorted()).toEqual(expected);
    });

  test('cancels its requests', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), begin(3, '/wait?3'));
    await client.alive();
    client.close();
    await canceledRequests('/wait?1 cut', '/wait?3 cut');
  });

  test('aborts an incomplete body', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abc', { more: true }));
    await client.alive();
    client.close();
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
  });

  test('aborts the body in the middle of a frame', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abcdef').subarray(0, 12));
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun']));
    client.close();
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
  });

  test('cancels only the stream that it resets', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), get(3, '/wait?3'), rstStream(1));
    await canceledRequests('/wait?1 cut');
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, body: '3' });
    expect(client.received(1).status).toBeUndefined();
  });

  test('aborts the body of a stream that it resets', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abc', { more: true }), rstStream(1));
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
    await client.alive();
    expect(client.received(1).status).toBeUndefined();
  });

  test('gets responses to earlier requests after its own GOAWAY', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), frame(frameTypes.goaway, { payload: Buffer.alloc(8) }));
    await client.alive();
    listener.release();
    expect(await client.answer(1)).toMatchObject({ status: 200, body: '1' });
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('ends a streamed response', async () => {
    const client = await listener.open();
    client.send(get(1, '/pieces/1000000'));
    await client.until(() => client.dataBytes(1) > 0, 'a piece');
    client.close();
    await vi.waitFor(() => expect(listener.events()).toContain('/pieces/1000000 over'));
  });
});
