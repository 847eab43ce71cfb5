/** A world of objects in memory, with what is there from the start. */
import { nodePorts } from '../../engine/src/node/ports.ts';
import { memoryStore } from '../../engine/src/node/store/memory.ts';
import { openObjectServices } from '../../engine/src/server/objects/object-services.ts';

/** Settles when its view is there; whoever opens it closes it. */
export const openMemoryWorld = async () => {
  const ports = nodePorts();
  const store = memoryStore({ clock: ports.clock });
  const world = openObjectServices({
    store,
    domain: 'k8s.io',
    ports,
    maxStalenessMs: 60_000,
    controlPlane: 'internal',
  });
  await world.ready(AbortSignal.timeout(10_000));
  return { store, world };
};
