/** A secret has no way to text, and no way in but one. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { reveal, secret } from '../../../engine/src/model/secret.ts';

test('every way to text is redacted', () => {
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

test('nothing that can be listed leads to the value', () => {
  const guarded = secret('hunter2');
  expect(Reflect.ownKeys(guarded)).toEqual([]);
  expect(structuredClone({ ...guarded })).toEqual({});
});
