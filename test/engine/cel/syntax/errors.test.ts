/** Syntax errors, compared with messages recorded from kube-apiserver. */
import { expect, test } from 'vitest';
import { renderErrors } from '../../../../engine/src/cel/syntax/error-text.ts';
import { parseCel } from '../../../../engine/src/cel/syntax/parser.ts';
import { cases } from '../../../support/cases.ts';

interface Input {
  readonly expression: string;
}
interface Expected {
  readonly compileError?: string;
}

const compileErrorOf = (expression: string): string | undefined => {
  const { errors } = parseCel(expression, { release: 37 });
  if (errors.length === 0) return undefined;
  return `compilation failed: ${renderErrors(expression, errors)}`;
};

test.each(cases<Input, Expected>('engine/cel/syntax/broken.jsonl'))('$id', (row) => {
  expect(compileErrorOf(row.input.expression)).toBe(row.expected.compileError);
});

/** Matches the errors that the parser reports; the checker reports all others. */
const parserErrors =
  /Syntax error|reserved identifier|invalid (int|uint|double) literal|unable to unescape|limit exceeded|exceeds limit|max recursion depth|invalid argument to has\(\)|argument is not an identifier|must be a simple/;

test('reports the recorded errors of expressions', () => {
  let reported = 0;
  for (const row of cases<Input, Expected>('conformance/cel.jsonl')) {
    const { compileError } = row.expected;
    const text = compileErrorOf(row.input.expression);
    if (text === undefined) {
      expect(parserErrors.test(compileError ?? ''), row.id).toBe(false);
      continue;
    }
    reported++;
    expect(text, row.id).toBe(compileError);
  }
  expect(reported).toBeGreaterThan(50);
});

test('prints an error without a location without a source line', () => {
  expect(renderErrors('a + b', [{ message: 'too much', at: -1 }])).toBe(
    'ERROR: <input>:-1:0: too much',
  );
});

test('prints 100 errors and counts the others', () => {
  const errors = Array.from({ length: 103 }, (_, index) => ({ message: `e${index}`, at: 0 }));
  const lines = renderErrors('a', errors).split('\n');
  expect(lines).toHaveLength(301);
  expect(lines.at(-1)).toBe('3 more errors were truncated');
});

test('does not print long source lines', () => {
  const text = 'x'.repeat(16_385);
  expect(renderErrors(text, [{ message: 'm', at: 3 }])).toBe('ERROR: <input>:1:4: m');
  const shown = text.slice(1);
  expect(renderErrors(shown, [{ message: 'm', at: 3 }])).toBe(
    `ERROR: <input>:1:4: m\n | ${shown}\n | ...^`,
  );
});

test('rejects escaped fields in older releases', () => {
  const { errors } = parseCel('claims.`a.b`', { release: 36 });
  expect(renderErrors('claims.`a.b`', errors)).toBe(
    "ERROR: <input>:1:8: unsupported syntax: '`'\n | claims.`a.b`\n | .......^",
  );
  expect(parseCel('claims.`a.b`', { release: 37 }).errors).toEqual([]);
});
