/** Expressions of random pieces never make the compiler throw. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';

const compile = (text: string) =>
  compileExpression({ text, environment: 'claims', result: 'any', release: 37 });

const piece = fc.constantFrom(
  'claims',
  'x',
  '.',
  '.a',
  '?',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"a"',
  '1',
  '-',
  '!',
  '+',
  '&&',
  '||',
  '==',
  'in',
  'has(',
  '.map(x, ',
  '.all(',
  'dyn(',
  'null',
  ' ',
  '\n',
  '"',
  '`',
  '\\',
  '😀',
  '@',
  '$0',
);

test('never throws, and locates every error within the expression', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('');
      const { errors, serverError, checked } = compile(text);
      expect(errors.length === 0).toBe(serverError === undefined);
      expect(checked.types.has(checked.tree.id)).toBe(true);
      for (const { span } of errors) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }
    }),
    { seed: 7, numRuns: 2_000 },
  );
});
