/**
 * The authorities of clients and of proxies together: files that are followed while the server runs,
 * and what a client is told of them in its handshake.
 */
import { encodeBase64 } from '../../formats/base64.ts';
import { watchCertificatePool } from '../../node/certificate-pool.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { LoadedAuthorities } from './load-modules.ts';

export interface ClientAuthorities {
  /** PEM, one text for each authority. */
  pems(): readonly string[];
  /** Called after each change; one caller at a time. */
  onChange(listener: () => void): void;
  /** Reads all files again now. */
  checkNow(): Promise<void>;
  close(): Promise<void>;
}

/** Follows the files from now on; `undefined` where no client is asked for a certificate. */
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
    pems: () => loaded.flatMap(({ pool }) => pool.authorities().map(({ der }) => pemOf(der))),
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

const pemOf = (der: Uint8Array): string => {
  const lines = encodeBase64(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};
