/**
 * Client certificates as kube-apiserver parses them, and the parts that appear in identities and
 * messages.
 */
import type { ParsedCertificate } from '../formats/x509/certificate.ts';

/** A parsed certificate with its bytes. */
export type Certificate = ParsedCertificate;

/** Returns all values of an attribute of the subject, in order. */
export const subjectValues = (certificate: Certificate, type: string): readonly string[] =>
  certificate.subjectAttributes
    .filter((attribute) => attribute.type === type)
    .map(({ value }) => value);

/** Object identifiers of attributes. */
export const attributeTypes = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** Returns the last common name; empty if there is none. */
export const commonName = (certificate: Certificate): string =>
  subjectValues(certificate, attributeTypes.commonName).at(-1) ?? '';

/** Formats a certificate for messages: `SN=12, SKID=AA:BB, AKID=`. */
export const certificateIdentifier = ({ serialNumber, extensions }: Certificate): string =>
  `SN=${serialNumber}, SKID=${hexPairs(extensions.subjectKeyId)}, AKID=${hexPairs(extensions.authorityKeyId)}`;

const hexPairs = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
