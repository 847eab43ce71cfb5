/** Fault F-13: the embedded store's process is killed 500 times while it writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashRound } from '../../engine/node/store/crash-rounds.ts';

test('500 kills leave old or new values, nothing mixed, and a store that opens within 2 s', async () => {
  const rounds = [];
  for (let round = 0; round < 500; round += 1) {
    // A folder for 50 rounds: files grow, are checkpointed and swept.
    const folder = join(root, String(Math.floor(round / 50)));
    rounds.push(await crashRound(folder, String(round), Math.random() * 50));
  }
  rmSync(root, { recursive: true });
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  // A machine that is busy with other things may take longer now and then.
  expect(rounds.filter(({ openMs }) => openMs <= 2_000).length).toBeGreaterThan(490);
  const midway = rounds.filter(({ acknowledged }) => acknowledged > 0 && acknowledged < 1_000);
  expect(midway.length).toBeGreaterThan(450);
}, 900_000);

const root = mkdtempSync(join(tmpdir(), 'crash-'));
