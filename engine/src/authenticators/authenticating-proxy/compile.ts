/** The flags and the bytes of the bundle -> node and pool. Texts of errors are the real server's. */
import { loadCertificatePool, type ReloadablePool } from '../../certificates/certificate-pool.ts';
import { type AuthenticatingProxySettings, warnAuthenticatingProxy } from './config.ts';
import type { AuthenticatingProxyNode } from './node.ts';

/** What is not in the node. */
export interface AuthenticatingProxyMaterial {
  /** Whoever watches the file reloads it; open connections follow. */
  readonly pool: ReloadablePool;
}

export type AuthenticatingProxyCompilation =
  | {
      readonly kind: 'compiled';
      readonly node: AuthenticatingProxyNode;
      readonly material: AuthenticatingProxyMaterial;
      /** For the log, at the start. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: string };

export interface AuthenticatingProxySource extends AuthenticatingProxySettings {
  readonly caFile: string;
  readonly bytes: Uint8Array;
}

export const compileAuthenticatingProxy = (
  source: AuthenticatingProxySource,
): AuthenticatingProxyCompilation => {
  const { caFile, allowedNames, headers, bytes } = source;
  const pool = loadCertificatePool(`request-header::${caFile}`, bytes);
  if (typeof pool === 'string') return { kind: 'failed', error: pool };
  return {
    kind: 'compiled',
    node: { module: 'authenticating-proxy', caFile, allowedNames, headers },
    material: { pool },
    warnings: warnAuthenticatingProxy(source),
  };
};
