/**
 * Compiles the `--requestheader-*` flags and the CA bundle to a node and a certificate pool. Error
 * messages are those of kube-apiserver.
 */
import { loadCertificatePool, type ReloadablePool } from '../../certificates/certificate-pool.ts';
import type { FileCompilation } from '../module.ts';
import { type AuthenticatingProxySettings, warnAuthenticatingProxy } from './config.ts';
import type { AuthenticatingProxyNode } from './node.ts';

/** Runtime data that is not part of the node. */
export interface AuthenticatingProxyMaterial {
  /** Reloaded by the file watcher; open connections use the new authorities. */
  readonly pool: ReloadablePool;
}

export type AuthenticatingProxyCompilation = FileCompilation<
  AuthenticatingProxyNode,
  AuthenticatingProxyMaterial
>;

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
