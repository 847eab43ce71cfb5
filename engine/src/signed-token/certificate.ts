/**
 * As much of a certificate as a key set needs: is it one, and which public key does it carry? It
 * proves nothing here; the key set's own TLS connection does.
 */
import { bytesToBigint } from './elliptic-curve.ts';

export type CertificateKey =
  | { readonly kind: 'RSA'; readonly n: bigint; readonly e: bigint }
  | { readonly kind: 'EC'; readonly curve: string; readonly point: Uint8Array }
  | { readonly kind: 'other' };

export type CertificateReading =
  | { readonly kind: 'key'; readonly key: CertificateKey }
  /** `x509: malformed certificate` */
  | { readonly kind: 'error'; readonly error: string };

/** DER -> the subject's public key. */
export const readCertificateKey = (der: Uint8Array): CertificateReading => {
  const certificate = readElement(der, 0, sequence);
  if (certificate === undefined) return wrong('malformed certificate');
  if (certificate.end !== der.length) return wrong('trailing data');
  const body = readElement(certificate.content, 0, sequence);
  if (body === undefined) return wrong('malformed tbs certificate');
  const fields = body.content;
  const version = readElement(fields, 0, explicitVersion);
  let at = version?.end ?? 0;
  for (const [tag, name] of fieldsBeforeKey) {
    const field = readElement(fields, at, tag);
    if (field === undefined) return wrong(`malformed ${name}`);
    at = field.end;
  }
  const keyInfo = readElement(fields, at, sequence);
  if (keyInfo === undefined) return wrong('malformed spki');
  return readKeyInfo(keyInfo.content);
};

const sequence = 0x30;
const integer = 0x02;
const bitString = 0x03;
const objectId = 0x06;
const explicitVersion = 0xa0;

const fieldsBeforeKey: readonly (readonly [number, string])[] = [
  [integer, 'serial number'],
  [sequence, 'signature algorithm identifier'],
  [sequence, 'issuer'],
  [sequence, 'validity'],
  [sequence, 'subject'],
];

const rsaId = '2a864886f70d010101';
const ellipticId = '2a8648ce3d0201';
const curveIds: ReadonlyMap<string, string> = new Map([
  ['2a8648ce3d030107', 'P-256'],
  ['2b81040022', 'P-384'],
  ['2b81040023', 'P-521'],
]);

const readKeyInfo = (content: Uint8Array): CertificateReading => {
  const algorithm = readElement(content, 0, sequence);
  if (algorithm === undefined) return wrong('malformed public key algorithm identifier');
  const id = readElement(algorithm.content, 0, objectId);
  const bits = readElement(content, algorithm.end, bitString);
  if (id === undefined) return wrong('malformed algorithm identifier');
  if (bits === undefined) return wrong('malformed subjectPublicKey');
  // The first byte of a bit string counts the unused bits: none in a key.
  const key = bits.content.subarray(1);
  if (hex(id.content) === rsaId) return readRsaKey(key);
  if (hex(id.content) !== ellipticId) return { kind: 'key', key: { kind: 'other' } };
  const curveId = readElement(algorithm.content, id.end, objectId);
  const curve = curveIds.get(hex(curveId?.content ?? new Uint8Array()));
  return curve === undefined
    ? wrong('unsupported elliptic curve')
    : { kind: 'key', key: { kind: 'EC', curve, point: key } };
};

const readRsaKey = (der: Uint8Array): CertificateReading => {
  const key = readElement(der, 0, sequence);
  if (key === undefined) return wrong('invalid RSA public key');
  const n = readElement(key.content, 0, integer);
  const e = n && readElement(key.content, n.end, integer);
  if (n === undefined) return wrong('invalid RSA modulus');
  if (e === undefined) return wrong('invalid RSA public exponent');
  return {
    kind: 'key',
    key: { kind: 'RSA', n: bytesToBigint(n.content), e: bytesToBigint(e.content) },
  };
};

interface Element {
  readonly content: Uint8Array;
  /** Offset behind the element. */
  readonly end: number;
}

/** The element that starts at `at`, if it has that tag and fits. */
const readElement = (der: Uint8Array, at: number, tag: number): Element | undefined => {
  const first = der[at + 1];
  if (der[at] !== tag || first === undefined) return undefined;
  let length = first;
  let start = at + 2;
  if (first >= 0x80) {
    const lengthBytes = first & 0x7f;
    if (lengthBytes === 0 || lengthBytes > 4) return undefined;
    length = 0;
    for (let place = 0; place < lengthBytes; place += 1)
      length = length * 256 + (der[start++] ?? 0);
    if (length < 0x80 || length < 256 ** (lengthBytes - 1)) return undefined;
  }
  const end = start + length;
  return end > der.length ? undefined : { content: der.subarray(start, end), end };
};

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const wrong = (what: string): CertificateReading => ({ kind: 'error', error: `x509: ${what}` });
