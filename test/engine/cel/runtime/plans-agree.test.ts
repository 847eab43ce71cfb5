/**
 * Three plans of an expression have the same result: specialized, with a probe, and deserialized
 * from JSON.
 */
import { describe, expect, test } from 'vitest';
import { planExpression } from '../../../../engine/src/cel/evaluate/plan.ts';
import { planSerialized } from '../../../../engine/src/cel/evaluate/plan-serialized.ts';
import type { Probe } from '../../../../engine/src/cel/evaluate/program.ts';
import { serializeExpression } from '../../../../engine/src/cel/evaluate/serialize.ts';
import { CelError } from '../../../../engine/src/cel/values/value.ts';
import {
  compileQuestion,
  expectAgreeingPlans,
  quickQuestions,
} from '../../../support/agreeing-plans.ts';

describe('all plans of an expression', () => {
  test.each(quickQuestions)('$id $shows', ({ input }) => expectAgreeingPlans(input));

  test('serialize the same expression to the same bytes', () => {
    for (const { input } of quickQuestions.slice(0, 50)) {
      const [first, second] = [compileQuestion(input), compileQuestion(input)].map(({ checked }) =>
        JSON.stringify(serializeExpression(checked)),
      );
      expect(first).toBe(second);
    }
  });

  test.each([null, 1, 'x', [], ['f'], ['c', 1, 'int', 'x'], ['f', 1, 'size', null, ['?', 2]], {}])(
    'fail for damaged data %j without throwing',
    (code) => {
      const { value, error } = planSerialized({ text: 'damaged', code }).evaluate({});
      expect(value).toBeUndefined();
      expect(error).toContain('program instantiation failed');
    },
  );
});

describe('an upper bound of the cost', () => {
  const programOf = (expression: string) => {
    const { program } = compileQuestion({ kind: 'claims', expression });
    if (program === undefined) throw new Error('not compiled');
    return program;
  };

  test('counts the length of a string instead of its code points', () => {
    const program = programOf("'x' + claims.a == 'y'");
    const claims = { a: '\u{1f600}'.repeat(100) };
    const { cost } = program.evaluate(claims);
    const meter = { spent: 0 };
    expect(program.evaluateMetered(claims, meter)).toBe(false);
    expect(meter.spent - cost).toBe(10);
  });

  test('is exact close to the limit', () => {
    const program = programOf("lists.range(900).all(i, ('x' + claims.a).startsWith('x'))");
    // Twice as many code units as code points: only the exact count remains below the limit.
    const claims = { a: '\u{1f600}'.repeat(5000) };
    const { value, cost } = program.evaluate(claims);
    const meter = { spent: 0 };
    expect(value).toBe(true);
    expect(program.evaluateMetered(claims, meter)).toBe(true);
    expect(meter.spent).toBe(cost);
  });

  test('does not change the error at the limit', () => {
    const program = programOf("lists.range(2000).all(i, ('x' + claims.a).startsWith('x'))");
    const claims = { a: 'a'.repeat(5000) };
    const { error, cost } = program.evaluate(claims);
    const meter = { spent: 0 };
    expect(program.evaluateMetered(claims, meter)).toEqual(new CelError(error ?? ''));
    expect(meter.spent).toBe(cost);
  });
});

describe('a probe', () => {
  test('observes each node that is evaluated, with its value or error', () => {
    const { checked } = compileQuestion({
      kind: 'claims',
      expression: 'claims.a.b == "x" || claims.gone',
    });
    const seen: unknown[] = [];
    const probe: Probe = {
      observe: (nodeId, value, error) => seen.push([nodeId, value ?? error]),
    };
    const planned = planExpression(checked, { probe });
    if (!('program' in planned)) throw new Error('not planned');
    planned.program.evaluate({ a: { b: 'y' } });
    const values = seen.map((row) => (Array.isArray(row) ? row[1] : row));
    expect(values).toContainEqual({ b: 'y' });
    expect(values).toContain('y');
    expect(values).toContain('no such key: gone');
    expect(values.at(-1)).toBe('no such key: gone');
  });
});
