/** The bytes of a bundle of authorities -> node and pool. Texts of errors are the real server's. */
import { loadCertificatePool, type ReloadablePool } from '../../certificates/certificate-pool.ts';
import { credentialIdKey } from '../../model/api-domain.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import type { ClientCertificateNode } from './node.ts';

/** What is not in the node. */
export interface ClientCertificateMaterial {
  /** Whoever watches the file reloads it; open connections follow. */
  readonly pool: ReloadablePool;
}

export type ClientCertificateCompilation =
  | {
      readonly kind: 'compiled';
      readonly node: ClientCertificateNode;
      readonly material: ClientCertificateMaterial;
      /** For the log, at the start. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: string };

export interface ClientCertificateSource {
  /** As the flag names it. */
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
