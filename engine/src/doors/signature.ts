/**
 * The entry point for verifying a token's signature with a key set. It is platform-independent and
 * small.
 */
export { checkSignature, type SignatureCheck } from '../simulate/whoami/check-signature.ts';
