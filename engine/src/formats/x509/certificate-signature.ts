/** The signature algorithms of certificates that Go supports, by Go's names. */
import { DerReader, derTag } from './der.ts';

export type SignatureAlgorithm =
  | 'MD5-RSA'
  | 'SHA1-RSA'
  | 'SHA256-RSA'
  | 'SHA384-RSA'
  | 'SHA512-RSA'
  | 'SHA256-RSAPSS'
  | 'SHA384-RSAPSS'
  | 'SHA512-RSAPSS'
  | 'DSA-SHA1'
  | 'DSA-SHA256'
  | 'ECDSA-SHA1'
  | 'ECDSA-SHA256'
  | 'ECDSA-SHA384'
  | 'ECDSA-SHA512'
  | 'Ed25519';

export interface AlgorithmIdentifier {
  readonly id: string;
  /** The whole element, or no bytes if it is absent. */
  readonly parameters: Uint8Array;
}

/** Parses an algorithm identifier; returns a string if it is malformed. */
export const readAlgorithm = (content: Uint8Array): AlgorithmIdentifier | string => {
  const reader = new DerReader(content);
  const id = reader.readObjectId();
  if (id === undefined) return 'x509: malformed OID';
  const { rest } = reader;
  if (rest.length === 0) return { id, parameters: rest };
  if (reader.readAny() === undefined) return 'x509: malformed parameters';
  return { id, parameters: rest.subarray(0, rest.length - reader.rest.length) };
};

const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.113549.1.1.4', 'MD5-RSA'],
  ['1.2.840.113549.1.1.5', 'SHA1-RSA'],
  ['1.3.14.3.2.29', 'SHA1-RSA'],
  ['1.2.840.113549.1.1.11', 'SHA256-RSA'],
  ['1.2.840.113549.1.1.12', 'SHA384-RSA'],
  ['1.2.840.113549.1.1.13', 'SHA512-RSA'],
  ['1.2.840.10040.4.3', 'DSA-SHA1'],
  ['2.16.840.1.101.3.4.3.2', 'DSA-SHA256'],
  ['1.2.840.10045.4.1', 'ECDSA-SHA1'],
  ['1.2.840.10045.4.3.2', 'ECDSA-SHA256'],
  ['1.2.840.10045.4.3.3', 'ECDSA-SHA384'],
  ['1.2.840.10045.4.3.4', 'ECDSA-SHA512'],
  ['1.3.101.112', 'Ed25519'],
]);

/** Returns the algorithm, or `undefined` if it is not supported. */
export const signatureAlgorithm = ({
  id,
  parameters,
}: AlgorithmIdentifier): SignatureAlgorithm | undefined => {
  if (id === '1.2.840.113549.1.1.10') return pssAlgorithm(parameters);
  if (id === '1.3.101.112' && parameters.length > 0) return undefined;
  return algorithms.get(id);
};

/** Digests of RSA-PSS, by object identifier, with the required length of the salt. */
const pssDigests: ReadonlyMap<string, readonly [SignatureAlgorithm, bigint]> = new Map([
  ['2.16.840.1.101.3.4.2.1', ['SHA256-RSAPSS', 32n]],
  ['2.16.840.1.101.3.4.2.2', ['SHA384-RSAPSS', 48n]],
  ['2.16.840.1.101.3.4.2.3', ['SHA512-RSAPSS', 64n]],
]);

const pssAlgorithm = (parameters: Uint8Array): SignatureAlgorithm | undefined => {
  const fields = new DerReader(new DerReader(parameters).read(derTag.sequence) ?? new Uint8Array());
  const digest = algorithmInside(fields.read(0xa0));
  const mask = algorithmInside(fields.read(0xa1));
  const saltLength = new DerReader(fields.read(0xa2) ?? new Uint8Array()).readInteger();
  const trailer = fields.nextTag === 0xa3 ? fields.read(0xa3) : undefined;
  const trailerField = trailer === undefined ? 1n : new DerReader(trailer).readInteger();
  const maskDigest = mask === undefined ? undefined : algorithmInside(mask.parameters);
  if (digest === undefined || mask?.id !== '1.2.840.113549.1.1.8' || maskDigest === undefined)
    return undefined;
  if (!isNullOrAbsent(digest.parameters) || !isNullOrAbsent(maskDigest.parameters))
    return undefined;
  if (maskDigest.id !== digest.id || trailerField !== 1n) return undefined;
  const [algorithm, length] = pssDigests.get(digest.id) ?? [];
  return length === saltLength ? algorithm : undefined;
};

const algorithmInside = (wrapped: Uint8Array | undefined): AlgorithmIdentifier | undefined => {
  const content = wrapped && new DerReader(wrapped).read(derTag.sequence);
  const algorithm = content && readAlgorithm(content);
  return typeof algorithm === 'object' ? algorithm : undefined;
};

const isNullOrAbsent = (parameters: Uint8Array): boolean =>
  parameters.length === 0 ||
  (parameters.length === 2 && parameters[0] === 5 && parameters[1] === 0);
