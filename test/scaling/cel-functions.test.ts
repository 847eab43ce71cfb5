/**
 * Tests INV-C2 for each function. The costs of calls are those of kube-apiserver and are counted after the call, so a
 * single call takes at most 50 ms of processor time for any token. The cases come from the registry: each overload is
 * called with hostile values of the types that it declares, as large as the limits of tokens permit. New functions are
 * covered without a case of their own; a type without values fails the test.
 */
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { chargeOf, costOfCall } from '../../engine/src/cel/cost/cost.ts';
import { functionTable } from '../../engine/src/cel/evaluate/plan/calls.ts';
import type { OverloadDeclaration } from '../../engine/src/cel/functions/library.ts';
import { libraries } from '../../engine/src/cel/functions/registry.ts';
import {
  beginEvaluation,
  countSteps,
  endEvaluation,
} from '../../engine/src/cel/values/evaluation-steps.ts';
import type { CelValue } from '../../engine/src/cel/values/value.ts';
import { maxTokenPayloadBytes } from '../../engine/src/model/limits.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { processorMs } from '../support/processor-time.ts';
import { hostileValues } from './hostile-values.ts';

/** Whether all strings are combined with all substrings and patterns. */
const isLong = process.env.AUTHGRAPH_SCALING === 'long';

/** The maximum processor time of one call, and of one evaluation. */
const maxCallMs = 50;
const maxEvaluationMs = 4000;

const overloads = [...functionTable(libraries, newestRelease).functions].flatMap(
  ([name, { overloads }]) => overloads.map((overload) => ({ name, overload, id: overload.id })),
);

/**
 * The maximum processor time of a unit of cost and of a step, in microseconds. One evaluation ends
 * after 1,000,000 units and 100,000,000 steps, so the expected worst case is 3 + 1 seconds. The
 * test permits twice as much, for slow machines.
 */
const microsecondsOfUnit = 3;
const microsecondsOfStep = 0.01;
const slowMachineFactor = 2;

/**
 * Calls below this time are not repeated: even 300,000 of them, more than a loop can pay for, take
 * only a few seconds.
 */
const negligibleMs = 0.02;

/** The clock of a thread may have steps of 4 ms. */
const clockMs = 8;
const maxCalls = 200;

/** Substrings that almost occur, or occur everywhere, and expensive patterns. */
const secondStrings = (size: number): readonly CelValue[] => {
  const half = 'a'.repeat(size / 2);
  const patterns = [
    'a*'.repeat(1024),
    `(?i)${'(a|b)*c?'.repeat(200)}d`,
    '(?:a?){200}a{200}b',
    'a{1000}'.repeat(1000),
    `(?i)${'[B-\u{1f600}]'.repeat(1000)}`,
    '\\pL'.repeat(size / 3),
    'a.*b|a',
    `${'[a-q][^u-z]'.repeat(50)}x`,
  ];
  return [
    ...patterns,
    'a',
    '',
    half,
    `b${half}`,
    `${half}b`,
    '(a*)*b',
    '(?:a|a)*$',
    'a'.repeat(1000),
  ];
};

/**
 * Combines each hostile value with values of the same shape and with small ones and, for two
 * strings, with parts that are hard to find in the other arguments.
 */
const argumentLists = ({ params }: OverloadDeclaration): readonly (readonly CelValue[])[] => {
  const choices = params.map((type) => hostileValues(type, maxTokenPayloadBytes));
  const longest = Math.max(...choices.map(({ length }) => length), 1);
  const rows: (readonly CelValue[])[] = Array.from({ length: longest }, (_, index) =>
    choices.map((list) => list[index % list.length] ?? null),
  );
  const [first = [], second = []] = choices;
  const isText = params[0]?.kind === 'string' && params[1]?.kind === 'string';
  const others = isText ? secondStrings(maxTokenPayloadBytes) : second;
  const rest = choices.slice(2).map((list) => list.at(-1) ?? null);
  const combined = isText && !isLong ? first.filter((_, index) => index % 32 === 0) : first;
  for (const value of params.length < 2 ? [] : combined) {
    for (const other of others) rows.push([value, other, ...rest]);
  }
  return rows;
};

