/**
 * The last-used label of legacy tokens: written once a day, in the background, whatever the result.
 */
import { expect, test } from 'vitest';
import { lastUseRecorder } from '../../../../engine/src/authenticators/legacy-service-account-token/last-use.ts';
import type { JsonObject } from '../../../../engine/src/model/json.ts';
import { type Store, StoreError } from '../../../../engine/src/ports/store.ts';
import { liveObject } from '../../../../engine/src/resources/live-object.ts';
import { objectOf } from '../../../support/answer-modules/json-objects.ts';
import { fakeClock, fakePorts, settle } from '../../../support/fake-ports.ts';

const label = 'kubernetes.io/legacy-token-last-used';

const secretWith = (labels: Readonly<Record<string, string>>): JsonObject =>
  objectOf({ metadata: { name: 'token', namespace: 'team', uid: 'uid-1', labels } });

const setUp = (stored: JsonObject, update?: Store['update']) => {
  const ports = fakePorts({ clock: fakeClock(Date.parse('2026-11-21T23:59:00Z')) });
  const written: JsonObject[] = [];
  const store: Pick<Store, 'get' | 'update'> = {
    get: (key) => Promise.resolve({ key, revision: '7', object: stored }),
    update:
      update ??
      ((key, object) => {
        written.push(object);
        return Promise.resolve({ key, revision: '8', object });
      }),
  };
  return { ports, written, note: lastUseRecorder(store, ports, 'kubernetes.io') };
};

test('a use is written with its day, and other labels stay', async () => {
  const stored = secretWith({ team: 'a' });
  const { written, note } = setUp(stored);
  note(liveObject(stored));
  await settle();
  expect(written).toEqual([secretWith({ team: 'a', [label]: '2026-11-21' })]);
});

test.each(['2026-11-21', '2026-11-22'])('%s counts as recorded', async (day) => {
  const stored = secretWith({ [label]: day });
  const { written, note } = setUp(stored);
  note(liveObject(stored));
  await settle();
  expect(written).toEqual([]);
});

test('concurrent uses cause one write', async () => {
  const stored = secretWith({});
  const { written, note } = setUp(stored);
  for (let use = 0; use < 50; use += 1) note(liveObject(stored));
  await settle();
  expect(written).toHaveLength(1);
});

test('a Secret that was replaced is not changed', async () => {
  const { written, note } = setUp(secretWith({}));
  note({ ...liveObject(secretWith({})), uid: 'older' });
  await settle();
  expect(written).toEqual([]);
});

test('a failing store is logged and has no other effect', async () => {
  const stored = secretWith({});
  const { ports, note } = setUp(stored, () =>
    Promise.reject(new StoreError('unavailable', 'disk full')),
  );
  note(liveObject(stored));
  await settle();
  expect(ports.events).toMatchObject([
    { level: 'error', fields: { secret: 'team/token', error: 'disk full' } },
  ]);
});
