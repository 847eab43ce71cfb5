/** Claims whose names nobody can choose: a token that calls them otherwise is another token. */

/** Why the name is fixed; `undefined` for a name that an issuer chose. */
export const reservedClaimReason = (name: string): string | undefined => {
  if (readByServer.has(name)) return `the server itself reads the claim "${name}" by this name`;
  return registered.has(name) ? `every token calls this claim "${name}" (RFC 7519)` : undefined;
};

/** Validity, the choice of the authenticator, distributed claims, and who may be named by an address. */
const readByServer: ReadonlySet<string> = new Set(
  'iss aud exp nbf iat email email_verified _claim_names _claim_sources'.split(' '),
);
const registered: ReadonlySet<string> = new Set(['sub', 'jti']);
