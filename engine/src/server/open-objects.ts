/** The stored objects as the flags want them: their store, the roles of files, what looks after them. */
import { kubernetesDomain } from '../model/api-domain.ts';
import { openStore } from '../node/store/open-store.ts';
import type { ObjectView } from '../ports/object-view.ts';
import type { Ports } from '../ports/ports.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { type ObjectWorld, openWorld } from './object-world.ts';
import { readRoleFiles } from './role-files.ts';
import type { ServeOptions } from './serve-options.ts';

export type ObjectsOpening =
  | { readonly kind: 'open'; readonly world: ObjectWorld }
  /** Sentences for the operator. */
  | { readonly kind: 'failed'; readonly errors: readonly string[] };

export const openObjects = async (
  { store: settings, rbac, apiDomain }: ServeOptions,
  ports: Ports,
): Promise<ObjectsOpening> => {
  const domain = apiDomain ?? kubernetesDomain;
  let roleFiles: ObjectView | undefined;
  if (rbac.files.length > 0) {
    const reading = await readRoleFiles(rbac.files, { beside: 'store', domain });
    if (reading.kind === 'problems') return { kind: 'failed', errors: reading.problems };
    roleFiles = reading.view;
  }
  let store: Store;
  try {
    store = await openStore(settings.place, { clock: ports.clock, apiDomain: domain });
  } catch (cause) {
    const reason = cause instanceof StoreError ? cause.message : String(cause);
    return { kind: 'failed', errors: [`the store cannot be opened: ${reason}`] };
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
