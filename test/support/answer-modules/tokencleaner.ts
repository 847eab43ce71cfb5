/** Answers cases about the cleaner of expired bootstrap tokens, with the store in memory. */
import { tokenCleaner } from '../../../engine/src/controllers/token-cleaner.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { fakeClock, fakePorts, settle } from '../fake-ports.ts';
import { objectOf, secretView } from './json-objects.ts';
import type { CaseLine } from './module-cases.ts';

interface SecretObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

export interface TokencleanerCase
  extends CaseLine<unknown, { readonly secrets?: readonly SecretObject[] | null }> {
  readonly clock?: string;
}

export const answerTokencleaner = async (line: TokencleanerCase): Promise<object> => {
  const clock = fakeClock(Date.parse(line.clock ?? '2026-11-21T12:00:00Z'));
  const ports = fakePorts({ clock });
  const store = memoryStore({ clock });
  const secrets = line.input.secrets ?? [];
  const keys = secrets.map(({ metadata = {} }) => ({
    resource: 'secrets',
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
  }));
  for (const [place, key] of keys.entries())
    await store.create(key, objectOf(secrets[place] ?? {}));
  const cleaner = tokenCleaner({ ...ports, store, view: secretView(secrets), apiDomain: 'k8s.io' });
  cleaner.start();
  // Each deletion waits for its own promises.
  for (const _ of secrets) await settle();
  await cleaner.stop();
  const remaining = await Promise.all(keys.map((key) => store.get(key)));
  await store.close();
  return {
    deleted: keys
      .filter((_, place) => remaining[place] === undefined)
      .map(({ namespace, name }) => `${namespace}/${name}`),
  };
};