const withStepLimit = <Result>(evaluate: () => Result): Result => {
  beginEvaluation();
  try {
    return evaluate();
  } finally {
    endEvaluation();
  }
};

/** Calls the function and returns the units of its cost. */
const call = (overload: OverloadDeclaration, args: readonly CelValue[], name: string): number => {
  const cost = costOfCall(name, overload.id, newestRelease);
  const result = overload.evaluate(args);
  return chargeOf(cost)(args[0] ?? null, args[1] ?? null, result);
};

/**
 * Returns the microseconds that a call takes in excess of its cost and its steps, or `undefined`.
 */
const excess = (work: () => number): string | undefined => {
  const started = performance.now();
  let units = 0;
  const steps = withStepLimit(() => {
    const before = countSteps(0);
    units = work();
    return before - countSteps(0);
  });
  if (performance.now() - started < negligibleMs) return undefined;
  const permitted =
    slowMachineFactor * ((units + 1) * microsecondsOfUnit + steps * microsecondsOfStep);
  const calls = Math.ceil(Math.min(maxCalls, (2000 * clockMs) / permitted));
  const milliseconds = processorMs(() => {
    for (let count = 0; count < calls; count++) withStepLimit(work);
  }, clockMs);
  const microseconds = ((milliseconds - clockMs) * 1000) / calls;
  return microseconds > permitted
    ? `${Math.round(microseconds)} µs with ${units} units and ${steps} steps`
    : undefined;
};

const show = (value: CelValue | undefined): string =>
  typeof value === 'string'
    ? `${JSON.stringify(value.slice(0, 12))}… (${value.length} characters)`
    : typeof value;

describe('INV-C2 no call takes longer than 50 ms', () => {
  test('covers all overloads', () => {
    expect(overloads.length).toBeGreaterThan(150);
  });

  test.each(overloads)('$id', ({ name, overload }) => {
    const slow: string[] = [];
    for (const args of argumentLists(overload)) {
      const ms = processorMs(() => call(overload, args, name), maxCallMs);
      if (ms > maxCallMs) slow.push(`${Math.round(ms)} ms for ${args.map(show).join(', ')}`);
    }
    expect(slow).toEqual([]);
  });
});

describe('INV-C2 the time of a call is covered by its cost and its steps', () => {
  // A comprehension calls it with a map that it builds: only the first call copies the map.
  const repeatable = overloads.filter(({ name }) => name !== 'cel.@mapInsert');

  test.each(repeatable)('$id', ({ name, overload }) => {
    const slow: string[] = [];
    const rows = argumentLists(overload).filter((_, index) => isLong || index % 12 === 0);
    for (const args of rows) {
      const beyond = excess(() => call(overload, args, name));
      if (beyond !== undefined) slow.push(`${beyond} for ${args.map(show).join(', ')}`);
    }
    expect(slow).toEqual([]);
  });

  test.each([
    'lists.range(80000).all(i, isURL(claims.url))',
    'lists.range(80000).all(i, type(dyn(duration(claims.duration))) == google.protobuf.Duration)',
    "lists.range(80000).all(i, claims.url.find('') == '')",
    'lists.range(80000).all(i, claims.empty.max() == "")',
    'dyn(claims.patterns).all(p, !claims.url.matches(p))',
  ])('%s exceeds the limit', (text) => {
    const { program } = compileExpression({
      text,
      environment: 'claims',
      result: 'any',
      release: newestRelease,
    });
    const claims = {
      url: `/${'a'.repeat(100_000)}`,
      duration: '1h'.repeat(50_000),
      empty: Array.from({ length: 16_384 }, () => ''),
      patterns: Array.from({ length: 10_000 }, (_, index) => `b{900}${index}`),
    };
    let error: string | undefined;
    const ms = processorMs(() => {
      error = program?.evaluate(claims).error;
    }, maxEvaluationMs);
    expect(error).toBe('operation cancelled: actual cost limit exceeded');
    expect(ms).toBeLessThan(maxEvaluationMs);
  });
});
