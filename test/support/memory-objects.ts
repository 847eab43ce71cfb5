/** Object services in memory, with the initial objects. */
import { nodePorts } from '../../engine/src/node/ports.ts';
import { memoryStore } from '../../engine/src/node/store/memory.ts';
import { openObjectServices } from '../../engine/src/server/objects/object-services.ts';

/** Resolves when the view is ready; the caller closes it. */
export const openMemoryObjects = async () => {
  const ports = nodePorts();
  const store = memoryStore({ clock: ports.clock });
  const objectServices = openObjectServices({
    store,
    domain: 'k8s.io',
    ports,
    maxStalenessMs: 60_000,
    controlPlane: 'internal',
  });
  await objectServices.ready(AbortSignal.timeout(10_000));
  return { store, objectServices: objectServices };
};
