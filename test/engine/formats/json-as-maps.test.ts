import { expect, test } from 'vitest';
import { readJsonMap, writeJson } from '../../../engine/src/formats/json-as-maps.ts';

test.each([
  '{}',
  '{"a":[1,-2.5,true,null,"x"],"b":{"c":{}}}',
  '{"__proto__":{"x":1},"constructor":"y"}',
  '{"text":"\\u0000\\n\\"é😀"}',
])('preserves %s', (text) => {
  expect(writeJson(readJsonMap(text) ?? null)).toBe(text);
});

test.each(['', '[]', '1', 'null', '"x"', '{"a":}', '{"a":1} x'])('rejects %j', (text) => {
  expect(readJsonMap(text)).toBeUndefined();
});

test('uses the last of repeated members and has no special names', () => {
  const object = readJsonMap('{"a":1,"a":2,"__proto__":{"polluted":true}}');
  expect(object?.get('a')).toBe(2);
  expect(object?.get('polluted')).toBeUndefined();
  expect(object?.has('__proto__')).toBe(true);
});
