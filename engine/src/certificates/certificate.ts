/** A certificate that was parsed as the real server parses it, and what of it people read. */
import type { ParsedCertificate } from '../formats/x509/certificate.ts';

/** A certificate with its bytes. */
export type Certificate = ParsedCertificate;

/** All values of an attribute of the subject, in order. */
export const subjectValues = (certificate: Certificate, type: string): readonly string[] =>
  certificate.subjectAttributes
    .filter((attribute) => attribute.type === type)
    .map(({ value }) => value);

/** Object identifiers of parts of names. */
export const attributeTypes = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** The last one counts; empty where there is none. */
export const commonName = (certificate: Certificate): string =>
  subjectValues(certificate, attributeTypes.commonName).at(-1) ?? '';

/** `SN=12, SKID=AA:BB, AKID=` as messages name a certificate. */
export const certificateIdentifier = ({ serialNumber, extensions }: Certificate): string =>
  `SN=${serialNumber}, SKID=${hexPairs(extensions.subjectKeyId)}, AKID=${hexPairs(extensions.authorityKeyId)}`;

const hexPairs = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
