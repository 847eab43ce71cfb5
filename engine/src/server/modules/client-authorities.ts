/**
 * The certificate authorities of clients and of authenticating proxies. Their files are watched
 * while the server runs; TLS handshakes announce their names.
 */
import { watchCertificatePool } from '../../node/certificate-pool.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { pem } from '../tls/issue-certificate.ts';
import type { LoadedAuthorities } from './load-modules.ts';

export interface ClientAuthorities {
  /** PEM, one string for each authority. */
  pems(): readonly string[];
  /** Registers the listener that is called after each change; it replaces an earlier one. */
  onChange(listener: () => void): void;
  /** Reads all files again now. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

/** Watches the files of the authorities; `undefined` if no client certificate is requested. */
export const followAuthorities = (
  loaded: readonly LoadedAuthorities[],
  ports: { readonly log: Log; readonly metrics: Metrics },
): ClientAuthorities | undefined => {
  if (loaded.length === 0) return undefined;
  let notify = (): void => {};
  const watches = loaded.map(({ pool, file }) => {
    const notifyingPool = {
      ...pool,
      reload(bundle: Uint8Array) {
        const reload = pool.reload(bundle);
        if (reload.kind === 'changed') notify();
        return reload;
      },
    };
    return watchCertificatePool(notifyingPool, file, ports);
  });
  return {
    pems: () =>
      loaded.flatMap(({ pool }) => pool.authorities().map(({ der }) => pem('CERTIFICATE', der))),
    onChange(listener) {
      notify = listener;
    },
    async checkNow() {
      await Promise.all(watches.map((watch) => watch.checkNow()));
    },
    async close() {
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };
};
