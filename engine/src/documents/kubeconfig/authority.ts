/**
 * Finds certificate authorities of a kubeconfig that cannot verify the server's certificate. Every
 * connection to the server then fails in the TLS handshake.
 */
import { authorityProblems } from '../../formats/authority-problems.ts';
import { readCertificateBundle } from '../../formats/x509/certificate.ts';
import { pemSource } from './connection.ts';
import type { FileLookup, KubeconfigContext } from './context.ts';

export interface UnusableAuthorities {
  readonly field: 'certificate-authority' | 'certificate-authority-data';
  /** The field's path, for messages: `clusters[name=hook].cluster.certificate-authority`. */
  readonly path: string;
  /** One sentence per certificate. */
  readonly problems: readonly string[];
}

/** `now` is in milliseconds since 1970; without it validity periods are not checked. */
export const unusableAuthorities = (
  { cluster, clusterName }: KubeconfigContext,
  files: FileLookup,
  now: number | undefined,
): UnusableAuthorities => {
  const source = pemSource(cluster, 'certificate-authority', files);
  const field = source?.file === undefined ? 'certificate-authority-data' : 'certificate-authority';
  const place = source?.file === undefined ? '' : `${source.file}: `;
  const certificates = source === undefined ? [] : readCertificateBundle(source.text);
  return {
    field,
    path: `clusters[name=${clusterName}].cluster.${field}`,
    problems: authorityProblems(certificates, now).map((problem) => `${place}${problem}`),
  };
};
