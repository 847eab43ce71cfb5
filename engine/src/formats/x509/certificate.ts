/**
 * Parses X.509 certificates like Go, with its errors. It does not verify anything: signatures,
 * validity and names are checked by the callers.
 */

import {
  readAlgorithm,
  type SignatureAlgorithm,
  signatureAlgorithm,
} from './certificate-signature.ts';
import { readTime } from './certificate-time.ts';
import { DerReader, derTag } from './der.ts';
import { type NameAttribute, readName } from './distinguished-name.ts';
import { type CertificateExtensions, readExtensions } from './extensions.ts';
import { pemBlocks } from './pem.ts';
import { type PublicKeyInfo, readPublicKeyInfo } from './public-key.ts';

export interface ParsedCertificate extends PublicKeyInfo {
  /** The whole certificate. */
  readonly der: Uint8Array;
  /** The part that the signature covers. */
  readonly signedPart: Uint8Array;
  /** The algorithm, or `undefined` if it is not supported. */
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly signature: Uint8Array;
  /** The version: 1, 2 or 3. */
  readonly version: number;
  readonly serialNumber: bigint;
  /** The DER encoding; names are compared by their bytes. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly subjectAttributes: readonly NameAttribute[];
  /** Milliseconds since 1970; both limits are inclusive. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: CertificateExtensions;
}

/** Parses all certificates of a bundle in order; returns Go's error as a string. */
export const readCertificateBundle = (text: string): readonly ParsedCertificate[] | string => {
  const certificates: ParsedCertificate[] = [];
  for (const { type, hasHeaders, bytes } of pemBlocks(text)) {
    if (type !== 'CERTIFICATE' || hasHeaders) continue;
    const certificate = readCertificate(bytes);
    if (typeof certificate === 'string') return certificate;
    certificates.push(certificate);
  }
  return certificates.length === 0
    ? 'data does not contain any valid RSA or ECDSA certificates'
    : certificates;
};

/** Returns Go's error for a bundle, or `undefined` if it is valid. */
export const certificateBundleProblem = (text: string): string | undefined => {
  const bundle = readCertificateBundle(text);
  return typeof bundle === 'string' ? bundle : undefined;
};

/** Parses a certificate; returns Go's error as a string. */
export const readCertificate = (der: Uint8Array): ParsedCertificate | string => {
  const outer = new DerReader(der);
  const content = outer.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed certificate';
  const certificate = readBody(der, new DerReader(content));
  if (typeof certificate === 'string') return certificate;
  return outer.isEmpty ? certificate : 'x509: trailing data';
};

const readBody = (der: Uint8Array, body: DerReader): ParsedCertificate | string => {
  const signedPart = body.readElement(derTag.sequence);
  const content = signedPart && new DerReader(signedPart).read(derTag.sequence);
  if (signedPart === undefined || content === undefined) return 'x509: malformed tbs certificate';
  const tbs = new DerReader(content);
  const version = readVersion(tbs);
  if (typeof version === 'string') return version;
  const serialNumber = tbs.readInteger();
  if (serialNumber === undefined) return 'x509: malformed serial number';
  if (serialNumber < 0n) return 'x509: negative serial number';
  const algorithm = readSignatureAlgorithm(tbs, body);
  if (typeof algorithm === 'string') return algorithm;
  const issuer = readDistinguishedName(tbs);
  if (typeof issuer === 'string') return issuer;
  const validity = readValidity(tbs);
  if (typeof validity === 'string') return validity;
  const subject = readDistinguishedName(tbs);
  if (typeof subject === 'string') return subject;
  const key = readPublicKeyInfo(tbs);
  if (typeof key === 'string') return key;
  const extensions = readOptionalFields(tbs, version);
  if (typeof extensions === 'string') return extensions;
  const signature = body.readAlignedBits();
  if (signature === undefined) return 'x509: malformed signature';
  return {
    der,
    signedPart,
    signatureAlgorithm: algorithm.known,
    signature,
    version,
    serialNumber,
    issuer: issuer.der,
    subject: subject.der,
    subjectAttributes: subject.attributes,
    ...validity,
    ...key,
    extensions,
  };
};

/** Returns the one-based version; a string is an error. */
const readVersion = (tbs: DerReader): number | string => {
  if (tbs.nextTag !== 0xa0) return 1;
  const wrapped = tbs.read(0xa0);
  const inside = wrapped === undefined ? undefined : new DerReader(wrapped);
  const version = inside?.readInteger();
  if (version === undefined || version < 0n || inside?.isEmpty !== true)
    return 'x509: malformed version';
  if (version > 2n ** 63n - 1n) return 'x509: malformed version';
  return version > 2n ? 'x509: invalid version' : Number(version) + 1;
};

/** Parses the algorithm, which is contained both in the signed part and next to the signature. */
const readSignatureAlgorithm = (
  tbs: DerReader,
  body: DerReader,
): { readonly known: SignatureAlgorithm | undefined } | string => {
  const inner = tbs.read(derTag.sequence);
  if (inner === undefined) return 'x509: malformed signature algorithm identifier';
  const outer = body.read(derTag.sequence);
  if (outer === undefined) return 'x509: malformed algorithm identifier';
  if (inner.length !== outer.length || inner.some((byte, at) => byte !== outer[at]))
    return "x509: inner and outer signature algorithm identifiers don't match";
  const algorithm = readAlgorithm(inner);
  return typeof algorithm === 'string' ? algorithm : { known: signatureAlgorithm(algorithm) };
};

const readDistinguishedName = (
  tbs: DerReader,
): { readonly der: Uint8Array; readonly attributes: readonly NameAttribute[] } | string => {
  const der = tbs.readElement(derTag.sequence);
  const content = der && new DerReader(der).read(derTag.sequence);
  // Go also reports "issuer" for the subject.
  if (der === undefined || content === undefined) return 'x509: malformed issuer';
  const attributes = readName(content);
  return typeof attributes === 'string' ? attributes : { der, attributes };
};

const readValidity = (
  tbs: DerReader,
): { readonly notBefore: number; readonly notAfter: number } | string => {
  const content = tbs.read(derTag.sequence);
  if (content === undefined) return 'x509: malformed validity';
  const times = new DerReader(content);
  const notBefore = readTime(times);
  if (typeof notBefore === 'string') return notBefore;
  const notAfter = readTime(times);
  return typeof notAfter === 'string' ? notAfter : { notBefore, notAfter };
};

const readOptionalFields = (tbs: DerReader, version: number): CertificateExtensions | string => {
  const none = new DerReader(new Uint8Array());
  if (version === 1) return readExtensions(none);
  if (!tbs.skipOptional(0x81)) return 'x509: malformed issuerUniqueID';
  if (!tbs.skipOptional(0x82)) return 'x509: malformed subjectUniqueID';
  if (version !== 3 || tbs.nextTag !== 0xa3) return readExtensions(none);
  const wrapped = tbs.read(0xa3);
  const content = wrapped && new DerReader(wrapped).read(derTag.sequence);
  return content === undefined
    ? 'x509: malformed extensions'
    : readExtensions(new DerReader(content));
};
