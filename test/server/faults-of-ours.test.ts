/**
 * A handler that throws fails only its own request, and the error is logged; unexpected bytes
 * during a response are tested too.
 */
import { expect, test } from 'vitest';
import { errorCodes, headersFrame, requestFields } from '../support/http2-frames.ts';
import { rawExchange } from '../support/raw-exchange.ts';
import { withListener } from './http2/with-listener.ts';

const listener = withListener();
const loggedErrors = (): readonly string[] =>
  listener.events().filter((what) => what.startsWith('fault '));
const fault = 'fault Error: unreachable: no response for /unknown';

test('resets the stream over HTTP/2 and keeps the connection', async () => {
  const client = await listener.open();
  const times = 120;
  for (let count = 0; count < times; count += 1) {
    const stream = 2 * count + 1;
    client.send(headersFrame(stream, requestFields({ path: '/unknown' })));
    expect((await client.answer(stream)).reset).toBe(errorCodes.internalError);
  }
  expect(loggedErrors()).toEqual(Array.from({ length: times }, () => fault));
  client.send(headersFrame(2 * times + 1, requestFields({ path: '/livez' })));
  expect((await client.answer(2 * times + 1)).status).toBe(200);
});

test('ends the connection over HTTP/1.1', async () => {
  const answer = await rawExchange(
    listener.reach(),
    'GET /unknown HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
  expect(answer.raw).toBe('');
  expect(loggedErrors()).toEqual([fault]);
});

test('never sends an error in the middle of a response', async () => {
  const request = 'GET /pieces/1000 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answer = await rawExchange(listener.reach(), `${request}no request\r\n\r\n`);
  expect(answer.raw.match(/HTTP\/1\.1 \d+/g)?.length ?? 0).toBeLessThanOrEqual(1);
});
