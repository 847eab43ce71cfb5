/**
 * Issues certificates (ECDSA on P-256 with SHA-256): self-signed authorities and leaves, for a
 * listener without certificate files, for the demo, and for tests.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  asciiString,
  bitString,
  boolean,
  explicit,
  objectIdentifier,
  octetString,
  positiveInteger,
  sequence,
  setOf,
  tagged,
  time,
  utf8String,
} from '../../formats/x509/der-writer.ts';

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly role: 'authority' | 'server' | 'client';
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly key: KeyObject;
  /** DER of the subject, which is the issuer of certificates that this one signs. */
  readonly subject: Uint8Array;
}

/** Issues a certificate that is signed by `issuer`, or self-signed. */
export const issueCertificate = (
  request: CertificateRequest,
  issuer?: IssuedCertificate,
): IssuedCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf(request);
  const signer = issuer ?? { subject, key: privateKey };
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  const toBeSigned = sequence(
    explicit(0, positiveInteger(Uint8Array.of(2))),
    positiveInteger(serialNumber()),
    algorithm,
    signer.subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(request, publicKey, signer.key))),
  );
  const signature = sign('sha256', toBeSigned, signer.key);
  const certificate = sequence(toBeSigned, algorithm, bitString(signature));
  return {
    certificatePem: pem('CERTIFICATE', certificate),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    key: privateKey,
    subject,
  };
};

const serialNumber = (): Uint8Array => {
  const bytes = randomBytes(16);
  // Keeps the number positive and its length fixed.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
};

const nameOf = ({ commonName, organizations = [] }: CertificateRequest): Uint8Array => {
  const attribute = (oid: string, text: string): Uint8Array =>
    setOf(sequence(objectIdentifier(oid), utf8String(text)));
  return sequence(
    ...organizations.map((name) => attribute('2.5.4.10', name)),
    attribute('2.5.4.3', commonName),
  );
};

const extension = (
  oid: string,
  content: Uint8Array,
  { critical }: { readonly critical: boolean },
): Uint8Array =>
  sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(content));

const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/**
 * Bits of a key usage: digitalSignature is the first, keyCertSign and cRLSign the sixth and
 * seventh.
 */
const keyUsage = { authority: [0x01, 0x06], leaf: [0x07, 0x80] } as const;

const extensions = (
  request: CertificateRequest,
  publicKey: KeyObject,
  signerKey: KeyObject,
): readonly Uint8Array[] => {
  const { role, hosts = [] } = request;
  const isAuthority = role === 'authority';
  const basic = isAuthority ? sequence(boolean(true)) : sequence();
  const usage = tagged(0x03, Uint8Array.from(isAuthority ? keyUsage.authority : keyUsage.leaf));
  return [
    extension('2.5.29.19', basic, { critical: true }),
    extension('2.5.29.15', usage, { critical: true }),
    extension('2.5.29.14', octetString(keyIdentifier(publicKey)), { critical: false }),
    extension('2.5.29.35', sequence(tagged(0x80, keyIdentifier(createPublicKey(signerKey)))), {
      critical: false,
    }),
    ...(role === 'authority'
      ? []
      : [extension('2.5.29.37', sequence(objectIdentifier(purposes[role])), { critical: false })]),
    ...(hosts.length === 0
      ? []
      : [extension('2.5.29.17', sequence(...hosts.map(alternativeName)), { critical: false })]),
  ];
};

const keyIdentifier = (key: KeyObject): Uint8Array =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

const alternativeName = (host: string): Uint8Array => {
  const address = addressBytes(host);
  return address === undefined ? asciiString(0x82, host) : tagged(0x87, address);
};

const addressBytes = (host: string): Uint8Array | undefined => {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return Uint8Array.from(host.split('.').map(Number));
  if (!isIPv6(host)) return undefined;
  const [head = '', tail] = host.split('::');
  const groups = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const front = groups(head);
  const back = groups(tail ?? '');
  const middle = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return Uint8Array.from(
    [...front, ...middle, ...back].flatMap((group) => [group >> 8, group & 0xff]),
  );
};

export const pem = (label: string, der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};
