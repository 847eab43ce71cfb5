/**
 * Compiles `--client-ca-file` to a node and a certificate pool. Error messages are those of
 * kube-apiserver.
 */
import { loadCertificatePool, type ReloadablePool } from '../../certificates/certificate-pool.ts';
import { credentialIdKey } from '../../model/api-domain.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import type { FileCompilation } from '../module.ts';
import type { ClientCertificateNode } from './node.ts';

/** Runtime data that is not part of the node. */
export interface ClientCertificateMaterial {
  /** Reloaded by the file watcher; open connections use the new authorities. */
  readonly pool: ReloadablePool;
}

export type ClientCertificateCompilation = FileCompilation<
  ClientCertificateNode,
  ClientCertificateMaterial
>;

export interface ClientCertificateSource {
  /** Path of the file as given in the flag. */
  readonly caFile: string;
  readonly bytes: Uint8Array;
}

export const compileClientCertificate = (
  { caFile, bytes }: ClientCertificateSource,
  { gates, apiDomain }: { readonly gates: FeatureGates; readonly apiDomain: string },
): ClientCertificateCompilation => {
  const pool = loadCertificatePool(`client-ca-bundle::${caFile}`, bytes);
  if (typeof pool === 'string') return { kind: 'failed', error: pool };
  return {
    kind: 'compiled',
    node: {
      module: 'client-certificate',
      caFile,
      readsUid: gates.get('AllowParsingUserUIDFromCertAuth') ?? false,
      credentialIdKey: credentialIdKey(apiDomain),
    },
    material: { pool },
    warnings: [],
  };
};
