/** 2,000 requests made by chance, to the real kube-apiserver and to ours: no difference. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms, runGenerated } from '../lab/generated.ts';

const isBuilt = existsSync(join(realPrograms(), 'kube-apiserver'));

test.skipIf(!isBuilt)('no difference', { timeout: 600_000 }, async () => {
  const { differences, statuses } = await runGenerated({ count: 2000, seed: 20_261_121 });
  expect(differences).toEqual([]);
  // The requests get everywhere.
  expect([...statuses.keys()].toSorted()).toEqual(
    expect.arrayContaining(['200', '201', '400', '401', '403', '404', '405', '406']),
  );
});
