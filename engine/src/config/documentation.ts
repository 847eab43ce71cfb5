/** Links to the Kubernetes documentation. */

/** The section of the Kubernetes documentation about this file. */
export const configurationDocs =
  'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration';
