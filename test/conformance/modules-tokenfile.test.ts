/**
 * Recorded results of token files: `exact` mode gives the same result as kube-apiserver; product
 * mode differs where an entry of the table of differences covers the case.
 */
import { describe, expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerTokenfile, type TokenfileCase } from '../support/answer-modules/tokenfile.ts';
import { differences } from '../support/differences.ts';

const recorded = moduleCases<TokenfileCase['config'], TokenfileCase['input']>('tokenfile');

describe('exact', () => {
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    expect(await answerTokenfile(line)).toEqual(answer);
  });
});

describe('product', () => {
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    const ours = await answerTokenfile(line, 'product');
    if (JSON.stringify(ours) === JSON.stringify(await answerTokenfile(line))) {
      expect(ours).toEqual(answer);
      return;
    }
    const { csv = '' } = line.config;
    const covering = differences.filter(({ covers }) => covers({ csv })).map(({ id }) => id);
    expect(covering).toContain('empty-username');
    expect(ours).toEqual({ results: [{ outcome: 'no-opinion' }] });
  });
});
