/**
 * Reads RSA and ECDSA public keys from PEM blocks with public keys, private keys or certificates,
 * as kube-apiserver does for key files. Blocks without a key and text between blocks are ignored.
 * Private keys are parsed by a port, which returns their public half.
 */
import { encodeBase64Url } from '../formats/base64.ts';
import { readCertificate } from '../formats/x509/certificate.ts';
import { DerReader, derTag } from '../formats/x509/der.ts';
import {
  bitString,
  objectIdentifier,
  positiveInteger,
  sequence,
  tagged,
} from '../formats/x509/der-writer.ts';
import { type CurveName, curveNamed } from '../formats/x509/elliptic-curve.ts';
import { pemBlocks } from '../formats/x509/pem.ts';
import { type PublicKey, pointCoordinates, readPublicKeyInfo } from '../formats/x509/public-key.ts';
import type { PrivateKeys } from '../ports/private-keys.ts';

/** A public key as JWK members and in DER, which determines its ID. */
export interface PemKey {
  readonly jwk: RsaJwk | EllipticJwk;
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array;
}

export type RsaJwk = { readonly kty: 'RSA'; readonly n: string; readonly e: string };

export type EllipticJwk = {
  readonly kty: 'EC';
  readonly crv: CurveName;
  readonly x: string;
  readonly y: string;
};

/** Returns the keys in the order of their blocks. */
export const readPemKeys = (text: string, privateKeys: PrivateKeys): readonly PemKey[] =>
  pemBlocks(text).flatMap(({ bytes }) => {
    const read = privateKeys.publicHalfOf(bytes) ?? readPublicKey(bytes);
    const key = read && pemKeyOf(read);
    return key === undefined ? [] : [key];
  });

const readPublicKey = (der: Uint8Array): PublicKey | undefined => {
  const reader = new DerReader(der);
  const bare = readPublicKeyInfo(reader);
  if (typeof bare === 'object' && reader.isEmpty) return bare.publicKey;
  const certificate = readCertificate(der);
  return typeof certificate === 'object' ? certificate.publicKey : undefined;
};

const pemKeyOf = (key: PublicKey): PemKey | undefined => {
  switch (key.kind) {
    case 'RSA':
      return rsaKey(key.n, key.e);
    case 'ECDSA':
      return ellipticKey(key.curve, key.point);
    default:
      return undefined;
  }
};

const rsaKey = (n: bigint, e: bigint): PemKey => {
  const [modulus, exponent] = [bytesOf(n), bytesOf(e)];
  const numbers = sequence(positiveInteger(modulus), positiveInteger(exponent));
  const algorithm = sequence(objectIdentifier('1.2.840.113549.1.1.1'), tagged(derTag.null));
  return {
    jwk: { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) },
    spki: sequence(algorithm, bitString(numbers)),
  };
};

const ellipticKey = (name: string, point: Uint8Array): PemKey | undefined => {
  const curve = curveNamed(name);
  if (curve === undefined) return undefined;
  const [x, y] = pointCoordinates(point);
  const algorithm = sequence(objectIdentifier('1.2.840.10045.2.1'), objectIdentifier(curve.id));
  return {
    jwk: { kty: 'EC', crv: curve.name, x: encodeBase64Url(x), y: encodeBase64Url(y) },
    spki: sequence(algorithm, bitString(point)),
  };
};

/** Returns the big-endian bytes without leading zeros. */
const bytesOf = (value: bigint): Uint8Array => {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
};
