/** Expressions that spend the budget take seconds in all ways of planning them. */
import { expect, test } from 'vitest';
import { costlyQuestions, expectAgreeingPlans } from '../support/agreeing-plans.ts';

test('there are expressions that spend the budget', () => {
  expect(costlyQuestions.length).toBeGreaterThan(5);
});

test.each(costlyQuestions)('all plans agree: $id $shows', ({ input }) =>
  expectAgreeingPlans(input),
);
