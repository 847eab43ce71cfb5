/** The refusal of a token whose signature fits no key of its issuer. */
import { noMatchingKey } from '../../authenticators/jwt/issuer-keys.ts';
import type { Rejection } from '../../model/decision.ts';

/** As the server logs it. No field of the configuration is to blame, so it has no place. */
export const unfitSignature: Rejection = {
  code: 'AG5006',
  message: `oidc: verify token: failed to verify signature: ${noMatchingKey}`,
};
