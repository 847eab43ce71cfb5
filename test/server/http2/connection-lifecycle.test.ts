/** How a connection over HTTP/2 goes: asked to by an answer, by the listener's end, or by its client. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readGates } from '../../../engine/src/model/feature-gates.ts';
import { newestRelease } from '../../../engine/src/model/release.ts';
import { type AnsweringListener, startAnswering } from '../../support/answering-listener.ts';
import { reach, startFake } from '../../support/fake-stage.ts';
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

describe('a caller that is not known', () => {
  const listener = withListener();

  test('gets its answer and is asked to go', async () => {
    const client = await listener.open();
    client.send(get(1, '/goodbye'));
    expect(await client.answer(1)).toMatchObject({ status: 401, body: 'go', hasEnded: true });
    expect(await client.ended()).toMatchObject({ goaways: [0], lastStream: 1 });
  });

  test('what was asked before is answered', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), get(3, '/wait?3'), get(5, '/goodbye'));
    expect((await client.answer(5)).status).toBe(401);
    client.send(dataFrame(1, 'abc'));
    expect((await client.answer(1)).status).toBe(200);
    expect(client.isClosed).toBe(false);
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, body: '3', hasEnded: true });
    expect(await client.ended()).toMatchObject({ goaways: [0], lastStream: 5 });
  });

  test('what is asked afterwards is not', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait'), get(3, '/goodbye'));
    await client.answer(3);
    client.send(get(5, '/echo'), get(7, '/livez'));
    await client.alive();
    expect(listener.events()).not.toContain('/echo begun');
    listener.release();
    await client.ended();
    expect(client.received(5).status).toBeUndefined();
    expect(client.received(7).status).toBeUndefined();
  });

  test('is told the same last request when it fails afterwards', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait'), get(3, '/goodbye'));
    await client.answer(3);
    client.send(get(5, '/livez'), get(7, '/livez'), windowUpdate(0, 0));
    expect(await client.ended()).toMatchObject({
      goaways: [0, 1],
      lastStream: 3,
      debug: 'a window that grows by nothing',
    });
  });

  test('whose body does not end has to go, too', async () => {
    const client = await listener.open();
    client.send(begin(1, '/goodbye'), dataFrame(1, 'abc', { more: true }));
    expect((await client.answer(1)).status).toBe(401);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('a long answer comes to its end', async () => {
    const client = await listener.open();
    client.send(get(1, '/big/60000'), get(3, '/goodbye'));
    expect((await client.answer(1)).body).toHaveLength(60_000);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test.each([
    ['refused', 'Bearer nobody', 401],
    ['without a token', undefined, 403],
  ])('who is %s is one, behind the real handler', async (_name, token, status) => {
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

  test.each(['Bearer nobody', ''])('%j is none where the gate is off', async (token) => {
    const { gates } = readGates(['UnauthenticatedHTTP2DOSMitigation=false'], newestRelease);
    const server = await startFake({ options: { featureGates: gates } });
    const client = await openRaw(reach(server));
    const fields: [string, string][] = token === '' ? [] : [['authorization', token]];
    client.send(headersFrame(1, requestFields({ path: '/livez', fields })));
    await client.answer(1);
    await client.alive();
    client.close();
    await server.close(100);
  });
});

const isBegin = (event: string): boolean => event.endsWith(' begun');

describe('the end of the listener', () => {
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

  test('answers what is at work, then closes', async () => {
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

  test('ends an answer that would go on, begun before or not', async () => {
    const { listener, client } = await start();
    client.send(get(1, '/endless'));
    await client.alive();
    listener.release();
    await client.until(() => client.dataBytes(1) > 0, 'a piece');
    client.send(get(3, '/endless'));
    await client.alive();
    const http1 = rawExchange(listener.reach, 'GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await vi.waitFor(() => expect(listener.told.filter(isBegin)).toHaveLength(3));
    const closed = listener.close(60_000);
    expect(await client.answer(1)).toMatchObject({ body: 'first', hasEnded: true });
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, hasEnded: true });
    expect((await client.ended()).goaways).toEqual([0]);
    expect((await http1).status).toBe(200);
    await closed;
    expect(listener.told.filter((what) => what === '/endless over')).toHaveLength(3);
  });

  test('closes at once what does nothing', async () => {
    const { listener, client } = await start();
    await listener.close(10_000);
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('cuts what takes longer than the grace', async () => {
    const { listener, client } = await start();
    client.send(get(1, '/wait'));
    await client.alive();
    await listener.close(10);
    expect((await client.ended()).goaways).toEqual([0]);
    expect(client.received(1).status).toBeUndefined();
    await vi.waitFor(() => expect(listener.told).toContain('/wait cut'));
  });

  test('does not wait for clients that have not said a word', async () => {
    const { listener } = await start();
    const silent = connect(listener.reach.port, '127.0.0.1');
    const ended = once(silent, 'close');
    await once(silent, 'connect');
    await listener.close(10);
    silent.resume();
    await ended;
  });

  test('takes nobody new', async () => {
    const { listener } = await start();
    await listener.close(10);
    await expect(openRaw(listener.reach)).rejects.toThrow();
  });
});

describe('a client that goes', () => {
  const listener = withListener();
  const canceledRequests = (...expected: readonly string[]) =>
    vi.waitFor(() => {
      const event = listener.events().filter((what) => what.endsWith(' cut'));
      expect(event.toSorted()).toEqual(expected);
    });

  test('leaves nothing at work', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), begin(3, '/wait?3'));
    await client.alive();
    client.close();
    await canceledRequests('/wait?1 cut', '/wait?3 cut');
  });

  test('leaves half a body, which is none', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abc', { more: true }));
    await client.alive();
    client.close();
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
  });

  test('in the middle of a frame leaves nothing done', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abcdef').subarray(0, 12));
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun']));
    client.close();
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
  });

  test('cuts the stream alone that it resets', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), get(3, '/wait?3'), rstStream(1));
    await canceledRequests('/wait?1 cut');
    listener.release();
    expect(await client.answer(3)).toMatchObject({ status: 200, body: '3' });
    expect(client.received(1).status).toBeUndefined();
  });

  test('with a body at its reset leaves half of it', async () => {
    const client = await listener.open();
    client.send(begin(1, '/echo'), dataFrame(1, 'abc', { more: true }), rstStream(1));
    await vi.waitFor(() => expect(listener.events()).toEqual(['/echo begun', '/echo broken']));
    await client.alive();
    expect(client.received(1).status).toBeUndefined();
  });

  test('and says so is answered what it has asked', async () => {
    const client = await listener.open();
    client.send(get(1, '/wait?1'), frame(frameTypes.goaway, { payload: Buffer.alloc(8) }));
    await client.alive();
    listener.release();
    expect(await client.answer(1)).toMatchObject({ status: 200, body: '1' });
    expect((await client.ended()).goaways).toEqual([0]);
  });

  test('in the middle of an answer in pieces ends it', async () => {
    const client = await listener.open();
    client.send(get(1, '/pieces/1000000'));
    await client.until(() => client.dataBytes(1) > 0, 'a piece');
    client.close();
    await vi.waitFor(() => expect(listener.events()).toContain('/pieces/1000000 over'));
  });
});
