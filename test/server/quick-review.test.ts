/** The short way through the body of a TokenReview gives what the long way gives, or nothing. */
import { expect, test } from 'vitest';
import { readObject } from '../../engine/src/server/wire/read-object.ts';
import { quickTokenReview } from '../../engine/src/server/wire/review-fast-path.ts';
import { tokenReviewShape } from '../../engine/src/server/wire/shape.ts';

const group = 'authentication.k8s.io';
const head = `"kind":"TokenReview","apiVersion":"${group}/v1"`;
const swapped = `"apiVersion":"${group}/v1","kind":"TokenReview"`;

const long = (body: string) =>
  readObject(
    {
      format: 'json',
      bytes: new TextEncoder().encode(body),
      group,
      kind: 'TokenReview',
      validation: 'Warn',
    },
    { packageName: 'authentication', lookUp: () => ({ shape: tokenReviewShape }) },
  );
/** As the long way gives it. */
const quick = (body: string) => {
  const review = quickTokenReview(new TextEncoder().encode(body), group);
  if (review === undefined) return undefined;
  const { token, audiences } = review;
  const named = audiences.length === 0 ? [] : [['audiences', audiences] as const];
  return new Map<string, unknown>([
    ['kind', 'TokenReview'],
    ['apiVersion', `${group}/v1`],
    ['spec', new Map<string, unknown>([['token', token], ...named])],
  ]);
};

test.each([
  `{${head},"spec":{"token":"a.b-c_d~+/="}}`,
  `{${swapped},"spec":{"token":"a"}}\n`,
  `{${head},"spec":{"token":"a","audiences":["x"]}}`,
  `{${head},"spec":{"token":"a","audiences":["x, y","<&>",""]}}`,
])('%s is read in one go', (body) => {
  expect(long(body)).toEqual({ kind: 'object', fields: quick(body), warnings: [] });
});

test.each([
  `{${head},"metadata":{"creationTimestamp":null},"spec":{"token":"a"},"status":{"user":{}}}\n`,
  `{${head},"metadata":{},"spec":{"token":"a"},"status":{}}`,
])('%s has beside the spec nothing that is set', (body) => {
  const reading = long(body);
  const all = reading.kind === 'object' ? reading.fields : undefined;
  const told = new Map(['kind', 'apiVersion', 'spec'].map((name) => [name, all?.get(name)]));
  expect(quick(body)).toEqual(told);
});

test.each([
  `{${head},"spec":{"token":"a"},"spec":{"token":"b"}}`,
  `{${head},"spec":{"token":"a","token":"b"}}`,
  `{${head},"spec":{"token":"a","audiences":[]}}`,
  `{${head},"spec":{"token":"a","audiences":["x\\u0041"]}}`,
  `{${head},"spec":{"token":"a\\n"}}`,
  `{${head},"spec":{"token":""}}`,
  `{${head},"spec":{"token":"ä"}}`,
  `{${head},"spec":{"token":"a"},"status":{"authenticated":true}}`,
  `{${head},"metadata":{"name":"x"},"spec":{"token":"a"}}`,
  `{${head},"spec":{"token":"a"},"more":1}`,
  `{${head},"spec":{"token":"a"}} `,
  `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1beta1","spec":{"token":"a"}}`,
  `{"kind":"TokenReview","spec":{"token":"a"}}`,
  `{ ${head},"spec":{"token":"a"}}`,
  '',
])('%s goes the long way', (body) => {
  expect(quick(body)).toBe(undefined);
});
