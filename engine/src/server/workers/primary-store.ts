/** The store of a worker: the primary process executes its calls. */
import type { Store, StoreEvent } from '../../ports/store.ts';
import type { Channel } from './channel.ts';
import type { StoreMethods } from './methods.ts';

export interface PrimaryStoreOptions {
  /** Whether the local view follows the watches of this store. */
  readonly isForView: boolean;
  /** Whether the store implements deletion itself. */
  readonly deletesItself: boolean;
}

/** Returns an ID for each watch of the process. */
const nextWatchId = (() => {
  let last = 0;
  return (): number => {
    last += 1;
    return last;
  };
})();

export const primaryStore = (
  { call, notify }: Pick<Channel<StoreMethods>, 'call' | 'notify'>,
  { isForView, deletesItself }: PrimaryStoreOptions,
): Store => ({
  get: (key) => call('getObject', key),
  list: (resource, { namespace } = {}) => call('listObjects', resource, namespace),
  create: (key, object) => call('createObject', key, object),
  update: (key, object, preconditions) => call('updateObject', key, object, preconditions),
  delete: (key, preconditions) => call('deleteObject', key, preconditions),
  async *watch(resource, after, signal): AsyncGenerator<StoreEvent> {
    if (signal.aborted) return;
    const id = nextWatchId();
    const end = (): void => notify('endWatch', id);
    signal.addEventListener('abort', end);
    try {
      await call('openWatch', id, { resource, after, isForView });
      for (;;) {
        const event = await call('nextEvent', id);
        if (event === undefined || signal.aborted) return;
        yield event;
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  },
  ...(deletesItself
    ? { requestDeletion: (last, options) => call('requestDeletion', last, options) }
    : {}),
  // The primary process closes it.
  close: async () => {},
});
