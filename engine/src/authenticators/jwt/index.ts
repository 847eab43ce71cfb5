/** Exports of the JWT authenticator. */
export {
  authenticateJwt,
  type JwtAuthenticators,
  type JwtOptions,
} from './authenticate.ts';
export { stringList } from './claim-values.ts';
export { flags, type OidcSettings, oidcWarnings, readOidc } from './config.ts';
export { explainJwt } from './explain.ts';
export type { KeyRefetch } from './issuer-keys.ts';
export {
  type LinkedExpression,
  type LinkedMapping,
  linkMapping,
  type PlanExpression,
} from './link-mapping.ts';
export { type MappingOutcome, mapClaims } from './map-claims.ts';
export { type MappingTrace, traceMapping } from './mapping-trace.ts';
