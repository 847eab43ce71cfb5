/**
 * Verifies signatures with OpenSSL. A key is prepared once. Verifications of up to about a
 * millisecond (RSA up to 3072 bits, P-256, P-384) run on the calling thread: handing them to
 * another thread costs more processor time than it saves (with P-384 in the pool, a mix of tokens
 * cost 20 % more). Longer ones run in the thread pool.
 */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { publicMembers } from '../formats/public-jwk.ts';
import type { PreparedKey, Signatures } from '../ports/signatures.ts';

/**
 * Limits for RSA keys and signatures.
 *
 * @example
 * ```ts
 * const signatures: SignatureOptions = { rsaKeys: 'any', pssSalt: 'any' };
 * const ports = nodePorts({ signatures });
 * ```
 */
export interface SignatureOptions {
  /**
   * `bounded`: 2048 to 8192 bits and a public exponent of up to 31 bits. `any`: whatever
   * kube-apiserver accepts.
   */
  readonly rsaKeys?: 'bounded' | 'any';
  /** `digest`: as long as the digest (RFC 7518, 3.5). `any`: whatever kube-apiserver accepts. */
  readonly pssSalt?: 'digest' | 'any';
}

/** Returns a verifier for signatures of tokens. */
export const nodeSignatures = (options: SignatureOptions = {}): Signatures => {
  const verifyInline = inlineVerifier();
  return {
    prepare(jwk) {
      const key = createPublicKey({ key: publicMembers(jwk), format: 'jwk' });
      if (key.asymmetricKeyType === 'rsa') return prepareRsaKey(key, options, verifyInline);
      if (key.asymmetricKeyType === 'ec') return prepareEcKey(key, verifyInline);
      throw new Error(`key type ${JSON.stringify(jwk.kty)} cannot verify signatures`);
    },
  };
};

const minRsaBits = 2048;
const maxRsaBits = 8192;
const maxRsaExponent = 2n ** 31n - 1n;
/** The minimum of Go's crypto/rsa, which kube-apiserver uses. */
const goMinRsaBits = 1024;
/** Largest key for which a verification costs less than switching to another thread and back. */
const maxInlineRsaBits = 3072;

/** Digest and curve of each elliptic curve algorithm. */
const ecAlgorithms: ReadonlyMap<string, { digest: string; curve: string }> = new Map([
  ['ES256', { digest: 'sha256', curve: 'P-256' }],
  ['ES384', { digest: 'sha384', curve: 'P-384' }],
  ['ES512', { digest: 'sha512', curve: 'P-521' }],
]);

const rsaAlgorithms: ReadonlyMap<string, { digest: string; padding: 'pkcs1' | 'pss' }> = new Map([
  ['RS256', { digest: 'sha256', padding: 'pkcs1' }],
  ['RS384', { digest: 'sha384', padding: 'pkcs1' }],
  ['RS512', { digest: 'sha512', padding: 'pkcs1' }],
  ['PS256', { digest: 'sha256', padding: 'pss' }],
  ['PS384', { digest: 'sha384', padding: 'pss' }],
  ['PS512', { digest: 'sha512', padding: 'pss' }],
]);

const curveNames: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

const prepareRsaKey = (
  key: KeyObject,
  options: SignatureOptions,
  verifyInline: InlineVerifier,
): PreparedKey => {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n;
  if (options.rsaKeys === 'any') rejectUnsafeRsa(bits, goMinRsaBits, Number.POSITIVE_INFINITY);
  else rejectUnsafeRsa(bits, minRsaBits, maxRsaBits);
  if (exponent < 3n || exponent > maxRsaExponent || exponent % 2n === 0n) {
    throw new Error('RSA public exponent is even, too small or too large');
  }
  const pss = {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength:
      options.pssSalt === 'any' ? constants.RSA_PSS_SALTLEN_AUTO : constants.RSA_PSS_SALTLEN_DIGEST,
  };
  const check = bits <= maxInlineRsaBits ? verifyInline : verifyInThreadPool;
  const length = Math.ceil(bits / 8);
  return {
    keyType: 'RSA',
    verify(algorithm, signingInput, signature) {
      const parameters = rsaAlgorithms.get(algorithm);
      // OpenSSL accepts a PSS signature without its leading zeros; RFC 8017, 8.1.2 and
      // kube-apiserver do not.
      if (parameters === undefined || signature.length !== length) return false;
      // A bare key selects PKCS #1 v1.5, and costs less than explicit options.
      const prepared = parameters.padding === 'pss' ? pss : key;
      return check(parameters.digest, prepared, signingInput, signature);
    },
  };
};

const rejectUnsafeRsa = (bits: number, least: number, most: number): void => {
  if (bits < least) throw new Error(`RSA key of ${bits} bits is shorter than ${least}`);
  if (bits > most) throw new Error(`RSA key of ${bits} bits is longer than ${most}`);
};

const prepareEcKey = (key: KeyObject, verifyInline: InlineVerifier): PreparedKey => {
  const curve = curveNames.get(key.asymmetricKeyDetails?.namedCurve ?? '');
  if (curve === undefined) throw new Error('elliptic curve must be P-256, P-384 or P-521');
  const prepared = { key, dsaEncoding: 'ieee-p1363' as const };
  const check = curve === 'P-521' ? verifyInThreadPool : verifyInline;
  return {
    keyType: 'EC',
    curve,
    verify(algorithm, signingInput, signature) {
      const parameters = ecAlgorithms.get(algorithm);
      if (parameters?.curve !== curve) return false;
      return check(parameters.digest, prepared, signingInput, signature);
    },
  };
};

type VerifyKey = Parameters<typeof verify>[2];

type InlineVerifier = (
  digest: string,
  key: VerifyKey,
  signingInput: string,
  signature: Uint8Array,
) => boolean;

/** Size of the buffer for the signing input of inline verifications, which avoids garbage. */
const scratchBytes = 16_384;

const inlineVerifier = (): InlineVerifier => {
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  return (digest, key, signingInput, signature) => {
    // UTF-8 and not Latin-1: different strings must not have the same bytes.
    const input =
      signingInput.length * 3 <= scratchBytes
        ? scratch.subarray(0, scratch.write(signingInput, 'utf8'))
        : Buffer.from(signingInput, 'utf8');
    try {
      return verify(digest, input, key, signature);
    } catch {
      return false; // OpenSSL could not even read it: not a signature of this key.
    }
  };
};

const verifyInThreadPool = (
  digest: string,
  key: VerifyKey,
  signingInput: string,
  signature: Uint8Array,
): Promise<boolean> =>
  new Promise((resolve) => {
    const input = Buffer.from(signingInput, 'utf8');
    verify(digest, input, key, signature, (cause, holds) => {
      resolve(cause === null && holds);
    });
  });
