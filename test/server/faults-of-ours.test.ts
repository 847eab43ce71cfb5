/** A handler that throws costs its request, and is told; and bytes that come in the middle of an answer. */
import { expect, test } from 'vitest';
import { errorCodes, headersFrame, requestFields } from '../support/http2-frames.ts';
import { rawExchange } from '../support/raw-exchange.ts';
import { withListener } from './http2/with-listener.ts';

const listener = withListener();
const toldFaults = (): readonly string[] =>
  listener.events().filter((what) => what.startsWith('fault '));
const fault = 'fault Error: unreachable: no answer to /nobody-knows';

test('over HTTP/2 the stream is reset, and the connection goes on', async () => {
  const client = await listener.open();
  const times = 120;
  for (let count = 0; count < times; count += 1) {
    const stream = 2 * count + 1;
    client.send(headersFrame(stream, requestFields({ path: '/nobody-knows' })));
    expect((await client.answer(stream)).reset).toBe(errorCodes.internalError);
  }
  expect(toldFaults()).toEqual(Array.from({ length: times }, () => fault));
  client.send(headersFrame(2 * times + 1, requestFields({ path: '/livez' })));
  expect((await client.answer(2 * times + 1)).status).toBe(200);
});

test('over HTTP/1.1 the connection ends', async () => {
  const answer = await rawExchange(
    listener.reach(),
    'GET /nobody-knows HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
  expect(answer.raw).toBe('');
  expect(toldFaults()).toEqual([fault]);
});

test('what is no request never stands in the middle of an answer', async () => {
  const request = 'GET /pieces/1000 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answer = await rawExchange(listener.reach(), `${request}no request\r\n\r\n`);
  expect(answer.raw.match(/HTTP\/1\.1 \d+/g)?.length ?? 0).toBeLessThanOrEqual(1);
});
