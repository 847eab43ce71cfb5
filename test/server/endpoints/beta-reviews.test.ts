/**
 * v1beta1 of authentication.k8s.io, enabled and disabled, compared with recorded kube-apiserver
 * responses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerStack, type StackCase } from '../../support/answer-modules/stack.ts';

const recorded = readFileSync(join(import.meta.dirname, 'beta-reviews.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): StackCase & { readonly expect: unknown } => JSON.parse(line));

test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(await answerStack(line)).toEqual(answer);
});
