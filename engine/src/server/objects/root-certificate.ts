/**
 * The certificate authority that verifies this server's certificate: `ca.crt` in service account
 * Secrets.
 */
import { X509Certificate } from 'node:crypto';
import { certificateBundleProblem } from '../../formats/x509/certificate.ts';
import { pemBlocks } from '../../formats/x509/pem.ts';
import type { ServeOptions } from '../flags/serve-options.ts';
import { readModuleFile } from '../modules/module-file.ts';

export type RootCertificateResult =
  /**
   * PEM; `undefined` if no file contains an authority. A self-signed certificate comes with its
   * own.
   */
  | { readonly kind: 'loaded'; readonly pem: string | undefined }
  /** The message is kube-controller-manager's. */
  | { readonly kind: 'failed'; readonly error: string };

/** Reads `--root-ca-file`, or else the authorities in `--tls-cert-file`. */
export const loadRootCertificate = async ({
  rootCaFile,
  tlsCertFile,
}: ServeOptions): Promise<RootCertificateResult> => {
  if (rootCaFile === undefined) return { kind: 'loaded', pem: await authoritiesIn(tlsCertFile) };
  const reading = await readModuleFile(rootCaFile);
  if (reading.kind === 'unreadable') return failed(rootCaFile, reading.reason);
  const pem = new TextDecoder('latin1').decode(reading.bytes);
  const problem = certificateBundleProblem(pem);
  return problem === undefined ? { kind: 'loaded', pem } : failed(rootCaFile, problem);
};

const failed = (file: string, reason: string): RootCertificateResult => ({
  kind: 'failed',
  error: `error parsing root-ca-file at ${file}: ${reason}`,
});

/**
 * Returns the authorities in a file. An unreadable file is reported when the serving certificate is
 * loaded.
 */
const authoritiesIn = async (file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  const reading = await readModuleFile(file);
  if (reading.kind === 'unreadable') return undefined;
  const text = new TextDecoder('latin1').decode(reading.bytes);
  const authorities = pemBlocks(text).flatMap(({ type, bytes }) =>
    type === 'CERTIFICATE' ? authorityOf(bytes) : [],
  );
  return authorities.length === 0 ? undefined : authorities.join('');
};

const authorityOf = (der: Uint8Array): readonly string[] => {
  try {
    const certificate = new X509Certificate(der);
    return certificate.ca ? [certificate.toString()] : [];
  } catch {
    return [];
  }
};
