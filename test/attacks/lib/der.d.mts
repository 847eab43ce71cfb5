/** Types of the part of `der.mjs` that tests in TypeScript use. */
export interface CertificateSpec {
  /** Made where absent. */
  readonly keyPair?: object;
  readonly subject: readonly (readonly [string, string])[];
  readonly ca?: boolean;
  readonly eku?: readonly string[];
  readonly san?: readonly (readonly [string, string])[];
  /** Seconds from now. */
  readonly notBefore?: number;
  readonly notAfter?: number;
}
export interface MadeCertificate {
  readonly pem: string;
  readonly keyPem: string;
}
export function makeCert(spec: CertificateSpec, issuer?: MadeCertificate): MadeCertificate;
