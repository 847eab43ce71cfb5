/**
 * Opens the configured store. Errors in the settings are reported at once; a store that is only
 * unavailable may come back later.
 */
import { secret } from '../../model/secret.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Store, StoreError } from '../../ports/store.ts';
import { readSnapshot } from '../files.ts';
import { nodeHttpPeer } from '../http-peer.ts';
import { resolveClusterConnection } from './cluster-connection.ts';
import type { TlsMaterial } from './etcd-member.ts';
import type { StoreBackend } from './flags.ts';
import { kubernetesStore } from './kubernetes.ts';
import { memoryStore } from './memory.ts';

/** Options that every store is opened with. */
export interface OpenStoreOptions {
  readonly clock: Clock;
  /** Domain of the API groups of the cluster whose API is the store. */
  readonly apiDomain: string;
}

/** Opens the store; rejects with a `StoreError` whose message is a sentence for the operator. */
export const openStore = async (
  backend: StoreBackend,
  { clock, apiDomain }: OpenStoreOptions,
): Promise<Store> => {
  switch (backend.kind) {
    case 'memory':
      return memoryStore({ clock });
    case 'sqlite': {
      // Loaded only here, because older releases of Node print a warning about its library.
      const { sqliteStore } = await import('./sqlite.ts');
      return sqliteStore({ folder: backend.folder }, clock);
    }
    case 'kubernetes': {
      const { connection, basePath } = await resolveClusterConnection(backend.kubeconfig);
      // Compression would delay the events of a watch.
      const peer = nodeHttpPeer({ ...connection, compression: false }, {});
      return kubernetesStore({ peer, basePath, apiDomain });
    }
    case 'etcd': {
      const readTls = () => readTlsMaterial(backend);
      await readTls();
      // Loaded only here, because only this store needs the gRPC client.
      const { etcdStore } = await import('./etcd.ts');
      return etcdStore({ endpoints: backend.endpoints, prefix: backend.prefix, readTls });
    }
  }
};

const readTlsMaterial = async ({
  authorityFile,
  certificateFile,
  keyFile,
}: Extract<StoreBackend, { kind: 'etcd' }>): Promise<TlsMaterial> => ({
  ...(authorityFile === '' ? {} : { certificateAuthority: await readPem(authorityFile) }),
  ...(certificateFile === ''
    ? {}
    : {
        client: {
          certificate: await readPem(certificateFile),
          key: secret(await readPem(keyFile)),
        },
      }),
});

const maxPemBytes = 1024 * 1024;

const readPem = async (file: string): Promise<string> => {
  const reading = await readSnapshot(file, { maxBytes: maxPemBytes });
  if (reading.kind === 'unreadable') throw new StoreError('unavailable', reading.reason);
  return Buffer.from(reading.bytes).toString();
};
