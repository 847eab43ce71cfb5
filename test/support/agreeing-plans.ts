/**
 * Plans an expression in three ways and compares the results: specialized, with a probe, and
 * deserialized from JSON.
 */
import { expect } from 'vitest';
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { planExpression } from '../../engine/src/cel/evaluate/plan.ts';
import { planSerialized } from '../../engine/src/cel/evaluate/plan-serialized.ts';
import type { Evaluation, Probe } from '../../engine/src/cel/evaluate/program.ts';
import { serializeExpression } from '../../engine/src/cel/evaluate/serialize.ts';
import { CelError, type JsonRecord } from '../../engine/src/cel/values/value.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import type { CelQuestion } from './answer-cel.ts';
import { cases } from './cases.ts';
import { taggedValue } from './tagged-value.ts';

export const compileQuestion = (question: CelQuestion) =>
  compileExpression({
    text: question.expression,
    environment:
      question.kind.startsWith('user') && question.kind !== 'username' ? 'user' : 'claims',
    result: 'any',
    release: newestRelease,
  });

const compiling = cases<CelQuestion>('conformance/cel.jsonl').filter(
  ({ input }) => compileQuestion(input).program !== undefined,
);

/** The recorded costs from which an expression takes seconds to be evaluated in all ways. */
const highCost = 100_000;
const isCostly = ({ expected }: { readonly expected: unknown }): boolean =>
  typeof expected === 'object' &&
  expected !== null &&
  'cost' in expected &&
  Number(expected.cost) >= highCost;

export const quickQuestions = compiling.filter((one) => !isCostly(one));
export const costlyQuestions = compiling.filter(isCostly);

const comparable = ({ value, error, cost }: Evaluation) => ({
  value: value === undefined ? undefined : taggedValue(value),
  error,
  cost,
});

const emptyProbe: Probe = { observe: () => undefined };

const variableOf = ({ claims, user }: CelQuestion): JsonRecord =>
  JSON.parse(
    JSON.stringify(
      user === undefined
        ? (claims ?? {})
        : { username: '', uid: '', groups: [], extra: {}, ...user },
    ),
  );

/** Fails if a way to plan the expression has another value, error or cost. */
export const expectAgreeingPlans = (input: CelQuestion): void => {
  const { checked } = compileQuestion(input);
  const variable = variableOf(input);
  const planned = planExpression(checked);
  const probed = planExpression(checked, { probe: emptyProbe });
  if (!('program' in planned) || !('program' in probed)) throw new Error('not planned');
  const answer = comparable(planned.program.evaluate(variable));
  const serialized = JSON.parse(JSON.stringify(serializeExpression(checked)));
  expect(comparable(probed.program.evaluate(variable))).toEqual(answer);
  expect(comparable(planSerialized(serialized).evaluate(variable))).toEqual(answer);
  expect(comparable(planSerialized(serialized, { probe: emptyProbe }).evaluate(variable))).toEqual(
    answer,
  );
  // A program retains nothing between evaluations.
  expect(comparable(planned.program.evaluate(variable))).toEqual(answer);
  const meter = { spent: 0 };
  const result = planned.program.evaluateMetered(variable, meter);
  expect(result instanceof CelError ? result.message : taggedValue(result)).toEqual(
    answer.error ?? answer.value,
  );
  expect(meter.spent).toBeGreaterThanOrEqual(answer.cost);
};
