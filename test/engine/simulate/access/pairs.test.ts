/** Pairs of configurations with the change that each of them makes; `same` pairs are proved to be the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxTotalEvaluations } from '../../../../engine/src/simulate/access/evaluation-budget.ts';
import { compareTexts, kindsOf } from './compare-texts.ts';

const folder = join(import.meta.dirname, 'pairs');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.expect'))
  .map((file) => file.replace('.expect', ''))
  .toSorted();

describe('pairs of configurations', () => {
  test('all of them are there', () => {
    expect(names).toHaveLength(24);
  });

  test.each(names)('%s', (name) => {
    const expected = read(`${name}.expect`).trim();
    const comparison = compareTexts(read(`${name}.old.yaml`), read(`${name}.new.yaml`));
    const kinds = kindsOf(comparison);
    if (expected === 'same') {
      expect(kinds).toEqual({ gained: 'proved', lost: 'proved', changed: 'proved' });
    } else expect(kinds).toMatchObject({ [expected]: 'found' });
    expect(comparison.evaluations).toBeLessThanOrEqual(maxTotalEvaluations);
  });
});
