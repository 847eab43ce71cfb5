/**
 * Strings that can be plain scalars are read as the same strings, in blocks and between brackets.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainYaml } from '../../../engine/src/documents/yaml/plain-value.ts';
import { canBePlainScalar, singleQuote } from '../../../engine/src/documents/yaml/scalar-text.ts';

const read = (yaml: string): unknown =>
  readPlainYaml(new TextEncoder().encode(yaml), { depth: 100 });

const listOf = (text: string): unknown => ({
  kind: 'value',
  value: { kind: 'array', items: [{ kind: 'string', text }] },
});

const text = fc
  .array(
    fc.constantFrom(
      ...'aZ0159_./(){}[],:;?#&*!|>@%\'"`~<=+- \t\u200b\u00e9',
      ...['yes', 'null', 'true', 'e1', '0x', 'claims', ' == ', '://', ': ', ' #'],
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

test('plain scalars are decoded unchanged', () => {
  fc.assert(
    fc.property(text, (written) => {
      fc.pre(canBePlainScalar(written, { flow: false }));
      expect(read(`- ${written}\n`)).toEqual(listOf(written));
    }),
    { numRuns: 2000 },
  );
});

test('plain scalars between brackets are decoded unchanged', () => {
  fc.assert(
    fc.property(text, (written) => {
      fc.pre(canBePlainScalar(written, { flow: true }));
      expect(read(`[${written}]\n`)).toEqual(listOf(written));
      expect(read(`- ${written}\n`)).toEqual(listOf(written));
    }),
    { numRuns: 2000 },
  );
});

test('single quotes can represent every string of one line', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(read(`- ${singleQuote(written)}\n`)).toEqual(listOf(written));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['claims.sub == "x"', true, true],
  ['claims.?sub', true, false],
  ['[claims.sub]', false, false],
  ['https://idp.example.com', true, true],
  ['a: b', false, false],
  ['a #b', false, false],
  ['a ', false, false],
  ['', false, false],
  ['yes', false, false],
  ['1.5', false, false],
  ['12:30', false, false],
  ['2024-01-01', false, false],
  ['1 == 1', true, true],
  ['zero\u200bwidth', false, false],
])('%j as a plain scalar: %s in a block, %s between brackets', (written, block, flow) => {
  expect(canBePlainScalar(written, { flow: false })).toBe(block);
  expect(canBePlainScalar(written, { flow: true })).toBe(flow);
});
