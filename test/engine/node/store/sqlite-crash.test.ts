/** A short version of fault F-13: test/heavy/store has the 500 rounds. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { crashRound } from './crash-rounds.ts';

test('loses no acknowledged write and tears none if the process is killed during 1,000 writes', async () => {
  const { path: folder } = temporaryFolder(onTestFinished);
  const rounds = [];
  for (let round = 0; round < 8; round += 1) {
    rounds.push(await crashRound(folder, String(round), Math.random() * 60));
  }
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  // Killed in the middle, not before and not after.
  const midway = rounds.filter(({ acknowledged }) => acknowledged > 0 && acknowledged < 1_000);
  expect(midway.length).toBeGreaterThan(5);
}, 90_000);
