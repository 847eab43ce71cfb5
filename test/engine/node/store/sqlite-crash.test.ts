/** Fault F-13 in small: test/heavy/store has the 500 rounds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashRound } from './crash-rounds.ts';

test('a process killed in the middle of 1,000 writes loses nothing acknowledged and tears nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const rounds = [];
  for (let round = 0; round < 20; round += 1) {
    rounds.push(await crashRound(folder, String(round), Math.random() * 60));
  }
  rmSync(folder, { recursive: true });
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  // Killed in the middle, not before and not after.
  const midway = rounds.filter(({ acknowledged }) => acknowledged > 0 && acknowledged < 1_000);
  expect(midway.length).toBeGreaterThan(15);
}, 90_000);
