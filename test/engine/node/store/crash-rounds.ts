/**
 * Kills the writer of `crash-writer.ts` at a random moment, opens the database, and verifies it.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sameJson } from '../../../../engine/src/formats/json-as-maps.ts';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { sqliteStore } from '../../../../engine/src/node/store/sqlite.ts';
import type { Store, StoredObject } from '../../../../engine/src/ports/store.ts';
import { laneCount, laneKey, laneObject, stepKind } from './crash-lanes.ts';

export interface CrashRound {
  /** Writes out of 1,000 that were acknowledged before the kill. */
  readonly acknowledged: number;
  /** Problems of the database; empty if there are none. */
  readonly faults: readonly string[];
  readonly openMs: number;
}

/** Runs one round in the folder, which contains the data of earlier rounds. */
export const crashRound = async (
  folder: string,
  round: string,
  killAfterMs: number,
): Promise<CrashRound> => {
  const steps = await writeUntilKilled(folder, round, killAfterMs);
  const openedAt = performance.now();
  const store = await sqliteStore({ folder }, nodeClock());
  const openMs = performance.now() - openedAt;
  try {
    const faults = [
      ...(await faultsOfLanes(store, round, steps)),
      ...(await faultsOfChanges(store)),
    ];
    return { acknowledged: steps.reduce((sum, step) => sum + step, 0), faults, openMs };
  } finally {
    await store.close();
  }
};

/** A compile cache saves most of the short life of the process. */
const compiled = join(import.meta.dirname, '../../../../.cache/compiled');

/** Returns the last acknowledged step of each lane. */
const writeUntilKilled = (
  folder: string,
  round: string,
  killAfterMs: number,
): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    const writer = spawn(
      process.execPath,
      [join(import.meta.dirname, 'crash-writer.ts'), folder, round],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      },
    );
    const steps = Array.from({ length: laneCount }, () => 0);
    let timer: NodeJS.Timeout | undefined;
    let failure = '';
    writer.stderr.on('data', (text) => {
      failure += String(text);
    });
    createInterface({ input: writer.stdout }).on('line', (line) => {
      timer ??= setTimeout(() => writer.kill('SIGKILL'), killAfterMs);
      const [lane = 0, step = 0] = line.split(' ').map(Number);
      steps[lane] = step;
    });
    writer.on('close', (status) => {
      clearTimeout(timer);
      if (status !== null && status !== 0) reject(new Error(`the writer failed: ${failure}`));
      else resolve(steps);
    });
  });

/**
 * Checks that each lane is at its acknowledged step or one step further, if the response of a write
 * was lost.
 */
const faultsOfLanes = async (
  store: Store,
  round: string,
  steps: readonly number[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [lane, step] of steps.entries()) {
    const key = laneKey(round, lane);
    const stored = await store.get(key);
    if (![step, step + 1].some((at) => isAt(stored, round, lane, at))) {
      faults.push(
        `lane ${lane}: ${step} acknowledged, found ${String(stored?.object.get('step'))}`,
      );
    }
  }
  return faults;
};

const isAt = (
  stored: StoredObject | undefined,
  round: string,
  lane: number,
  step: number,
): boolean => {
  if (step === 0 || stepKind(step) === 'delete') return stored === undefined;
  if (stored === undefined) return false;
  const key = laneKey(round, lane);
  return ['step', 'text', 'kind'].every((name) =>
    sameJson(stored.object.get(name) ?? null, laneObject(key, step).get(name) ?? null),
  );
};

/** Checks that the retained changes have no gap and lead to the existing objects. */
const faultsOfChanges = async (store: Store): Promise<readonly string[]> => {
  const { objects, revision } = await store.list('serviceaccounts');
  const from = Math.max(1, Number(revision) - 2_000);
  const last = new Map<string, string | undefined>();
  const faults: string[] = [];
  let expected = from;
  for await (const event of store.watch(
    'serviceaccounts',
    String(from),
    AbortSignal.timeout(20_000),
  )) {
    if (event.kind === 'bookmark') break;
    expected += 1;
    if (event.stored.revision !== String(expected)) faults.push(`change ${expected} is missing`);
    const path = `${event.stored.key.namespace}/${event.stored.key.name}`;
    last.set(path, event.kind === 'deleted' ? undefined : event.stored.revision);
  }
  if (expected !== Number(revision)) faults.push(`changes end at ${expected}, not at ${revision}`);
  const stored = new Map(
    objects.map(({ key, revision: at }) => [`${key.namespace}/${key.name}`, at]),
  );
  for (const [path, at] of last) {
    if (stored.get(path) !== at)
      faults.push(`${path}: last change ${at}, object ${stored.get(path)}`);
  }
  return faults;
};
