/** The API of stored objects in front of a cluster with a real cluster's rules. */
import { onTestFinished } from 'vitest';
import { nodeClock } from '../../../engine/src/node/clock.ts';
import { nodeHttpPeer } from '../../../engine/src/node/http-peer.ts';
import { kubernetesStore } from '../../../engine/src/node/store/kubernetes.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { serveStore } from '../../support/store-as-api.ts';
import { clusterDeletions } from './cluster-deletions.ts';

clusterDeletions(async () => {
  const inner = memoryStore({ clock: nodeClock() });
  const key = { resource: 'namespaces', namespace: '', name: 'default' };
  await inner.create(key, new Map([['metadata', new Map([['name', 'default']])]]));
  const { origin, close } = await serveStore(inner);
  const connection = { origin, insecureSkipVerify: false, headers: [], compression: false };
  const peer = nodeHttpPeer(connection, {});
  const store = kubernetesStore({ peer, basePath: '', apiDomain: 'k8s.io' });
  onTestFinished(close);
  onTestFinished(() => store.close());
  return store;
});
