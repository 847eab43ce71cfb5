/** What is read of a body that broke, was thrown away or was read before: nothing, and no other bytes. */
import { expect, test } from 'vitest';
import { ReceivedBody } from '../../../engine/src/server/http2/received-body.ts';
import { connectionMemory } from '../../support/server-memory.ts';

const receive = (...texts: readonly string[]) => {
  let takenUp = 0;
  const body = new ReceivedBody({
    isComplete: false,
    contentLength: undefined,
    release(bytes) {
      takenUp += bytes;
    },
    memory: connectionMemory(),
  });
  for (const text of texts) body.add(Buffer.from(text));
  return { body, takenUp: () => takenUp };
};

test('a whole body is read once', async () => {
  const { body, takenUp } = receive('ab', 'cd');
  expect(takenUp()).toBe(0);
  expect(body.end()).toBeUndefined();
  expect(await body.read(4)).toEqual({ kind: 'bytes', bytes: Buffer.from('abcd') });
  expect(takenUp()).toBe(4);
  expect(await body.read(4)).toEqual({ kind: 'broken' });
});

test.each([
  ['broke', (body: ReceivedBody) => body.abort()],
  ['was thrown away', (body: ReceivedBody) => body.discard()],
])('a whole body that %s before it was read is broken', async (_name, end) => {
  const { body, takenUp } = receive('{"a":1}');
  body.end();
  end(body);
  expect(await body.read(100)).toEqual({ kind: 'broken' });
  body.discard();
  expect(takenUp()).toBe(7);
});

test('what comes after a body that is too large is not kept, and taken up when it is thrown away', async () => {
  const { body, takenUp } = receive('abc');
  expect(await body.read(2)).toEqual({ kind: 'tooLarge' });
  body.add(Buffer.from('defg'));
  expect(takenUp()).toBe(0);
  body.discard();
  body.add(Buffer.from('h'));
  expect(takenUp()).toBe(8);
});

test.each([
  ['more', 2, 1],
  ['less', 4, undefined],
])('%s bytes than were announced', (_name, contentLength, atOnce) => {
  const body = new ReceivedBody({
    isComplete: false,
    contentLength,
    release: () => {},
    memory: connectionMemory(),
  });
  expect(body.add(Buffer.from('abc'))).toBe(atOnce);
  if (atOnce === undefined) expect(body.end()).toBe(1);
});
