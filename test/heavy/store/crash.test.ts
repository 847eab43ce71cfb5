/**
 * Fault F-13: the process of the embedded store is killed again and again while it writes: 100 times, and 500 times with
 * `AUTHGRAPH_FAULTS=long`.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashRound } from '../../engine/node/store/crash-rounds.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const kills = process.env.AUTHGRAPH_FAULTS === 'long' ? 500 : 100;

test(`leaves old or new values after ${kills} kills, and a store that opens within 2 s`, async () => {
  const rounds = [];
  for (let round = 0; round < kills; round += 1) {
    // Each folder is used for 50 rounds, so that files grow, are checkpointed and swept.
    const folder = join(root, String(Math.floor(round / 50)));
    rounds.push(await crashRound(folder, String(round), Math.random() * 50));
  }
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  // A busy machine may take longer occasionally.
  expect(rounds.filter(({ openMs }) => openMs <= 2_000).length).toBeGreaterThan(0.98 * kills);
  const midway = rounds.filter(({ acknowledged }) => acknowledged > 0 && acknowledged < 1_000);
  expect(midway.length).toBeGreaterThan(0.9 * kills);
}, 900_000);

const { path: root } = temporaryFolder();
