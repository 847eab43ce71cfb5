/**
 * Issuers that give tokens to everyone who registers, and the claims that a stranger's tokens have.
 * The claims are those of the issuers' own documentation.
 */
import type { PossibleToken } from '../../diagnostics/evidence.ts';

export interface PublicIssuer {
  /** `GitHub Actions` */
  readonly title: string;
  /** Whose tokens are accepted: `every workflow on GitHub`. */
  readonly everyone: string;
  /** The claims that name the owner of a token; the first is the one to recommend. */
  readonly ownerClaims: readonly string[];
  /** False if registration can be restricted at the issuer, or by the audience. */
  readonly isAlwaysOpen: boolean;
  /** Whether administrators of your own assign groups at the issuer. */
  readonly isOwnTenant?: true;
  /** Tokens of a stranger; `others` are the claims that the stranger chooses. */
  readonly strangers: readonly PossibleToken[];
}

/** Returns the issuer with a URL, if it is public. */
export const publicIssuer = (url: string): PublicIssuer | undefined =>
  issuers.find(([pattern]) => pattern.test(url))?.[1];

const times = ['iat', 'nbf', 'exp', 'jti', 'auth_time', 'nonce', 'at_hash'];
const profile = ['name', 'given_name', 'family_name', 'nickname', 'picture', 'locale', 'profile'];
const mail = 'stranger@example.net';

// docs.github.com/actions/reference/security/oidc
const gitHubActions: PublicIssuer = {
  title: 'GitHub Actions',
  everyone: 'every workflow on GitHub',
  ownerClaims: [
    'repository_owner_id',
    'repository_owner',
    'repository_id',
    'repository',
    'sub',
    'job_workflow_ref',
    'workflow_ref',
    'actor',
    'actor_id',
    'enterprise',
    'enterprise_id',
  ],
  isAlwaysOpen: true,
  strangers: [
    {
      claims: {
        sub: 'repo:stranger/code:ref:refs/heads/main',
        repository: 'stranger/code',
        repository_owner: 'stranger',
        repository_id: '1000000001',
        repository_owner_id: '1000000002',
        actor: 'stranger',
        actor_id: '1000000002',
        workflow_ref: 'stranger/code/.github/workflows/ci.yaml@refs/heads/main',
        job_workflow_ref: 'stranger/code/.github/workflows/ci.yaml@refs/heads/main',
      },
      others: [
        ...times,
        ...'ref ref_type ref_protected sha run_id run_number run_attempt'.split(' '),
        ...'runner_environment workflow workflow_sha job_workflow_sha head_ref'.split(' '),
        ...'base_ref event_name environment environment_node_id'.split(' '),
        ...'repository_visibility check_run_id'.split(' '),
      ],
    },
  ],
};

// docs.gitlab.com/ci/secrets/id_token_authentication, docs.gitlab.com/integration/openid_connect_provider
const gitLab: PublicIssuer = {
  title: 'GitLab.com',
  everyone: 'every user and every CI job of GitLab.com',
  ownerClaims: [
    'namespace_id',
    'namespace_path',
    'project_id',
    'project_path',
    'sub',
    'user_id',
    'user_login',
    'user_email',
    'groups',
    'groups_direct',
    'email',
    'ci_config_ref_uri',
  ],
  isAlwaysOpen: true,
  strangers: [
    {
      claims: {
        sub: 'project_path:stranger/code:ref_type:branch:ref:main',
        namespace_id: '1000000001',
        namespace_path: 'stranger',
        project_id: '1000000002',
        project_path: 'stranger/code',
        user_id: '1000000003',
        user_login: 'stranger',
        user_email: mail,
        ci_config_ref_uri: 'gitlab.com/stranger/code//.gitlab-ci.yml@refs/heads/main',
      },
      others: [
        ...times,
        ...'ref ref_type ref_path ref_protected environment environment_protected'.split(' '),
        ...'deployment_tier environment_action runner_id runner_environment sha'.split(' '),
        ...'pipeline_id pipeline_source job_id project_visibility ci_config_sha'.split(' '),
        'user_access_level',
      ],
    },
    {
      claims: {
        sub: '1000000003',
        email: mail,
        email_verified: true,
        preferred_username: 'stranger',
        groups: ['stranger'],
        groups_direct: ['stranger'],
      },
      others: [...times, ...profile, 'website'],
    },
  ],
};

// developers.google.com/identity/openid-connect/openid-connect
const google: PublicIssuer = {
  title: 'Google',
  everyone: 'every Google account that signs in to this client',
  ownerClaims: ['hd', 'email', 'sub'],
  isAlwaysOpen: false,
  strangers: [
    {
      claims: {
        sub: '100000000000000000001',
        email: 'stranger@gmail.com',
        email_verified: true,
      },
      others: [...times, ...profile, 'azp'],
    },
  ],
};

const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

// learn.microsoft.com/entra/identity-platform/id-token-claims-reference
const microsoftAccounts: PublicIssuer = {
  title: 'the tenant of personal Microsoft accounts',
  everyone: 'every personal Microsoft account that signs in to this application',
  ownerClaims: ['oid', 'sub', 'email', 'preferred_username'],
  isAlwaysOpen: false,
  strangers: [
    {
      claims: {
        sub: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        oid: '00000000-0000-0000-0000-000000000001',
        tid: consumerTenant,
        email: 'stranger@outlook.com',
        preferred_username: 'stranger@outlook.com',
      },
      others: [...times, ...profile, 'ver', 'aio', 'rh', 'uti', 'azp', 'azpacr'],
    },
  ],
};

