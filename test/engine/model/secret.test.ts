/** A secret cannot be printed and is readable only through `reveal`. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { reveal, secret } from '../../../engine/src/model/secret.ts';

test('every string conversion is redacted', () => {
  const guarded = secret('hunter2');
  const texts = [
    String(guarded),
    `${guarded}`,
    JSON.stringify({ guarded }),
    inspect(guarded, { showHidden: true, depth: 9 }),
    inspect({ guarded }, { showHidden: true, customInspect: false, depth: 9 }),
  ];
  for (const text of texts) expect(text).not.toContain('hunter2');
  expect(reveal(guarded)).toBe('hunter2');
});

test('the value is not reachable through properties', () => {
  const guarded = secret('hunter2');
  expect(Reflect.ownKeys(guarded)).toEqual([]);
  expect(structuredClone({ ...guarded })).toEqual({});
});
