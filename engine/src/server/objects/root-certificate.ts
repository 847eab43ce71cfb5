/** The authority that clients verify this server's certificate with: `ca.crt` in Secrets of service accounts. */
import { X509Certificate } from 'node:crypto';
import { certificateBundleProblem } from '../../formats/x509/certificate.ts';
import { pemBlocks } from '../../formats/x509/pem.ts';
import type { ServeOptions } from '../flags/serve-options.ts';
import { readModuleFile } from '../modules/module-file.ts';

export type RootCertificateResult =
  /** PEM; absent without a file that has one. A self-signed certificate brings its own. */
  | { readonly kind: 'loaded'; readonly pem: string | undefined }
  /** In kube-controller-manager's words. */
  | { readonly kind: 'failed'; readonly error: string };

/** Reads `--root-ca-file`; without it, the authorities in `--tls-cert-file`. */
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

/** A file that cannot be read is reported where the certificate is loaded. */
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
