/** 2,000 requests made by chance, to the real kube-apiserver and to ours: no difference. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { runGenerated } from '../lab/generated.ts';

/** Once, and then kept: eight minutes on two free cores. */
beforeAll(async () => {
  await promisify(execFile)(join(import.meta.dirname, '../lab/real/build'));
}, 3_600_000);

test('no difference', { timeout: 600_000 }, async () => {
  const { differences, statuses } = await runGenerated({ count: 2000, seed: 20_261_121 });
  expect(differences).toEqual([]);
  // The requests get everywhere.
  expect([...statuses.keys()].toSorted()).toEqual(
    expect.arrayContaining(['200', '201', '400', '401', '403', '404', '405', '406']),
  );
});
