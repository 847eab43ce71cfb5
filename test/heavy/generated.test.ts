/** Sends generated requests to kube-apiserver and to our server: no response differs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BothServers, startBoth } from '../lab/both-servers.ts';
import { runGenerated } from '../lab/generated.ts';
import { runGeneratedObjects } from '../lab/generated-objects.ts';

let both: BothServers;

// The build runs once, for eight minutes on two free cores.
beforeAll(async () => {
  await promisify(execFile)(join(import.meta.dirname, '../lab/real/build'));
  both = await startBoth();
}, 3_600_000);

afterAll(() => both.close());

test('authentication: no difference in 2,000 requests over each version of HTTP', {
  timeout: 600_000,
}, async () => {
  const { differences, statuses } = await runGenerated({ both, count: 2000, seed: 20_261_121 });
  expect(differences).toEqual([]);
  // The requests reach every kind of response.
  expect([...statuses.keys()].toSorted()).toEqual(
    expect.arrayContaining(['200', '201', '400', '401', '403', '404', '405', '406']),
  );
});

test('stored objects: no difference in 400 steps', { timeout: 600_000 }, async () => {
  const { differences, statuses } = await runGeneratedObjects({
    both,
    count: 400,
    seed: 20_261_122,
  });
  expect(differences).toEqual([]);
  expect([...statuses.keys()].toSorted()).toEqual(
    expect.arrayContaining(['200', '201', '400', '403', '404', '406', '409', '415', '422']),
  );
});
