/** The stored objects as the flags want them: their store, the roles beside it, what looks after them. */
import { kubernetesDomain } from '../model/api-domain.ts';
import { openStore } from '../node/store/open-store.ts';
import type { ObjectView } from '../ports/object-view.ts';
import type { Ports } from '../ports/ports.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { type ObjectWorld, openWorld } from './object-world.ts';
import type { ServeOptions } from './serve-options.ts';

export type ObjectsOpening =
  | { readonly kind: 'open'; readonly world: ObjectWorld }
  /** A sentence for the operator. */
  | { readonly kind: 'failed'; readonly error: string };

export const openObjects = async (
  { store: settings, apiDomain }: ServeOptions,
  ports: Ports,
  roleFiles: ObjectView | undefined,
): Promise<ObjectsOpening> => {
  const domain = apiDomain ?? kubernetesDomain;
  let store: Store;
  try {
    store = await openStore(settings.place, { clock: ports.clock, apiDomain: domain });
  } catch (cause) {
    const reason = cause instanceof StoreError ? cause.message : String(cause);
    return { kind: 'failed', error: `the store cannot be opened: ${reason}` };
  }
  if (settings.place.kind === 'memory') {
    ports.log.event(
      'info',
      'objects are kept in memory and end with the server: --store tells where else',
    );
  }
  const world = openWorld({
    store,
    domain,
    ports,
    maxStalenessMs: settings.maxStalenessMs,
    ...(roleFiles === undefined ? {} : { roleFiles }),
    keeper: settings.place.kind === 'kubernetes' ? 'elsewhere' : 'here',
  });
  return { kind: 'open', world };
};
