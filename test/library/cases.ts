/** The tokens with which the library is tested, and the users that they become. */

export interface LibraryCase {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The expected user without the group of all users; `null` if the token is rejected. */
  readonly user: { readonly username: string; readonly groups: readonly string[] } | null;
}

/** The cases of each configuration, by the name of its file. */
export const libraryCases: ReadonlyMap<string, readonly LibraryCase[]> = new Map([
  [
    'kubernetes-reference',
    [
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'my-app',
          hd: 'example.com',
          username: 'foo',
          roles: 'user,admin',
          exp: 1703232949,
          nbf: 1703146549,
          tenant: '72f988bf',
          sub: 'auth',
        },
        user: { username: 'foo:external-user', groups: ['user', 'admin'] },
      },
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'my-app',
          hd: 'example.org',
          username: 'foo',
          roles: 'user',
          exp: 1703232949,
          nbf: 1703146549,
          tenant: 'x',
          sub: 'auth',
        },
        user: null,
      },
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'other',
          hd: 'example.com',
          username: 'foo',
          roles: 'user',
          exp: 1703232949,
          nbf: 1703146549,
          tenant: 'x',
          sub: 'auth',
        },
        user: null,
      },
    ],
  ],
  ['kubernetes-anonymous', []],
  [
    'kubernetes-blog',
    [
      {
        claims: {
          iss: 'https://issuer1.example.com',
          aud: 'audience1',
          hd: 'example.com',
          username: 'ada',
          groups: ['dev'],
          tenant: 't',
          sub: '1',
        },
        user: { username: 'ada', groups: ['dev'] },
      },
      {
        claims: {
          iss: 'https://issuer1.example.com',
          aud: 'audience1',
          hd: 'example.com',
          username: 'system:admin',
          groups: [],
          tenant: 't',
          sub: '1',
        },
        user: null,
      },
      {
        claims: {
          iss: 'https://issuer2.example.com',
          aud: 'audience3',
          username: 'system:admin',
          groups: [],
          sub: '1',
        },
        user: { username: 'system:admin', groups: [] },
      },
    ],
  ],
  [
    'keycloak-flags',
    [
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'kubernetes',
          sub: 'f3a1',
          preferred_username: 'ada',
          groups: ['/platform'],
        },
        user: { username: 'oidc:ada', groups: ['oidc:/platform'] },
      },
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'kubernetes',
          sub: 'f3a1',
          groups: ['/platform'],
        },
        user: null,
      },
    ],
  ],
  [
    'keycloak-unprefixed',
    [
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'kubernetes',
          sub: 'f3a1',
          groups: ['system:masters'],
        },
        user: { username: 'keycloak:f3a1', groups: ['system:masters'] },
      },
    ],
  ],
  [
    'keycloak-account',
    [
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'account',
          sub: 'f3a1',
          azp: 'any-client',
        },
        user: { username: 'keycloak:f3a1', groups: [] },
      },
    ],
  ],
  [
    'keycloak-client-roles',
    [
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'account',
          sub: 'f3a1',
          azp: 'kubernetes',
          resource_access: { kubernetes: { roles: ['admin'] } },
        },
        user: { username: 'keycloak:f3a1', groups: ['keycloak:admin'] },
      },
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'account',
          sub: 'f3a1',
          azp: 'grafana',
        },
        user: null,
      },
    ],
  ],
  [
    'dex-kubectl',
    [
      {
        claims: {
          iss: 'https://dex.example.com:32000',
          aud: 'example-app',
          sub: 'Cg',
          email: 'ada@example.com',
          email_verified: true,
          groups: ['dev'],
        },
        user: { username: 'oidc:ada@example.com', groups: ['oidc:dev'] },
      },
      {
        claims: {
          iss: 'https://dex.example.com:32000',
          aud: 'example-app',
          sub: 'Cg',
          email: 'ada@example.com',
          email_verified: false,
        },
        user: null,
      },
    ],
  ],
  [
    'dex-kcp',
    [
      {
        claims: {
          iss: 'https://127.0.0.1:5556/dex',
          aud: 'kcp-dev',
          sub: '1',
          email: 'ada@example.com',
          groups: ['dev'],
        },
        user: { username: 'ada@example.com', groups: ['dev'] },
      },
    ],
  ],
  [
    'dex-verified',
    [
      {
        claims: {
          iss: 'https://dex.example.com',
          aud: 'kubectl',
          sub: '1',
          email_verified: true,
          federated_claims: { connector_id: 'ldap', user_id: 'ada' },
          groups: ['dev'],
        },
        user: { username: 'dex:ada', groups: ['dex:dev'] },
      },
      {
        claims: {
          iss: 'https://dex.example.com',
          aud: 'kubectl',
          sub: '1',
          email_verified: true,
          federated_claims: { connector_id: 'github', user_id: 'ada' },
        },
        user: null,
      },
    ],
  ],
  [
    'okta-org',
    [
      {
        claims: {
          iss: 'https://example.okta.com',
          aud: '0oa1example2client',
          sub: '00u1',
          groups: ['k8s-admins'],
        },
        user: { username: 'okta:00u1', groups: ['okta:k8s-admins'] },
      },
    ],
  ],
  [
    'okta-default-server',
    [
      {
        claims: {
          iss: 'https://example.okta.com/oauth2/default',
          aud: 'api://default',
          uid: '00u1',
          sub: 'ada@example.com',
          cid: 'any',
        },
        user: { username: 'okta:00u1', groups: [] },
      },
    ],
  ],
  [
    'okta-client',
    [
      {
        claims: {
          iss: 'https://example.okta.com/oauth2/default',
          aud: 'api://default',
          uid: '00u1',
          cid: '0oa1example2client',
        },
        user: { username: 'okta:00u1', groups: [] },
      },
      {
        claims: {
          iss: 'https://example.okta.com/oauth2/default',
          aud: 'api://default',
          uid: '00u1',
          cid: 'another',
        },
        user: null,
      },
    ],
  ],
  [
    'auth0-roles',
    [
      {
        claims: {
          iss: 'https://example.eu.auth0.com/',
          aud: 'cluster-client',
          sub: 'auth0|5f7c',
          'https://example.com/roles': ['dev'],
        },
        user: { username: 'auth0:auth0|5f7c', groups: ['auth0:dev'] },
      },
      {
        claims: { iss: 'https://example.eu.auth0.com/', aud: 'cluster-client', sub: 'auth0|5f7c' },
        user: null,
      },
    ],
  ],
  [
    'auth0-organization',
    [
      {
        claims: {
          iss: 'https://example.eu.auth0.com/',
          aud: 'cluster-client',
          sub: 'auth0|5f7c',
          org_id: 'org_9ybsU1dN2dKfDkBi',
        },
        user: { username: 'auth0:auth0|5f7c', groups: [] },
      },
      {
        claims: { iss: 'https://example.eu.auth0.com/', aud: 'cluster-client', sub: 'auth0|5f7c' },
        user: null,
      },
    ],
  ],
  [
    'entra-object-id',
    [
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
          tid: '11111111-2222-3333-4444-555555555555',
          groups: ['aaaa'],
        },
        user: { username: 'entra:0f0f', groups: ['entra:aaaa'] },
      },
    ],
  ],
  [
    'entra-app-roles',
    [
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
          tid: '11111111-2222-3333-4444-555555555555',
          roles: ['admin'],
        },
        user: { username: 'entra:0f0f', groups: ['entra:admin'] },
      },
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
          tid: 'other',
        },
        user: null,
      },
    ],
  ],
  [
    'entra-email',
    [
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
          email: 'ada@example.com',
        },
        user: { username: 'entra:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
        },
        user: null,
      },
    ],
  ],
  [
    'entra-upn',
    [
      {
        claims: {
          iss: 'https://sts.windows.net/11111111-2222-3333-4444-555555555555/',
          aud: 'api://cluster',
          sub: 'A',
          upn: 'ada@example.com',
          groups: ['aaaa'],
        },
        user: { username: 'entra:ada@example.com', groups: ['aaaa'] },
      },
    ],
  ],
  [
    'entra-common',
    [
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '99999999-8888-7777-6666-555555555555',
          sub: 'A',
          oid: '0f0f',
        },
        user: null,
      },
    ],
  ],
  [
    'entra-graph-audience',
    [
      {
        claims: {
          iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          aud: '00000003-0000-0000-c000-000000000000',
          oid: '0f0f',
          appid: 'any',
        },
        user: { username: 'entra:0f0f', groups: [] },
      },
    ],
  ],
  [
    'google-workspace',
    [
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          hd: 'example.com',
          email: 'ada@example.com',
          email_verified: true,
        },
        user: { username: 'google:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          email: 'stranger@gmail.com',
          email_verified: true,
        },
        user: null,
      },
    ],
  ],
  [
    'google-everyone',
    [
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          email: 'stranger@gmail.com',
        },
        user: { username: 'google:1', groups: [] },
      },
    ],
  ],
  [
    'google-groups',
    [
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          hd: 'example.com',
          email: 'ada@example.com',
        },
        user: null,
      },
    ],
  ],
  [
    'google-cloud-sdk',
    [
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '32555940559.apps.googleusercontent.com',
          sub: '1',
          email: 'ada@example.com',
          email_verified: true,
        },
        user: { username: 'google:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '32555940559.apps.googleusercontent.com',
          sub: '1',
          email: 'ada@example.org',
          email_verified: true,
        },
        user: null,
      },
    ],
  ],
  [
    'github-actions-branch',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://github.com/octo-org',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/octo-repo',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
          repository_visibility: 'public',
          ref_type: 'branch',
        },
        user: { username: 'gh:repo:octo-org/shop:ref:refs/heads/main', groups: ['gh:octo-org'] },
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://github.com/octo-org',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'stranger/code',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
          repository_visibility: 'public',
          ref_type: 'branch',
        },
        user: null,
      },
    ],
  ],
  [
    'github-actions-owner',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: { username: 'github:repo:octo-org/shop:ref:refs/heads/main', groups: [] },
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '66',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: null,
      },
    ],
  ],
  [
    'github-actions-everyone',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'my-github-client',
          sub: 'repo:stranger/code:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: { username: 'github:repo:stranger/code:ref:refs/heads/main', groups: [] },
      },
    ],
  ],
  [
    'github-actions-owner-exists',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'stranger',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: { username: 'github:repo:octo-org/shop:ref:refs/heads/main', groups: [] },
      },
    ],
  ],
  [
    'github-actions-environment',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
          environment: 'production',
        },
        user: { username: 'github:octo-org/shop:production', groups: [] },
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: null,
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'pull_request_target',
          ref: 'refs/heads/main',
          environment: 'production',
        },
        user: null,
      },
    ],
  ],
  [
    'github-actions-workflow',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
          job_workflow_ref: 'octo-org/deploy/.github/workflows/deploy.yaml@refs/heads/main',
        },
        user: { username: 'github:octo-org/shop', groups: [] },
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'https://cluster.example.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
          job_workflow_ref: 'stranger/deploy/.github/workflows/deploy.yaml@refs/heads/main',
        },
        user: null,
      },
    ],
  ],
  [
    'github-actions-aws-audience',
    [
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'sts.amazonaws.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'octo-org',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: { username: 'github:repo:octo-org/shop:ref:refs/heads/main', groups: [] },
      },
      {
        claims: {
          iss: 'https://token.actions.githubusercontent.com',
          aud: 'sts.amazonaws.com',
          sub: 'repo:octo-org/shop:ref:refs/heads/main',
          repository: 'octo-org/shop',
          repository_owner: 'x',
          repository_owner_id: '65',
          event_name: 'push',
          ref: 'refs/heads/main',
        },
        user: null,
      },
    ],
  ],
  [
    'gitlab-group',
    [
      {
        claims: {
          iss: 'https://gitlab.com',
          aud: 'https://cluster.example.com',
          sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
          namespace_id: '72',
          namespace_path: 'example-group',
          project_id: '20',
          project_path: 'example-group/shop',
          ref: 'main',
          ref_protected: 'true',
        },
        user: { username: 'gitlab:example-group/shop', groups: ['gitlab:example-group'] },
      },
      {
        claims: {
          iss: 'https://gitlab.com',
          aud: 'https://cluster.example.com',
          sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
          namespace_id: '73',
          namespace_path: 'example-group',
          project_id: '20',
          project_path: 'example-group/shop',
          ref: 'main',
          ref_protected: 'true',
        },
        user: null,
      },
      {
        claims: {
          iss: 'https://gitlab.com',
          aud: 'https://cluster.example.com',
          sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
          namespace_id: '72',
          namespace_path: 'example-group',
          project_id: '20',
          project_path: 'example-group/shop',
          ref: 'main',
          ref_protected: 'false',
        },
        user: null,
      },
    ],
  ],
  [
    'gitlab-everyone',
    [
      {
        claims: {
          iss: 'https://gitlab.com',
          aud: 'https://cluster.example.com',
          sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
          namespace_id: '1',
          namespace_path: 'example-group',
          project_id: '20',
          project_path: 'example-group/shop',
          ref: 'main',
          ref_protected: 'true',
        },
        user: {
          username: 'gitlab:project_path:example-group/shop:ref_type:branch:ref:main',
          groups: [],
        },
      },
      {
        claims: {
          iss: 'https://gitlab.com',
          aud: 'https://cluster.example.com',
          sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
          namespace_id: '72',
          namespace_path: 'example-group',
          project_id: '20',
          project_path: 'example-group/shop',
          ref: 'main',
          ref_protected: 'false',
        },
        user: null,
      },
    ],
  ],
  [
    'gitlab-self-managed',
    [
      {
        claims: {
          iss: 'https://gitlab.example.com',
          aud: 'd0ca1e',
          sub: '7',
          nickname: 'ada',
          groups_direct: ['team'],
        },
        user: { username: 'gitlab:ada', groups: ['gitlab:team'] },
      },
    ],
  ],
  [
    'terraform-cloud',
    [
      {
        claims: {
          iss: 'https://app.terraform.io',
          aud: 'kubernetes',
          sub: 'organization:stranger:project:x',
          terraform_organization_name: 'stranger',
        },
        user: { username: 'tfc:organization:stranger:project:x', groups: ['tfc:stranger'] },
      },
    ],
  ],
  [
    'terraform-organization',
    [
      {
        claims: {
          iss: 'https://app.terraform.io',
          aud: 'kubernetes',
          sub: 'organization:o',
          terraform_organization_id: 'org-GRNbCjYNpBB6NEBH',
        },
        user: { username: 'tfc:organization:o', groups: [] },
      },
      {
        claims: {
          iss: 'https://app.terraform.io',
          aud: 'kubernetes',
          sub: 'organization:o',
          terraform_organization_id: 'org-x',
        },
        user: null,
      },
    ],
  ],
  [
    'buildkite-pipeline',
    [
      {
        claims: {
          iss: 'https://agent.buildkite.com',
          aud: 'https://cluster.example.com',
          sub: 'o',
          organization_slug: 'acme-inc',
          pipeline_slug: 'deploy',
          build_branch: 'main',
        },
        user: { username: 'buildkite:deploy', groups: [] },
      },
      {
        claims: {
          iss: 'https://agent.buildkite.com',
          aud: 'https://cluster.example.com',
          sub: 'o',
          organization_slug: 'stranger',
          pipeline_slug: 'deploy',
          build_branch: 'main',
        },
        user: null,
      },
    ],
  ],
  [
    'buildkite-branch',
    [
      {
        claims: {
          iss: 'https://agent.buildkite.com',
          aud: 'https://cluster.example.com',
          sub: 'o',
          organization_slug: 'stranger',
          pipeline_slug: 'deploy',
          build_branch: 'main',
        },
        user: { username: 'buildkite:deploy', groups: [] },
      },
    ],
  ],
  [
    'circleci',
    [
      {
        claims: {
          iss: 'https://oidc.circleci.com/org/11112222-3333-4444-5555-666677778888',
          aud: '11112222-3333-4444-5555-666677778888',
          sub: 'org/x',
          'oidc.circleci.com/project-id': 'p',
          'oidc.circleci.com/context-ids': ['deploy'],
        },
        user: { username: 'circleci:p', groups: [] },
      },
      {
        claims: {
          iss: 'https://oidc.circleci.com/org/11112222-3333-4444-5555-666677778888',
          aud: '11112222-3333-4444-5555-666677778888',
          sub: 'org/x',
          'oidc.circleci.com/project-id': 'p',
          'oidc.circleci.com/context-ids': [],
        },
        user: null,
      },
    ],
  ],
  [
    'bitbucket-pipelines',
    [
      {
        claims: {
          iss: 'https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc',
          aud: 'ari:cloud:bitbucket::workspace/1c3f',
          sub: '{r}:{s}',
          repositoryUuid: '{r}',
        },
        user: { username: 'bitbucket:{r}', groups: [] },
      },
    ],
  ],
  [
    'azure-pipelines',
    [
      {
        claims: {
          iss: 'https://vstoken.dev.azure.com/11111111-2222-3333-4444-555555555555',
          aud: 'api://AzureADTokenExchange',
          sub: 'sc://org/project/connection',
        },
        user: { username: 'azure-devops:sc://org/project/connection', groups: [] },
      },
    ],
  ],
  [
    'spire',
    [
      {
        claims: {
          iss: 'https://oidc-discovery.example.org',
          aud: 'cluster.example.org',
          sub: 'spiffe://example.org/ns/ci/sa/deploy',
        },
        user: { username: 'spiffe://example.org/ns/ci/sa/deploy', groups: [] },
      },
      {
        claims: {
          iss: 'https://oidc-discovery.example.org',
          aud: 'cluster.example.org',
          sub: 'spiffe://example.net/ns/ci/sa/deploy',
        },
        user: null,
      },
    ],
  ],
  [
    'eks-service-accounts',
    [
      {
        claims: {
          iss: 'https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
          aud: 'https://green.example.com',
          sub: 'system:serviceaccount:delivery:deployer',
          'kubernetes.io': {
            namespace: 'delivery',
            serviceaccount: { name: 'deployer', uid: 'u' },
          },
        },
        user: { username: 'blue:delivery:deployer', groups: [] },
      },
      {
        claims: {
          iss: 'https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
          aud: 'https://green.example.com',
          sub: 'x',
          'kubernetes.io': { namespace: 'x', serviceaccount: { name: 'y' } },
        },
        user: null,
      },
    ],
  ],
  [
    'gke-service-accounts',
    [
      {
        claims: {
          iss: 'https://container.googleapis.com/v1/projects/p/locations/europe-west1/clusters/blue',
          aud: 'https://kubernetes.default.svc',
          sub: 'system:serviceaccount:kube-system:admin',
        },
        user: { username: 'system:serviceaccount:kube-system:admin', groups: [] },
      },
    ],
  ],
  [
    'aks-service-accounts',
    [
      {
        claims: {
          iss: 'https://westeurope.oic.prod-aks.azure.com/11111111-2222-3333-4444-555555555555/66666666-7777-8888-9999-000000000000/',
          aud: 'api://AzureADTokenExchange',
          sub: 'system:serviceaccount:ci:deploy',
        },
        user: { username: 'aks:system:serviceaccount:ci:deploy', groups: [] },
      },
    ],
  ],
  [
    'vault-provider',
    [
      {
        claims: {
          iss: 'https://vault.example.com/v1/identity/oidc/provider/default',
          aud: 'kubernetes-client',
          sub: 'e-1',
          username: 'ada',
          groups: ['dev'],
        },
        user: { username: 'vault:ada', groups: ['vault:dev'] },
      },
    ],
  ],
  [
    'ping-one',
    [
      {
        claims: {
          iss: 'https://auth.pingone.eu/11111111-2222-3333-4444-555555555555/as',
          aud: 'cluster',
          sub: 'u1',
          groups: 'dev',
        },
        user: { username: 'ping:u1', groups: ['ping:dev'] },
      },
    ],
  ],
  [
    'onelogin',
    [
      {
        claims: {
          iss: 'https://example.onelogin.com/oidc/2',
          aud: 'cluster',
          sub: '1',
          preferred_username: 'ada',
          groups: ['dev'],
        },
        user: { username: 'onelogin:ada', groups: ['onelogin:dev'] },
      },
    ],
  ],
  [
    'jumpcloud',
    [
      {
        claims: {
          iss: 'https://oauth.id.jumpcloud.com/',
          aud: 'cluster',
          sub: '1',
          email: 'ada@example.com',
          email_verified: true,
          groups: ['dev'],
        },
        user: { username: 'jumpcloud:ada@example.com', groups: ['dev'] },
      },
      {
        claims: {
          iss: 'https://oauth.id.jumpcloud.com/',
          aud: 'cluster',
          sub: '1',
          email: 'ada@example.com',
          email_verified: false,
        },
        user: null,
      },
    ],
  ],
  [
    'authentik',
    [
      {
        claims: {
          iss: 'https://authentik.example.com/application/o/kubernetes/',
          aud: 'cluster',
          sub: 'h4sh',
          groups: ['dev'],
        },
        user: { username: 'authentik:h4sh', groups: ['authentik:dev'] },
      },
    ],
  ],
  [
    'authelia',
    [
      {
        claims: {
          iss: 'https://auth.example.com',
          aud: 'kube_login',
          sub: 'ab12',
          groups: ['dev'],
        },
        user: { username: 'https://auth.example.com#ab12', groups: ['dev'] },
      },
    ],
  ],
  [
    'zitadel',
    [
      {
        claims: {
          iss: 'https://example.zitadel.cloud',
          aud: '123456789@cluster',
          sub: '1',
          'urn:zitadel:iam:org:project:roles': { dev: { '1': 'example.com' } },
        },
        user: { username: 'zitadel:1', groups: ['zitadel:dev'] },
      },
    ],
  ],
  [
    'kanidm',
    [
      {
        claims: {
          iss: 'https://idm.example.com/oauth2/openid/kubernetes',
          aud: 'kubernetes',
          sub: 'u',
          preferred_username: 'ada@idm.example.com',
          groups: ['dev@idm.example.com'],
        },
        user: { username: 'kanidm:ada@idm.example.com', groups: ['kanidm:dev@idm.example.com'] },
      },
    ],
  ],
  [
    'ory-hydra',
    [
      {
        claims: {
          iss: 'https://example.projects.oryapis.com',
          aud: 'cluster',
          sub: 'u',
          ext: { groups: ['dev'] },
        },
        user: { username: 'ory:u', groups: ['ory:dev'] },
      },
    ],
  ],
  [
    'fusionauth',
    [
      {
        claims: {
          iss: 'https://acme.fusionauth.io',
          aud: '85a03867',
          sub: 'u',
          tid: '30663132',
          applicationId: '85a03867',
          roles: ['dev'],
        },
        user: { username: 'fusionauth:u', groups: ['fusionauth:dev'] },
      },
      {
        claims: {
          iss: 'https://acme.fusionauth.io',
          aud: '85a03867',
          sub: 'u',
          tid: 'other',
          applicationId: '85a03867',
        },
        user: null,
      },
    ],
  ],
  [
    'logto',
    [
      {
        claims: {
          iss: 'https://example.logto.app/oidc',
          aud: 'cluster',
          sub: 'u',
          organizations: ['org-1'],
        },
        user: { username: 'logto:u', groups: [] },
      },
      {
        claims: {
          iss: 'https://example.logto.app/oidc',
          aud: 'cluster',
          sub: 'u',
          organizations: ['org-2'],
        },
        user: null,
      },
    ],
  ],
  [
    'pinniped',
    [
      {
        claims: {
          iss: 'https://pinniped.example.com/issuer',
          aud: 'cluster-a-8f3a',
          sub: 'u',
          username: 'ada',
          groups: ['dev'],
        },
        user: { username: 'ada', groups: ['dev'] },
      },
    ],
  ],
  [
    'openunison',
    [
      {
        claims: {
          iss: 'https://k8sou.example.com/auth/idp/k8sIdp',
          aud: 'kubernetes',
          sub: 'ada',
          groups: ['dev'],
        },
        user: { username: 'ada', groups: ['dev'] },
      },
      {
        claims: {
          iss: 'https://k8sou.example.com/auth/idp/k8sIdp',
          aud: 'kubernetes',
          sub: 'ada',
          groups: ['system:masters'],
        },
        user: null,
      },
    ],
  ],
  [
    'gardener-shoot',
    [
      {
        claims: {
          iss: 'https://oidc.greenhouse.example.com',
          aud: 'greenhouse',
          sub: 'u',
          groups: ['dev'],
        },
        user: { username: 'greenhouse:u', groups: ['greenhouse:dev'] },
      },
    ],
  ],
  [
    'rancher',
    [
      {
        claims: {
          iss: 'https://rancher.example.com/oidc',
          aud: 'client-abc',
          sub: 'u-1',
          groups: ['github_team://1'],
        },
        user: { username: 'rancher:u-1', groups: ['rancher:github_team://1'] },
      },
    ],
  ],
  [
    'k3s-keycloak',
    [
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'k3s',
          sub: 'u',
          email: 'ada@example.com',
          email_verified: true,
        },
        user: { username: 'oidc:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://sso.example.com/realms/platform',
          aud: 'k3s',
          sub: 'u',
          email: 'ada@example.com',
          email_verified: false,
        },
        user: { username: 'oidc:u', groups: [] },
      },
    ],
  ],
  ['rke2-empty', []],
  [
    'talos',
    [
      {
        claims: { iss: 'https://issuer.example.com', aud: 'talos', sub: 'u' },
        user: { username: 'oidc:u', groups: [] },
      },
    ],
  ],
  [
    'kind-blog',
    [
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'example-client-id',
          sub: 'u',
          username: 'ada',
          groups: ['dev'],
          hd: 'example.com',
          exp: 1703232949,
          nbf: 1703146549,
        },
        user: { username: 'oidc:ada', groups: ['oidc:dev'] },
      },
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'example-client-id',
          sub: 'u',
          username: 'ada',
          hd: 'example.com',
          exp: 1703932949,
          nbf: 1703146549,
        },
        user: null,
      },
    ],
  ],
  [
    'openshift-external-oidc',
    [
      {
        claims: {
          iss: 'https://idp.example.com',
          aud: 'my-audience',
          sub: 'u',
          email: 'ada@example.com',
          email_verified: true,
          exp: 1703232949,
          nbf: 1703146549,
        },
        user: { username: 'ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://idp.example.com',
          aud: 'my-audience',
          sub: 'u',
          email: 'eve@example.com.attacker.net',
          email_verified: true,
          exp: 1703232949,
          nbf: 1703146549,
        },
        user: { username: 'eve@example.com.attacker.net', groups: [] },
      },
      {
        claims: {
          iss: 'https://idp.example.com',
          aud: 'my-audience',
          sub: 'u',
          email: 'ada@example.com',
          email_verified: false,
          exp: 1703232949,
          nbf: 1703146549,
        },
        user: null,
      },
    ],
  ],
  [
    'cozystack',
    [
      {
        claims: {
          iss: 'https://idp.byo.example.com',
          aud: 'cozystack-byo',
          sub: 'u',
          preferred_username: 'system:kube-scheduler',
          groups: [],
        },
        user: { username: 'system:kube-scheduler', groups: [] },
      },
    ],
  ],
  [
    'kops',
    [
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          hd: 'example.com',
          email: 'ada@example.com',
        },
        user: { username: 'ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://accounts.google.com',
          aud: '1234567890-example.apps.googleusercontent.com',
          sub: '1',
          email: 'ada@gmail.com',
        },
        user: null,
      },
    ],
  ],
  [
    'cognito',
    [
      {
        claims: {
          iss: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Example',
          aud: '1example23456789',
          sub: 'u',
          'cognito:username': 'ada',
          'cognito:groups': ['dev'],
          token_use: 'id',
        },
        user: { username: 'cognito:ada', groups: ['cognito:dev'] },
      },
      {
        claims: {
          iss: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Example',
          aud: '1example23456789',
          sub: 'u',
          'cognito:username': 'ada',
          token_use: 'access',
        },
        user: null,
      },
    ],
  ],
  [
    'oci-iam',
    [
      {
        claims: {
          iss: 'https://identity.oraclecloud.com/',
          aud: 'cluster',
          sub: 'ada@example.com',
          tenant: 'idcs-0123',
        },
        user: { username: 'oci:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://identity.oraclecloud.com/',
          aud: 'cluster',
          sub: 'ada@example.com',
          tenant: 'idcs-9',
        },
        user: null,
      },
    ],
  ],
  [
    'ibm-verify',
    [
      {
        claims: {
          iss: 'https://acme.verify.ibm.com/oauth2',
          aud: 'cluster',
          sub: '1',
          uniqueSecurityName: 'u',
          groupIds: ['dev'],
        },
        user: { username: 'ibm:u', groups: ['ibm:dev'] },
      },
    ],
  ],
  [
    'cloudflare-access',
    [
      {
        claims: {
          iss: 'https://acme.cloudflareaccess.com',
          aud: '32eafc7626e737136',
          sub: 'u',
          email: 'ada@example.com',
          type: 'app',
        },
        user: { username: 'ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://acme.cloudflareaccess.com',
          aud: '32eafc7626e737136',
          sub: 'u',
          email: 'ada@example.com',
          type: 'org',
        },
        user: null,
      },
    ],
  ],
  [
    'tailscale-idp',
    [
      {
        claims: {
          iss: 'https://idp.example.ts.net',
          aud: 'cluster',
          sub: 'userid:1',
          email: 'ada@example.com',
          tailnet: 'example.ts.net',
        },
        user: { username: 'ts:ada@example.com', groups: [] },
      },
      {
        claims: {
          iss: 'https://idp.example.ts.net',
          aud: 'cluster',
          sub: 'userid:1',
          email: 'ada@example.com',
          tailnet: 'x',
        },
        user: null,
      },
    ],
  ],
  [
    'sigstore',
    [
      {
        claims: {
          iss: 'https://oauth2.sigstore.dev/auth',
          aud: 'sigstore',
          sub: 'C',
          email: 'stranger@example.net',
          email_verified: true,
        },
        user: { username: 'sigstore:stranger@example.net', groups: [] },
      },
    ],
  ],
  [
    'spacelift',
    [
      {
        claims: {
          iss: 'https://acme.app.spacelift.io',
          aud: 'acme.app.spacelift.io',
          sub: 'space:root:stack:x',
          runType: 'TRACKED',
          scope: 'write',
        },
        user: { username: 'spacelift:space:root:stack:x', groups: [] },
      },
      {
        claims: {
          iss: 'https://acme.app.spacelift.io',
          aud: 'acme.app.spacelift.io',
          sub: 's',
          runType: 'TRACKED',
        },
        user: null,
      },
    ],
  ],
  [
    'slack',
    [
      {
        claims: { iss: 'https://slack.com', aud: '25141613063.217239953182', sub: 'U0R7MFMJM' },
        user: { username: 'slack:U0R7MFMJM', groups: [] },
      },
    ],
  ],
  [
    'deckhouse-dex',
    [
      {
        claims: {
          iss: 'https://dex.example.com/',
          aud: 'kubernetes',
          sub: 'C',
          email: 'ada@example.com',
          groups: ['dev'],
        },
        user: { username: 'ada@example.com', groups: ['dev'] },
      },
      {
        claims: { iss: 'https://issuer.example.com', aud: 'kubernetes', sub: 'robot' },
        user: { username: 'robot', groups: [] },
      },
    ],
  ],
  [
    'two-realms',
    [
      {
        claims: { iss: 'https://sso.example.com/realms/platform', aud: 'kubernetes', sub: 'u' },
        user: { username: 'oidc:u', groups: [] },
      },
      {
        claims: {
          iss: 'https://sso.example.com/realms/partners',
          aud: 'kubernetes',
          sub: 'x',
          username: 'u',
        },
        user: { username: 'oidc:u', groups: [] },
      },
    ],
  ],
  [
    'contradicting-domains',
    [
      {
        claims: { iss: 'https://issuer.example.com', aud: 'app', sub: 'u', hd: 'example.com' },
        user: null,
      },
      {
        claims: { iss: 'https://issuer.example.com', aud: 'app', sub: 'u', hd: 'example.org' },
        user: null,
      },
    ],
  ],
  [
    'email-domain-typo',
    [
      {
        claims: {
          iss: 'https://issuer.example.com',
          aud: 'app',
          sub: 'u',
          email: 'ada@example.com',
        },
        user: null,
      },
    ],
  ],
  [
    'nested-groups',
    [
      {
        claims: { iss: 'https://issuer.example.com', aud: 'app', sub: 'u', groups: ['a', 'ab'] },
        user: { username: 'oidc:u', groups: ['oidc:ab'] },
      },
    ],
  ],
]);
