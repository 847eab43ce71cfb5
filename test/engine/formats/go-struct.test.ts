/**
 * Repeated members, nulls and malformed values, decoded as by Go's `sigs.k8s.io/json` into the
 * types of Kubernetes 1.36.3. Empty members are not compared, because Go omits some of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainJson } from '../../../engine/src/documents/yaml/plain-value.ts';
import { decodeObject } from '../../../engine/src/formats/go-struct/decode.ts';
import type { StructShape } from '../../../engine/src/formats/go-struct/shape.ts';
import { writeJson } from '../../../engine/src/formats/json-as-maps.ts';
import { normalForm } from '../../../engine/src/resources/normal-form.ts';
import { allKindRules } from '../../../engine/src/resources/registry.ts';
import { tokenRequestShape, tokenReviewShapes } from '../../../engine/src/resources/reviews.ts';
import { jsonOfFields } from '../../../engine/src/server/api/read-body.ts';

interface Recorded {
  readonly type: string;
  readonly body: string;
  readonly value?: unknown;
  readonly strictErrors?: readonly string[];
  readonly error?: string;
}

const recorded = readFileSync(join(import.meta.dirname, 'go-struct.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): Recorded => JSON.parse(line));

const shapes = new Map<string, StructShape>([
  ...allKindRules.map(({ row, shape }) => [row.kind, shape] as const),
  ['TokenRequest', tokenRequestShape],
  ['TokenReview', tokenReviewShapes.v1],
]);

const shapeOf = (type: string): StructShape => {
  const shape = shapes.get(type);
  if (shape === undefined) throw new Error(`no shape of ${type}`);
  return shape;
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)]);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
};

test.each(recorded)('$type $body', ({ type, body, value, strictErrors, error }) => {
  const plain = readPlainJson(new TextEncoder().encode(body), 100);
  if (plain.kind === 'error') throw new Error(plain.message);
  const shape = shapeOf(type);
  const decoded = decodeObject(plain.value, shape);
  const found =
    decoded.kind === 'error'
      ? { error: decoded.message }
      : {
          value: withoutEmpty(
            JSON.parse(writeJson(normalForm(jsonOfFields(decoded.fields), shape))),
          ),
          strictErrors: decoded.strictErrors,
        };
  expect(found).toEqual(
    error === undefined ? { value: withoutEmpty(value), strictErrors } : { error },
  );
});

test('many repetitions of a long map and a long list take linear time', () => {
  const count = 30_000;
  const labels = Array.from({ length: count }, (_, index) => `"${index}":""`).join(',');
  const finalizers = Array.from({ length: count }, () => '""').join(',');
  const repeated = ',"labels":{"a":""},"finalizers":[null]'.repeat(count);
  const body = `{"metadata":{"labels":{${labels}},"finalizers":[${finalizers}]${repeated}}}`;
  const plain = readPlainJson(new TextEncoder().encode(body), 100);
  if (plain.kind === 'error') throw new Error(plain.message);
  const start = performance.now();
  decodeObject(plain.value, shapeOf('Secret'));
  expect(performance.now() - start).toBeLessThan(5000);
});
