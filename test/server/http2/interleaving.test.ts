/**
 * Concurrent requests of one connection, however their bytes are split: each gets its own response
 * for its own caller.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reveal } from '../../../engine/src/model/secret.ts';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import type { Echo } from '../../support/answering-listener.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import type { Field } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headersFrame,
  preface,
  prefixed,
  requestFields,
  settingsFrame,
} from '../../support/http2-frames.ts';
import { openRaw, type RawHttp2 } from '../../support/raw-http2.ts';
import { withListener } from './with-listener.ts';

/** A pseudorandom number generator that repeats for the same seed. */
const seededRandom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
};

describe('splits requests', () => {
  const listener = withListener();
  const post = (stream: number, body: string): Buffer =>
    Buffer.concat([
      headersFrame(stream, requestFields({ method: 'POST', path: '/echo' }), { more: true }),
      dataFrame(stream, body),
    ]);
  const bodyOf = async (client: RawHttp2, stream: number): Promise<string> => {
    const echo: Echo = JSON.parse((await client.answer(stream)).body);
    return echo.body;
  };

  test('into single bytes, from the first one on', async () => {
    const client = await listener.open({ opening: Buffer.alloc(0) });
    for (const byte of Buffer.concat([preface, settingsFrame(), post(1, 'slowly')])) {
      client.send(Buffer.from([byte]));
      await client.sentWithin(1000);
    }
    expect(await bodyOf(client, 1)).toBe('slowly');
  });

  test('into two pieces at every offset', async () => {
    const client = await listener.open();
    const { length } = post(1, 'parted 000');
    for (let place = 1; place < length; place += 1) {
      const stream = place * 2 - 1;
      const body = `parted ${`${place}`.padStart(3, '0')}`;
      const request = post(stream, body);
      client.send(request.subarray(0, place));
      await client.sentWithin(1000);
      client.send(request.subarray(place));
      expect(await bodyOf(client, stream)).toBe(body);
    }
  });

  test('not at all, many in one piece', async () => {
    const client = await listener.open();
    const streams = Array.from({ length: 80 }, (_, index) => index * 2 + 1);
    client.send(...streams.map((stream) => post(stream, `body ${stream}`)));
    for (const stream of streams) expect(await bodyOf(client, stream)).toBe(`body ${stream}`);
  });
});

describe('identifies the callers', () => {
  let server: RunningServer;
  beforeAll(async () => {
    // The username contains the token.
    server = await startFake({
      decide: async ({ token }) => ({
        kind: 'accepted',
        user: {
          username: token === undefined ? 'no-token' : `of ${reveal(token)}`,
          uid: '',
          groups: ['system:authenticated'],
          extra: new Map(),
        },
        audiences: [],
        by: 'jwt',
      }),
    });
  });
  afterAll(() => server.close(100));

  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const json: Field = ['content-type', 'application/json'];
  const review = JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  });
  const callerOf = async (client: RawHttp2, stream: number): Promise<unknown> => {
    const answer = await client.answer(stream);
    expect(answer.status).toBe(201);
    return JSON.parse(answer.body).status.userInfo.username;
  };

  /** The frames of a request: its header block in one or two frames, its body in pieces. */
  const framesOf = (stream: number, block: Buffer, below: (limit: number) => number): Buffer[] => {
    const cut = below(block.length);
    const head =
      below(2) === 0
        ? [frame(frameTypes.headers, { flags: flags.endHeaders, stream, payload: block })]
        : [
            frame(frameTypes.headers, { stream, payload: block.subarray(0, cut) }),
            frame(frameTypes.continuation, {
              flags: flags.endHeaders,
              stream,
              payload: block.subarray(cut),
            }),
          ];
    const middle = below(review.length);
    return [
      Buffer.concat(head),
      dataFrame(stream, review.slice(0, middle), { more: true }),
      dataFrame(stream, review.slice(middle)),
    ];
  };

  test('of 200 requests, 16 concurrently, with frames mixed and split anywhere', async () => {
    const below = seededRandom(7);
    const client = await openRaw(reach(server));
    const waiting = Array.from({ length: 200 }, (_, index) => index * 2 + 1);
    const open = new Map<number, Buffer[]>();
    const sent: number[] = [];
    let bytes = Buffer.alloc(0);
    while (waiting.length > 0 || open.size > 0) {
      while (open.size < 16 && waiting.length > 0) {
        const stream = waiting.shift() ?? 0;
        const fields = requestFields({
          method: 'POST',
          path,
          fields: [json, ['authorization', `Bearer token-${stream}`]],
        });
        // Header blocks in the order of their streams; bodies in any order.
        const [head = Buffer.alloc(0), ...rest] = framesOf(stream, headerBlock(fields), below);
        bytes = Buffer.concat([bytes, head]);
        open.set(stream, rest);
      }
      const streams = [...open.keys()];
      const stream = streams[below(streams.length)] ?? 0;
      bytes = Buffer.concat([bytes, open.get(stream)?.shift() ?? Buffer.alloc(0)]);
      if (open.get(stream)?.length === 0) {
        open.delete(stream);
        sent.push(stream);
      }
      const size = below(bytes.length);
      client.send(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
      await client.sentWithin(1000);
    }
    client.send(bytes);
    for (const stream of sent) {
      expect(await callerOf(client, stream)).toBe(`of token-${stream}`);
    }
    expect(sent).toHaveLength(200);
    client.close();
  });

  test('whose credential is one table entry, then another, then absent', async () => {
    const client = await openRaw(reach(server));
    const plain = headerBlock(requestFields({ method: 'POST', path, fields: [json] }));
    const indexedCredential = (token: string): Buffer => {
      const value = `Bearer ${token}`;
      // `authorization` is entry 23 of the static table.
      return Buffer.concat([
        prefixed(0x40, 6, 23),
        prefixed(0, 7, value.length),
        Buffer.from(value),
      ]);
    };
    const entry = (index: number): Buffer => prefixed(0x80, 7, 61 + index);
    const ask = async (stream: number, ...parts: readonly Buffer[]): Promise<unknown> => {
      const payload = Buffer.concat([plain, ...parts]);
      client.send(
        frame(frameTypes.headers, { flags: flags.endHeaders, stream, payload }),
        dataFrame(stream, review),
      );
      return callerOf(client, stream);
    };
    expect([
      await ask(1, indexedCredential('first')),
      await ask(3, entry(1)),
      await ask(5, indexedCredential('second')),
      await ask(7, entry(1)),
      await ask(9, entry(2)),
      await ask(11),
      await ask(13, entry(1)),
      await ask(15),
    ]).toEqual([
      'of first',
      'of first',
      'of second',
      'of second',
      'of first',
      'no-token',
      'of second',
      'no-token',
    ]);
    client.close();
  });
});
