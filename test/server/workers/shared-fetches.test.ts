/** Requests to issuers for several workers: as many as one process would send. */
import { expect, test } from 'vitest';
import { sharedFetches } from '../../../engine/src/server/workers/shared-fetches.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const request = {
  url: 'https://issuer.example/keys',
  purpose: 'key set',
  timeoutMs: 1,
  maxBytes: 1,
} as const;

const setUp = (reuseMs = 10_000) => {
  const { clock } = fakePorts();
  let requests = 0;
  let failure: Error | undefined;
  const http = {
    async get() {
      requests += 1;
      if (failure !== undefined) throw failure;
      return {
        status: 200,
        statusText: '200 OK',
        headers: new Map(),
        body: new Uint8Array([requests]),
      };
    },
  };
  const fetch = sharedFetches({ http, clock, reuseMs });
  return {
    clock,
    requests: () => requests,
    fail: (error: Error | undefined) => {
      failure = error;
    },
    get: async (process: number, url: string = request.url) =>
      (await fetch(process, { ...request, url })).body[0],
  };
};

test('workers that need a document at the same time share one request', async () => {
  const { get, requests } = setUp();
  expect(await Promise.all([get(1), get(2), get(3)])).toEqual([1, 1, 1]);
  expect(requests()).toBe(1);
});

test('a worker gets a recent response of another worker once, and then a new one', async () => {
  const { get, clock } = setUp();
  expect(await get(1)).toBe(1);
  clock.advance(9_000);
  expect(await get(2)).toBe(1);
  expect(await get(2)).toBe(2);
  expect(await get(1)).toBe(2);
  clock.advance(10_000);
  expect(await get(3)).toBe(3);
});

test('with per-token fetches only requests in progress are shared', async () => {
  const { get } = setUp(0);
  expect(await Promise.all([get(1), get(2)])).toEqual([1, 1]);
  expect(await get(3)).toBe(2);
});

test('documents differ by their URL, and failures are shared too', async () => {
  const { get, requests, fail } = setUp();
  fail(new Error('connection refused'));
  await expect(get(1)).rejects.toThrow('connection refused');
  await expect(get(2)).rejects.toThrow('connection refused');
  expect(requests()).toBe(1);
  fail(undefined);
  expect(await get(2, 'https://other.example/keys')).toBe(2);
  expect(await get(1)).toBe(3);
});
