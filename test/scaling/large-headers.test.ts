/**
 * Header blocks of up to 1 MiB, the maximum, take processor time that grows linearly, whatever they
 * repeat. Machines differ, so the limit for each length is derived from the time for a quarter of
 * it and from the time for a field that the server does not parse. The long form
 * (`AUTHGRAPH_SCALING=long`) also prints the milliseconds of processor time for each block of 1 MiB
 * and compares them with the published figure. They are measured on the thread in which the client
 * of the test runs, too; the time for the field that is not parsed is subtracted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { reach, startFake } from '../support/fake-generation.ts';
import { processorMsOf } from '../support/processor-time.ts';
import { rawExchange } from '../support/raw-exchange.ts';

const isLong = process.env.AUTHGRAPH_SCALING === 'long';
/** The limit for a block of 1 MiB, in the long form. */
const publishedMs = 50;
const maxLength = 1_000_000;
/** Short lengths first: they reveal quadratic parsers before it takes minutes. */
const lengths = [4_000, 16_000, 64_000, maxLength];
/** The limit for four times the length: linear growth gives 4, quadratic growth 16. */
const maxRatio = 10;

let server: RunningServer;
/** Milliseconds for the client, TLS, and a field of 1 MiB that is not parsed. */
let transportMs: number;
const figures: [name: string, milliseconds: number][] = [];

beforeAll(async () => {
  server = await startFake();
  transportMs = await exchangeMs(request('/version', [`X-Unread: ${run('a', maxLength)}`]), 0);
});
afterAll(async () => {
  await server.close(100);
  if (!isLong) return;
  const rows = figures.toSorted((a, b) => b[1] - a[1]);
  console.log(rows.map(([name, ms]) => `${ms.toFixed(1).padStart(6)} ms  ${name}`).join('\n'));
});

const run = (part: string, length: number): string => part.repeat(Math.floor(length / part.length));

const request = (target: string, fields: readonly string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`;

/**
 * Returns the minimum of a few exchanges, as a busy machine slows down single ones; stops early
 * below `enough`.
 */
const exchangeMs = (bytes: string, enough: number): Promise<number> =>
  processorMsOf(
    async () => {
      const { status } = await rawExchange(reach(server), bytes);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    },
    { runs: 6, enough },
  );

/** Fails if the processor time of the request grows faster than its length. */
const expectLinear = async (name: string, requestOf: (length: number) => string): Promise<void> => {
  let parsingMs = 0;
  for (const length of lengths) {
    const mostMs = transportMs + maxRatio * Math.max(parsingMs, transportMs);
    const milliseconds = await exchangeMs(requestOf(length), mostMs);
    expect(milliseconds, `${name}, ${length} bytes`).toBeLessThan(mostMs);
    parsingMs = milliseconds - transportMs;
  }
  if (!isLong) return;
  parsingMs = (await exchangeMs(requestOf(maxLength), transportMs + publishedMs / 2)) - transportMs;
  figures.push([name, parsingMs]);
  expect(parsingMs, name).toBeLessThan(publishedMs);
};

const known = 'Authorization: Bearer tok-alice';
const parts = ['/', ' ', ',', ';', '%2f', ';a=b', '; a="b"'];

/** A blank would end the target. */
test.each(parts.filter((part) => !part.includes(' ')))('a target of %j', async (part) => {
  for (const prefix of [
    '/a',
    '/api/v1/namespaces',
    '/apis/rbac.authorization.k8s.io/v1/roles',
    '/a?',
  ]) {
    const target = (length: number): string => `${prefix}${run(part, length)}b`;
    const name = `${prefix} and a run of ${JSON.stringify(part)}`;
    await expectLinear(name, (length) => request(target(length), []));
    await expectLinear(`${name}, authenticated`, (length) => request(target(length), [known]));
  }
});

test.each([
  ['Impersonate-Group', '\u00a0'],
  ['Impersonate-Extra-a', '\u00a0'],
  ['Impersonate-User', '\u00a0a'],
  ['Authorization', '\u00a0'],
  // A character of two bytes, and a byte that is no character.
  ['Authorization', '\u00c3\u00a9\u00ff'],
  ['Accept', 'a/b*/*,'],
])('%s of %j repeated', async (field, part) => {
  await expectLinear(`${field} of ${part}`, (length) =>
    request('/apis', [`${field}: ${run(part, length)}`]),
  );
});

test.each(['a=b,', ',', 'a>1,', 'a in (b),'])('a label selector of %j', async (part) => {
  const target = '/api/v1/namespaces/default/secrets?labelSelector=';
  await expectLinear(`labelSelector of ${part}`, (length) =>
    request(`${target}${run(part, length).replaceAll(' ', '+')}`, []),
  );
});

test.each(
  parts.flatMap((part) =>
    ['Accept', 'Content-Type', 'Authorization', 'Sec-WebSocket-Protocol'].map(
      (field) => [field, part] as const,
    ),
  ),
)('%s of %j', async (field, part) => {
  const hostile = (length: number): string => `${field}: a/b${run(part, length)}x`;
  const name = `${field} with a run of ${JSON.stringify(part)}`;
  await expectLinear(name, (length) => request('/version', [hostile(length)]));
  if (field === 'Authorization') return;
  await expectLinear(`${name}, authenticated`, (length) =>
    request('/version', [hostile(length), known]),
  );
});
