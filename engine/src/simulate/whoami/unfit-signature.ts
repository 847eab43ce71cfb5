/** The rejection of a token whose signature no key of its issuer verifies. */
import { signatureInvalid, verifyPrefix } from '../../authenticators/jwt/rejections.ts';
import type { Rejection } from '../../model/decision.ts';

/**
 * The rejection as the server logs it. It has no place, since no field of the configuration causes
 * it.
 */
export const unfitSignature: Rejection = {
  code: signatureInvalid.code,
  message: verifyPrefix + signatureInvalid.text(),
};
