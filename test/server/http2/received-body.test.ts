/** A body that was aborted, discarded or read before reads as broken. */
import { expect, test } from 'vitest';
import { ReceivedBody } from '../../../engine/src/server/http2/received-body.ts';
import { connectionMemory } from '../../support/server-memory.ts';

const receive = (...texts: readonly string[]) => {
  let released = 0;
  const body = new ReceivedBody({
    isComplete: false,
    contentLength: undefined,
    release(bytes) {
      released += bytes;
    },
    memory: connectionMemory(),
  });
  for (const text of texts) body.add(Buffer.from(text));
  return { body, released: () => released };
};

test('returns a complete body once', async () => {
  const { body, released } = receive('ab', 'cd');
  expect(released()).toBe(0);
  expect(body.end()).toBeUndefined();
  expect(await body.read(4)).toEqual({ kind: 'bytes', bytes: Buffer.from('abcd') });
  expect(released()).toBe(4);
  expect(await body.read(4)).toEqual({ kind: 'broken' });
});

test.each([
  ['broke', (body: ReceivedBody) => body.abort()],
  ['was discarded', (body: ReceivedBody) => body.discard()],
])('reads a complete body as broken if it %s before', async (_name, end) => {
  const { body, released } = receive('{"a":1}');
  body.end();
  end(body);
  expect(await body.read(100)).toEqual({ kind: 'broken' });
  body.discard();
  expect(released()).toBe(7);
});

test('does not retain what follows a body that is too large, and releases it when it is discarded', async () => {
  const { body, released } = receive('abc');
  expect(await body.read(2)).toEqual({ kind: 'tooLarge' });
  body.add(Buffer.from('defg'));
  expect(released()).toBe(0);
  body.discard();
  body.add(Buffer.from('h'));
  expect(released()).toBe(8);
});

test.each([
  ['more', 2, 1],
  ['less', 4, undefined],
])('%s bytes than announced', (_name, contentLength, atOnce) => {
  const body = new ReceivedBody({
    isComplete: false,
    contentLength,
    release: () => {},
    memory: connectionMemory(),
  });
  expect(body.add(Buffer.from('abc'))).toBe(atOnce);
  if (atOnce === undefined) expect(body.end()).toBe(1);
});
