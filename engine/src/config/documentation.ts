/** Where the real server's documentation of the file stands, for people who want more than a sentence. */

/** The page of the real server's documentation about this file. */
export const configurationDocs =
  'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration';
