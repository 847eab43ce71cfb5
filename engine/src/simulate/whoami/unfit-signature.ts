/** The rejection of a token whose signature no key of its issuer verifies. */
import { noMatchingKey } from '../../authenticators/jwt/issuer-keys.ts';
import type { Rejection } from '../../model/decision.ts';

/**
 * The rejection as the server logs it. It has no place, since no field of the configuration causes
 * it.
 */
export const unfitSignature: Rejection = {
  code: 'AG5006',
  message: `oidc: verify token: failed to verify signature: ${noMatchingKey}`,
};
