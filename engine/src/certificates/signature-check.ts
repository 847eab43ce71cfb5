/** Verifies the signature of a certificate against its issuer. */
import type { SignatureAlgorithm } from '../formats/x509/certificate-signature.ts';
import type {
  CertificateSignature,
  CertificateSignatures,
} from '../ports/certificate-signatures.ts';
import type { Certificate } from './certificate.ts';

/**
 * Returns the problem, with the message of Go's crypto/x509; `undefined` if the parent may sign and
 * did sign the child.
 */
export const signatureProblem = (
  child: Certificate,
  parent: Certificate,
  signatures: CertificateSignatures,
): string | undefined => {
  const { basicConstraints, keyUsage } = parent.extensions;
  const isNoAuthority =
    basicConstraints === undefined ? parent.version === 3 : !basicConstraints.isAuthority;
  if (isNoAuthority || (keyUsage !== 0 && (keyUsage & keyCertSign) === 0))
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  const key = parent.publicKey;
  const algorithm = child.signatureAlgorithm;
  if (key === undefined || algorithm === undefined) return unimplemented;
  if (insecureAlgorithms.has(algorithm))
    return `x509: cannot verify signature: insecure algorithm ${algorithm}`;
  const type = goTypes.get(key.kind);
  if (type === undefined) return unimplemented;
  const method = methods.get(algorithm);
  if (method?.key !== key.kind)
    return `x509: signature algorithm specifies an ${method?.key ?? 'DSA'} public key, but have public key of type ${type}`;
  const problem = key.kind === 'RSA' ? rsaProblem(key.n, key.e) : undefined;
  if (problem !== undefined) return problem;
  const isValid = signatures.verify({
    scheme: method.scheme,
    ...(method.digest === undefined ? {} : { digest: method.digest }),
    publicKeyInfo: parent.publicKeyInfo,
    signed: child.signedPart,
    signature: child.signature,
  });
  return isValid ? undefined : method.failure;
};

/** Bit 5 of the key usage: keyCertSign. */
const keyCertSign = 1 << 5;

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

/** Go's types of the keys that can verify signatures. */
const goTypes: ReadonlyMap<string, string> = new Map([
  ['RSA', '*rsa.PublicKey'],
  ['ECDSA', '*ecdsa.PublicKey'],
  ['Ed25519', 'ed25519.PublicKey'],
]);

interface Method {
  readonly key: 'RSA' | 'ECDSA' | 'Ed25519';
  readonly scheme: CertificateSignature['scheme'];
  readonly digest?: CertificateSignature['digest'];
  readonly failure: string;
}

const rsa = { key: 'RSA', failure: 'crypto/rsa: verification error' } as const;
const pkcs1 = { ...rsa, scheme: 'rsa-pkcs1' } as const;
const pss = { ...rsa, scheme: 'rsa-pss' } as const;
const ecdsa = {
  key: 'ECDSA',
  scheme: 'ecdsa',
  failure: 'x509: ECDSA verification failure',
} as const;

/** How each signature algorithm is verified. DSA is not supported. */
const methods: ReadonlyMap<SignatureAlgorithm, Method> = new Map([
  ['SHA256-RSA', { ...pkcs1, digest: 'sha256' }],
  ['SHA384-RSA', { ...pkcs1, digest: 'sha384' }],
  ['SHA512-RSA', { ...pkcs1, digest: 'sha512' }],
  ['SHA256-RSAPSS', { ...pss, digest: 'sha256' }],
  ['SHA384-RSAPSS', { ...pss, digest: 'sha384' }],
  ['SHA512-RSAPSS', { ...pss, digest: 'sha512' }],
  ['ECDSA-SHA256', { ...ecdsa, digest: 'sha256' }],
  ['ECDSA-SHA384', { ...ecdsa, digest: 'sha384' }],
  ['ECDSA-SHA512', { ...ecdsa, digest: 'sha512' }],
  ['Ed25519', { key: 'Ed25519', scheme: 'ed25519', failure: 'x509: Ed25519 verification failure' }],
] satisfies readonly (readonly [SignatureAlgorithm, Method])[]);

/** Algorithms whose digests can be forged. */
const insecureAlgorithms: ReadonlySet<SignatureAlgorithm> = new Set([
  'MD5-RSA',
  'SHA1-RSA',
  'DSA-SHA1',
  'ECDSA-SHA1',
]);

/** The minimum size of an RSA key. */
const minRsaBits = 1024;
const maxRsaExponent = 2n ** 31n - 1n;

const rsaProblem = (modulus: bigint, exponent: bigint): string | undefined => {
  const bits = modulus.toString(2).length;
  if (bits < minRsaBits)
    return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  if (modulus % 2n === 0n) return 'crypto/rsa: public modulus is even';
  if (exponent < 2n) return 'crypto/rsa: public exponent too small or negative';
  if (exponent % 2n === 0n) return 'crypto/rsa: public exponent is even';
  return exponent > maxRsaExponent ? 'crypto/rsa: public exponent too large' : undefined;
};
