/** The door for those who hold a token and a key set: whether they fit. Pure, and little code. */
export { checkSignature, type SignatureCheck } from '../simulate/whoami/check-signature.ts';