// auth0.com/docs/secure/tokens/id-tokens/id-token-structure
const auth0: PublicIssuer = {
  title: 'Auth0',
  everyone: 'everyone who signs up at this Auth0 tenant, which is open by default,',
  ownerClaims: ['org_id', 'org_name', 'email', 'sub', 'permissions', 'azp'],
  isAlwaysOpen: false,
  isOwnTenant: true,
  strangers: [
    {
      claims: { sub: 'auth0|000000000000000000000001', email: mail, email_verified: true },
      others: [...times, ...profile, 'sid', 'updated_at', 'scope', 'azp'],
    },
  ],
};

// developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens
const terraform: PublicIssuer = {
  title: 'HCP Terraform',
  everyone: 'every workspace of every organization on HCP Terraform',
  ownerClaims: [
    'terraform_organization_id',
    'terraform_organization_name',
    'terraform_project_id',
    'terraform_project_name',
    'terraform_workspace_id',
    'terraform_workspace_name',
    'terraform_full_workspace',
    'sub',
  ],
  isAlwaysOpen: true,
  strangers: [
    {
      claims: {
        sub: 'organization:stranger:project:code:workspace:main:run_phase:apply',
        terraform_organization_id: 'org-0000000000000001',
        terraform_organization_name: 'stranger',
        terraform_project_id: 'prj-0000000000000001',
        terraform_project_name: 'code',
        terraform_workspace_id: 'ws-0000000000000001',
        terraform_workspace_name: 'main',
        terraform_full_workspace: 'organization:stranger:project:code:workspace:main',
      },
      others: [...times, 'terraform_run_id', 'terraform_run_phase'],
    },
  ],
};

// buildkite.com/docs/pipelines/security/oidc
const buildkite: PublicIssuer = {
  title: 'Buildkite',
  everyone: 'every pipeline of every organization on Buildkite',
  ownerClaims: ['organization_id', 'organization_slug', 'pipeline_id', 'pipeline_slug', 'sub'],
  isAlwaysOpen: true,
  strangers: [
    {
      claims: {
        sub: 'organization:stranger:pipeline:code:ref:refs/heads/main',
        organization_id: '00000000-0000-0000-0000-000000000001',
        organization_slug: 'stranger',
        pipeline_id: '00000000-0000-0000-0000-000000000002',
        pipeline_slug: 'code',
      },
      others: [
        ...times,
        ...'build_number build_branch build_tag build_commit build_source step_key'.split(' '),
        ...'job_id agent_id runner_environment'.split(' '),
      ],
    },
  ],
};

// docs.sigstore.dev/certificate_authority/oidc-in-fulcio
const sigstore: PublicIssuer = {
  title: 'Sigstore',
  everyone: 'everyone with an account at GitHub, Google or Microsoft',
  ownerClaims: ['email', 'sub'],
  isAlwaysOpen: true,
  strangers: [
    {
      claims: { sub: 'CgMxMDASCGdpdGh1Yi0t', email: mail, email_verified: true },
      others: [...times, 'federated_claims'],
    },
  ],
};

// developer.apple.com/documentation/signinwithapple
const apple: PublicIssuer = {
  title: 'Apple',
  everyone: 'every Apple account that signs in to this client',
  ownerClaims: ['sub', 'email'],
  isAlwaysOpen: false,
  strangers: [
    {
      claims: {
        sub: '000001.00000000000000000000000000000001.0001',
        email: mail,
        email_verified: true,
      },
      others: [...times, 'is_private_email', 'real_user_status', 'nonce_supported'],
    },
  ],
};

// docs.slack.dev/authentication/sign-in-with-slack
const slack: PublicIssuer = {
  title: 'Slack',
  everyone: 'every member of every Slack workspace that installs this application',
  ownerClaims: ['https://slack.com/team_id', 'email', 'sub'],
  isAlwaysOpen: false,
  strangers: [
    {
      claims: {
        sub: 'U0000000001',
        'https://slack.com/user_id': 'U0000000001',
        'https://slack.com/team_id': 'T0000000001',
        'https://slack.com/team_domain': 'stranger',
        email: mail,
        email_verified: true,
      },
      others: [...times, ...profile],
    },
  ],
};

const issuers: readonly (readonly [pattern: RegExp, issuer: PublicIssuer])[] = [
  [/^https:\/\/token\.actions\.githubusercontent\.com$/, gitHubActions],
  [/^https:\/\/gitlab\.com$/, gitLab],
  [/^https:\/\/accounts\.google\.com$/, google],
  [
    new RegExp(`^https://(?:login\\.microsoftonline\\.com|sts\\.windows\\.net)/${consumerTenant}/`),
    microsoftAccounts,
  ],
  [/^https:\/\/[\w-]+(?:\.[a-z]{2}(?:-\d)?)?\.auth0\.com\/$/, auth0],
  [/^https:\/\/app\.terraform\.io$/, terraform],
  [/^https:\/\/agent\.buildkite\.com$/, buildkite],
  [/^https:\/\/oauth2\.sigstore\.dev\/auth$/, sigstore],
  [/^https:\/\/appleid\.apple\.com$/, apple],
  [/^https:\/\/slack\.com$/, slack],
];
