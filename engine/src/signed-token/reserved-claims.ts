/** Claims whose names are fixed: a claim with another name has another meaning. */

/** Returns why a name is fixed; `undefined` if the issuer chose it. */
export const reservedClaimReason = (name: string): string | undefined => {
  if (readByServer.has(name)) return `kube-apiserver reads the claim "${name}" by this name`;
  return registered.has(name) ? `RFC 7519 defines the name of the claim "${name}"` : undefined;
};

/**
 * Claims that determine validity and the authenticator, distributed claims, and the verification of
 * email addresses.
 */
const readByServer: ReadonlySet<string> = new Set(
  'iss aud exp nbf iat email email_verified _claim_names _claim_sources'.split(' '),
);
const registered: ReadonlySet<string> = new Set(['sub', 'jti']);
