/** Exports of the service account token authenticator. */
export { authenticateServiceAccountToken } from './authenticate.ts';
export { type NewTokenClaims, newTokenPayload, signToken } from './claims.ts';
export { compileServiceAccountToken, type ServiceAccountTokenMaterial } from './compile.ts';
export {
  expirationProblem,
  flags,
  readServiceAccounts,
  type ServiceAccountSettings,
  validateAccountGates,
  validateServiceAccounts,
} from './config.ts';
export { explainServiceAccountToken } from './explain.ts';
export type { ServiceAccountTokenNode } from './node.ts';
export {
  decideTokenRequest,
  type TokenRequest,
  type TokenRequestContext,
  type TokenRequestOutcome,
} from './token-request.ts';
export {
  type AccountTokenRules,
  accountTokenRules,
  type UidMismatchRule,
  uidMismatchRule,
} from './token-rules.ts';
