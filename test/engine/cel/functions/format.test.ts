/**
 * Unusually large precisions of `format`, with kube-apiserver's results: Go stores precisions in
 * few bits.
 */
import { describe, expect, test } from 'vitest';
import { answerCel } from '../../../support/answer-cel.ts';

const format = (text: string, value: string): unknown => {
  const { value: answer, evalError } = answerCel({
    kind: 'claims',
    expression: `claims.format.format([${value}])`,
    claims: { format: text },
  });
  return evalError ?? (answer as { value: unknown }).value;
};

describe('%f', () => {
  test.each([
    ['%.3f', '2.0/3.0', '0.667'],
    ['%.0f', '2.5', '2'],
    ['%.256f', '1.5', '1.5'],
    ['%.256f', '12345678.0', '12,345,678'],
    ['%.257f', '0.0', '0.0'],
    ['%.256f', '0.1', '0.1000000000000000055511151231257827021181583404541015625'],
    ['%.32768f', '0.1', '0.1'],
    ['%.32768f', '-123456.789', '-123,456.789'],
    ['%.32768f', '1e21', '1,000,000,000,000,000,000,000'],
    ['%.32769f', '1.0/1e7', '0.0000001'],
    ['%.65536f', '1.5', '2'],
    ['%.65540f', '2.0/3.0', '0.6667'],
    ['%.00000000005f', '1.5', '1.50000'],
    ['%.20000000f', '1.5', '%!(NOVERB)'],
    ['%.20000000f', '0.0/0.0', '%!(NOVERB)'],
    ['%.9223372036854775807f', '1.5', '%!(NOVERB)'],
    [
      '%.9223372036854775808f',
      '1.5',
      'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    ['%.9223372036854775807s', "'x'", 'x'],
  ])('%s of %s', (text, value, expected) => {
    expect(format(text, value)).toBe(expected);
  });

  test.each([
    [255, 257],
    [300, 46],
    [1000, 234],
    [32_767, 257],
    [1_000_000, 66],
    [10_000_009, 139],
  ])('a precision of %d gives %d characters', (precision, length) => {
    expect(format(`%.${precision}f`, '1.5')).toHaveLength(length);
  });
});

test.each([
  [40_000, 40_000],
  [1_000_001, 16_961],
])('%%e: a precision of %d pads to %d characters', (precision, length) => {
  expect(format(`%.${precision}e`, '1.5')).toHaveLength(length);
});
