/** Bodies in which every value is wrong or every byte starts a field: neither time nor the response multiplies them. */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import { secretRules } from '../../../engine/src/resources/secret.ts';
import { hasFewValues } from '../../../engine/src/server/memory/body-values.ts';
import { memoryBudget } from '../../../engine/src/server/memory/memory-budget.ts';
import { protoSchemas } from '../../../engine/src/server/wire/protobuf-schema.ts';
import { readProtobufObject } from '../../../engine/src/server/wire/read-protobuf.ts';

const secretWith = (name: string, values: readonly Json[]): JsonObject =>
  new Map<string, Json>([
    ['apiVersion', 'v1'],
    ['kind', 'Secret'],
    [
      'metadata',
      new Map<string, Json>([
        ['name', 'a'],
        ['namespace', 'b'],
        [name, values],
      ]),
    ],
  ]);

test.each([
  ['ownerReferences', new Map<string, Json>([['uid', '1']])],
  ['ownerReferences', new Map<string, Json>([['controller', true]])],
  ['finalizers', 'a/b/c'],
] as const)(
  'stops validating %s after a thousand errors, and cuts the values in them',
  (name, value) => {
    const errors = secretRules.validate(
      secretWith(
        name,
        Array.from({ length: 60_000 }, () => value),
      ),
    );
    expect(errors.length).toBeGreaterThanOrEqual(1_000);
    expect(errors.length).toBeLessThan(2_200);
    expect(Math.max(...errors.map(({ message }) => message.length))).toBeLessThan(3_000);
  },
);

/** A TokenReview whose spec has this many empty audiences. */
const tokenReview = (audiences: number): Uint8Array => {
  const spec = new Uint8Array(audiences * 2);
  for (let at = 0; at < spec.length; at += 2) spec[at] = 0x12;
  const length: number[] = [];
  for (let rest = spec.length; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) break;
  }
  return Uint8Array.from([0x12, ...length, ...spec]);
};

test('reads the repeated fields of a protobuf message up to a number of them', () => {
  const schema = protoSchemas.get('TokenReview') ?? [];
  const read = readProtobufObject(tokenReview(10_000), 'TokenReview', schema);
  expect(read.kind).toBe('value');
  expect(JSON.stringify(read).match(/"kind":"string"/g)).toHaveLength(10_000);
  expect(readProtobufObject(tokenReview(1_000_000), 'TokenReview', schema)).toEqual({
    kind: 'error',
    message: expect.stringContaining('more than 16384 fields in the body'),
  });
});

test('refuses JSON bodies with more values than the server can validate in a small container', () => {
  const { bodyValues } = memoryBudget(256 * 1024 * 1024);
  const body = (owners: number): Uint8Array =>
    new TextEncoder().encode(`[${Array.from({ length: owners }, () => '{"uid":"1"}').join()}]`);
  expect(hasFewValues(body(1_000), bodyValues)).toBe(true);
  expect(hasFewValues(body(60_000), bodyValues)).toBe(false);
});
