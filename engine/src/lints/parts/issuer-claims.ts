/** The claims that large issuers send, as their documentation lists them. */
import { isEntra } from './entra.ts';

export interface IssuerClaims {
  readonly title: string;
  /** Claims that every token has, if the client requests them. */
  readonly always: readonly string[];
  /** Claims that only some tokens have, and which. */
  readonly sometimes: ReadonlyMap<string, string>;
  /** Whether the issuer sends no other claims. */
  readonly isComplete: boolean;
}

/** Returns the claims of an issuer, if they are known. */
export const issuerClaims = (url: string): IssuerClaims | undefined => {
  if (url === 'https://token.actions.githubusercontent.com') return gitHubActions;
  if (url === 'https://accounts.google.com') return google;
  if (isEntra(url)) return entra;
  const cluster = clusters.find(({ pattern }) => pattern.test(url));
  return cluster && serviceAccountClaims(cluster.title);
};

const standard = ['iss', 'sub', 'aud', 'exp', 'iat'];

// docs.github.com/actions/reference/security/oidc
const gitHubActions: IssuerClaims = {
  title: 'GitHub Actions',
  always: [
    ...standard,
    ...'nbf jti ref ref_type ref_protected sha repository repository_id'.split(' '),
    ...'repository_owner repository_owner_id repository_visibility'.split(' '),
    ...'run_id run_number run_attempt runner_environment actor actor_id'.split(' '),
    ...'workflow workflow_ref workflow_sha job_workflow_ref job_workflow_sha'.split(' '),
    ...'head_ref base_ref event_name check_run_id'.split(' '),
  ],
  sometimes: new Map([
    ['environment', 'only for jobs that name an environment'],
    ['environment_node_id', 'only for jobs that name an environment'],
    ['enterprise', 'only for repositories of an enterprise'],
    ['enterprise_id', 'only for repositories of an enterprise'],
    ['issuer_scope', 'only for issuers of an enterprise'],
  ]),
  isComplete: true,
};

// developers.google.com/identity/openid-connect/openid-connect
const google: IssuerClaims = {
  title: 'Google',
  always: [
    ...standard,
    ...'email email_verified name given_name family_name picture profile locale'.split(' '),
    ...'at_hash azp nonce nbf jti auth_time'.split(' '),
  ],
  sometimes: new Map([['hd', 'only for accounts of an organization']]),
  isComplete: true,
};

// learn.microsoft.com/entra/identity-platform/id-token-claims-reference and optional-claims-reference
const entra: IssuerClaims = {
  title: 'Microsoft Entra ID',
  always: [...standard, 'nbf', 'oid', 'tid', 'ver'],
  sometimes: new Map([
    ['email', 'only to users who have an address, and not for applications'],
    ['upn', 'only if it is configured as an optional claim, and not for guests'],
    ['preferred_username', 'only in tokens of version 2.0, and not for applications'],
    ['unique_name', 'only in tokens of version 1.0'],
  ]),
  isComplete: false,
};

/** Services whose clusters issue service account tokens with a known issuer. */
const clusters: readonly { readonly title: string; readonly pattern: RegExp }[] = [
  {
    title: 'Amazon EKS',
    // docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
    pattern: /^https:\/\/oidc[.-]eks\.[a-z\d-]+\.(?:amazonaws\.com(?:\.cn)?|api\.aws)\/id\/\w+$/,
  },
  {
    title: 'Google Kubernetes Engine',
    // cloud.google.com/kubernetes-engine/docs/concepts/workload-identity
    pattern:
      /^https:\/\/container\.googleapis\.com\/v1\/projects\/[^/]+\/(?:locations|zones)\/[^/]+\/clusters\/[^/]+$/,
  },
];

// kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens
const serviceAccountClaims = (title: string): IssuerClaims => ({
  title,
  always: [...standard, 'nbf', 'jti', 'kubernetes.io'],
  sometimes: new Map(),
  isComplete: true,
});
