/**
 * Generated requests with kube-apiserver's answers: selectors and invalid list options, keys that a
 * constrained mode rejects, sequences of requests, callers on a node.
 */
import { expect, test } from 'vitest';
import {
  answerImpersonation,
  type ImpersonationCase,
  isReachable,
} from '../../support/answer-modules/impersonation.ts';
import { cases } from '../../support/cases.ts';

const recorded = cases(
  'engine/runtime/impersonation-variations.jsonl',
) as unknown as readonly (ImpersonationCase & { readonly expect: unknown })[];

test.each(recorded.filter(isReachable))('$id', async ({ expect: answer, ...line }) => {
  expect(await answerImpersonation(line)).toEqual(answer);
});
