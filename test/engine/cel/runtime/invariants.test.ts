/** The invariants of the threat model for expressions: INV-C1 to INV-C4. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import { costLimit } from '../../../../engine/src/cel/cost/cost.ts';
import type { Evaluation } from '../../../../engine/src/cel/evaluate/program.ts';
import type { JsonRecord } from '../../../../engine/src/cel/values/value.ts';
import { newestRelease } from '../../../../engine/src/model/release.ts';

const run = (text: string, claims: JsonRecord = {}): Evaluation => {
  const { program, errors } = compileExpression({
    text,
    environment: 'claims',
    result: 'any',
    release: newestRelease,
  });
  if (program === undefined) throw new Error(`${text}: ${errors[0]?.message}`);
  return program.evaluate(claims);
};

const exceeded = 'operation cancelled: actual cost limit exceeded';
const long = 'x'.repeat(100_000);

describe('INV-C1 deterministic and total: an error is never true', () => {
  test.each([
    'claims.gone || claims.gone',
    'claims.gone && true',
    'claims.text || false',
    'claims.gone ? true : true',
    '!claims.text',
    'dyn(claims.list).all(x, x.gone)',
    'dyn(claims.list).exists(x, x.gone)',
  ])('%s', (text) => {
    const claims = { text: 'true', list: [1, 2] };
    const first = run(text, claims);
    expect(first.value).toBeUndefined();
    expect(first.error).toBeDefined();
    expect(run(text, claims)).toEqual(first);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'a claim named %s is missing unless the token contains it',
    (name) => {
      expect(run(`claims[${JSON.stringify(name)}]`).error).toBe(`no such key: ${name}`);
      expect(run(`has(claims.${name})`).value).toBe(false);
      expect(run(`claims.m.${name}`, { m: {} }).error).toBe(`no such key: ${name}`);
      const sent: JsonRecord = JSON.parse(`{${JSON.stringify(name)}: "own"}`);
      expect(run(`claims.m.${name}`, { m: sent }).value).toBe('own');
    },
  );

  test('evaluates deep and long expressions', () => {
    expect(run(Array.from({ length: 3000 }, () => 'true').join(' && ')).value).toBe(true);
    expect(run(`${'!'.repeat(3000)}true`).value).toBe(true);
    const nested = `${'['.repeat(240)}1${']'.repeat(240)}`;
    expect(run(`size(${nested})`).value).toBe(1n);
  });
});

describe('INV-C2 the cost limit applies to every expression', () => {
  test.each([
    ['lists.range(1000).map(x, lists.range(1000).map(y, y))', {}],
    ['lists.range(1000000).all(x, x >= 0)', {}],
    ['lists.range(1000000).map(x, claims.long + claims.long).size()', { long }],
    ['lists.range(1000).all(x, claims.long.matches("(a*)*b") == false)', { long }],
    ['lists.range(1000).map(x, claims.long.replace("x", "yy")).size()', { long }],
    ['lists.range(1000).map(x, claims.long.split("")).size()', { long }],
    [
      'lists.range(1000).map(x, "%s".format([dyn(claims.long)])).size() + size(claims.long)',
      { long },
    ],
  ])('%s is limited', (text, claims) => {
    const { error, cost } = run(text, claims);
    if (error === undefined) expect(cost).toBeLessThanOrEqual(costLimit);
    else expect(error).toBe(exceeded);
  });

  test('reports the cost at the first unit above the limit', () => {
    expect(run('lists.range(100000).map(x, x)')).toEqual({
      value: undefined,
      error: exceeded,
      cost: 1_000_001,
    });
  });

  test('limits the length of strings', () => {
    const { error } = run('claims.long.replace("", claims.long)', { long });
    expect(error).toBe(exceeded);
    expect(run('quantity("1e2000000000").add(1)').error).toBe(exceeded);
    expect(run('"%.999999999f".format([1.0])').value).toBe('%!(NOVERB)');
    expect(run('"%.65535e".format([1.0])').value).toHaveLength(65_535);
    expect(run('"%.32767f".format([5e-324])').value).toHaveLength(1_076);
  });
});

describe('INV-C3 numbers are exact', () => {
  test.each([
    ['9223372036854775807 + 1', 'integer overflow'],
    ['-9223372036854775808 - 1', 'integer overflow'],
    ['18446744073709551615u + 1u', 'unsigned integer overflow'],
    ['1 / 0', 'division by zero'],
    ['0.0 / 0.0 < 1.0', 'NaN values cannot be ordered'],
    ['claims.n + 1', 'no such overload'],
  ])('%s: %s', (text, error) => expect(run(text, { n: 1 }).error).toBe(error));

  test('preserves every digit of integers that a double cannot represent', () => {
    expect(run('9007199254740993 * 3').value).toBe(27021597764222979n);
    expect(run('9223372036854775807 > 9223372036854775806').value).toBe(true);
  });

  test('orders and counts strings by code points', () => {
    expect(run('"\uffff" < "\u{10000}"').value).toBe(true);
    expect(run('"a😀b".indexOf("b")').value).toBe(2n);
  });
});

describe('INV-C4 no code is generated', () => {
  const entry = resolve('engine/src/cel/evaluate/plan-serialized.ts');
  const files = reachableFrom(entry);

  test('no file of the runtime evaluates strings as code', () => {
    for (const file of files) {
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/\beval\(|new Function\(|import\(/);
    }
  });

  test('planning serialized expressions needs neither parser nor checker', () => {
    const names = files.map((file) => file.replace(/^.*\/cel\//, ''));
    expect(names).toContain('evaluate/plan.ts');
    expect(
      names.filter((name) => /^(?:tree\/lexer|syntax\/|check\/(?:check|environment))/.test(name)),
    ).toEqual([]);
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain("'chevrotain'");
  });
});

/** Returns the files that a file imports at run time, including itself. */
function reachableFrom(entry: string): readonly string[] {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8').replace(/import type [^;]*;/g, '');
    for (const [, path = ''] of text.matchAll(/from '(\.[^']*)'/g)) {
      waiting.push(join(dirname(file), path));
    }
  }
  return [...seen];
}
