/**
 * Many tokens, keys and objects with kube-apiserver's decisions. Product mode decides the same, or
 * rejects.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  answerServiceAccount,
  type ServiceAccountCase,
} from '../../../support/answer-modules/serviceaccount.ts';
import { differences } from '../../../support/differences.ts';

type Variation = ServiceAccountCase & { readonly expect: Readonly<Record<string, unknown>> };

const variations = readFileSync(join(import.meta.dirname, 'variations.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Variation => JSON.parse(line));

describe('exact', () => {
  test.each(variations)('$id', async ({ expect: wanted, ...line }) => {
    expect(await answerServiceAccount(line)).toEqual(wanted);
  });
});

describe('product', () => {
  test.each(variations)('$id', async ({ expect: wanted, ...line }) => {
    const answer = await answerServiceAccount(line, 'product');
    try {
      expect(answer).toEqual(wanted);
    } catch (difference) {
      const covered = differences.some(({ covers }) => covers({ token: line.input.token ?? '' }));
      if (!covered) throw difference;
      expect(answer).not.toHaveProperty('outcome', 'accept');
    }
  });
});
