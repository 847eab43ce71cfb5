/**
 * The fast path for the body of a TokenReview gives the same result as the general decoder, or
 * none.
 */
import { expect, test } from 'vitest';
import { tokenReviewShapes } from '../../../engine/src/resources/reviews.ts';
import { readObject } from '../../../engine/src/server/wire/read-object.ts';
import { readCompactTokenReview } from '../../../engine/src/server/wire/review-fast-path.ts';

const group = 'authentication.k8s.io';
const prefix = `"kind":"TokenReview","apiVersion":"${group}/v1"`;
const swapped = `"apiVersion":"${group}/v1","kind":"TokenReview"`;

const readMemberByMember = (body: string) =>
  readObject(
    {
      format: 'json',
      bytes: new TextEncoder().encode(body),
      group,
      kind: 'TokenReview',
      validation: 'Warn',
    },
    { packageName: 'authentication', lookUp: () => ({ shape: tokenReviewShapes.v1 }) },
  );
/** The result in the form of the general decoder. */
const readFast = (body: string) => {
  const review = readCompactTokenReview(new TextEncoder().encode(body), group);
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
  `{${prefix},"spec":{"token":"a.b-c_d~+/="}}`,
  `{${swapped},"spec":{"token":"a"}}\n`,
  `{${prefix},"spec":{"token":"a","audiences":["x"]}}`,
  `{${prefix},"spec":{"token":"a","audiences":["x, y","<&>",""]}}`,
])('reads %s', (body) => {
  expect(readMemberByMember(body)).toEqual({
    kind: 'object',
    fields: readFast(body),
    warnings: [],
  });
});

test.each([
  `{${prefix},"metadata":{"creationTimestamp":null},"spec":{"token":"a"},"status":{"user":{}}}\n`,
  `{${prefix},"metadata":{},"spec":{"token":"a"},"status":{}}`,
])('ignores unset members of %s', (body) => {
  const reading = readMemberByMember(body);
  const all = reading.kind === 'object' ? reading.fields : undefined;
  const expected = new Map(['kind', 'apiVersion', 'spec'].map((name) => [name, all?.get(name)]));
  expect(readFast(body)).toEqual(expected);
});

test.each([
  `{${prefix},"spec":{"token":"a"},"spec":{"token":"b"}}`,
  `{${prefix},"spec":{"token":"a","token":"b"}}`,
  `{${prefix},"spec":{"token":"a","audiences":[]}}`,
  `{${prefix},"spec":{"token":"a","audiences":["x\\u0041"]}}`,
  `{${prefix},"spec":{"token":"a\\n"}}`,
  `{${prefix},"spec":{"token":""}}`,
  `{${prefix},"spec":{"token":"ä"}}`,
  `{${prefix},"spec":{"token":"a"},"status":{"authenticated":true}}`,
  `{${prefix},"metadata":{"name":"x"},"spec":{"token":"a"}}`,
  `{${prefix},"spec":{"token":"a"},"more":1}`,
  `{${prefix},"spec":{"token":"a"}} `,
  `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1beta1","spec":{"token":"a"}}`,
  `{"kind":"TokenReview","spec":{"token":"a"}}`,
  `{ ${prefix},"spec":{"token":"a"}}`,
  '',
])('does not read %s', (body) => {
  expect(readFast(body)).toBe(undefined);
});
