/**
 * Reads the public key of a certificate, to compare it with the key of the same JWK. The
 * certificate is not verified; the key set is trusted because of its TLS connection.
 */
import { hexOf } from '../formats/bytes.ts';
import { bytesToBigInt } from '../formats/x509/der.ts';

export type ParsedPublicKey =
  | { readonly kind: 'RSA'; readonly n: bigint; readonly e: bigint }
  | { readonly kind: 'EC'; readonly curve: string; readonly point: Uint8Array }
  | { readonly kind: 'other' };

/**
 * Returns the public key of a valid certificate; `undefined` for an algorithm that Go does not
 * support, whose key is not compared.
 */
export const readCertificatePublicKey = (der: Uint8Array): ParsedPublicKey | undefined => {
  const certificate = readElement(der, 0, sequence);
  const body = certificate && readElement(certificate.content, 0, sequence);
  if (body === undefined) return other;
  const fields = body.content;
  let at = readElement(fields, 0, explicitVersion)?.end ?? 0;
  for (const tag of fieldsBeforeKey) {
    const field = readElement(fields, at, tag);
    if (field === undefined) return other;
    at = field.end;
  }
  const keyInfo = readElement(fields, at, sequence);
  return keyInfo === undefined ? other : readPublicKeyInfo(keyInfo.content);
};

const other: ParsedPublicKey = { kind: 'other' };

const sequence = 0x30;
const integer = 0x02;
const bitString = 0x03;
const objectId = 0x06;
const explicitVersion = 0xa0;

/** Serial number, signature algorithm, issuer, validity, subject. */
const fieldsBeforeKey: readonly number[] = [integer, sequence, sequence, sequence, sequence];

const rsaId = '2a864886f70d010101';
const ellipticId = '2a8648ce3d0201';
/** Ed25519, X25519, DSA. */
const otherIds = new Set(['2b6570', '2b656e', '2a8648ce380401']);
const curveIds: ReadonlyMap<string, string> = new Map([
  ['2a8648ce3d030107', 'P-256'],
  ['2b81040022', 'P-384'],
  ['2b81040023', 'P-521'],
]);

/** Parses the content of a SubjectPublicKeyInfo; `undefined` for an unsupported algorithm. */
export const readPublicKeyInfo = (content: Uint8Array): ParsedPublicKey | undefined => {
  const algorithm = readElement(content, 0, sequence);
  const id = algorithm && readElement(algorithm.content, 0, objectId);
  const bits = algorithm && readElement(content, algorithm.end, bitString);
  if (id === undefined || bits === undefined) return other;
  // The first byte of a bit string is the number of unused bits, which is 0 in a key.
  const key = bits.content.subarray(1);
  const algorithmId = hexOf(id.content);
  if (algorithmId === rsaId) return readRsaKey(key);
  if (algorithmId !== ellipticId) return otherIds.has(algorithmId) ? other : undefined;
  const curveId = readElement(algorithm?.content ?? new Uint8Array(), id.end, objectId);
  const curve = curveIds.get(hexOf(curveId?.content ?? new Uint8Array()));
  return curve === undefined ? other : { kind: 'EC', curve, point: key };
};

const readRsaKey = (der: Uint8Array): ParsedPublicKey => {
  const key = readElement(der, 0, sequence);
  const n = key && readElement(key.content, 0, integer);
  const e = n && readElement(key.content, n.end, integer);
  if (n === undefined || e === undefined) return other;
  return { kind: 'RSA', n: bytesToBigInt(n.content), e: bytesToBigInt(e.content) };
};

interface Element {
  readonly content: Uint8Array;
  /** The offset after the element. */
  readonly end: number;
}

/** Reads the element at an offset if it has the tag and is complete. */
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
