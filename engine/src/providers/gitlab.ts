/** Starter configuration for GitLab. */
import type { Provider } from './provider.ts';

export const gitlab: Provider = {
  id: 'gitlab',
  title: 'GitLab',
  description: 'Pipelines of one group, on protected branches and tags.',
  source: 'https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload',
  about: ['Pipelines of one GitLab group, limited to protected branches and tags.'],
  authenticator: `- issuer:
    url: https://gitlab.com
    audiences:
    - https://cluster.example.com
  claimValidationRules:
  - expression: claims.namespace_path == 'example-group' || claims.namespace_path.startsWith('example-group/')
    message: pipelines of other groups have no access
  # GitLab sends this as a string, not as a Boolean.
  - claim: ref_protected
    requiredValue: "true"
  claimMappings:
    username:
      expression: "'gitlab:' + claims.project_path"
    groups:
      expression: "['gitlab:' + claims.namespace_path]"
    uid:
      expression: "'gitlab:' + claims.project_id"
    extra:
    - key: example.com/pipeline
      valueExpression: claims.pipeline_id
    - key: example.com/started-by
      valueExpression: claims.user_login
`,
  sample: 'deploy',
  claims: ({ issued, expires }) => ({
    namespace_id: '72',
    namespace_path: 'example-group',
    project_id: '4711',
    project_path: 'example-group/shop',
    user_id: '1',
    user_login: 'ada',
    user_email: 'ada@example.com',
    user_access_level: 'maintainer',
    pipeline_id: '815',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_type: 'branch',
    ref_path: 'refs/heads/main',
    ref_protected: 'true',
    environment: 'production',
    environment_protected: 'true',
    deployment_tier: 'production',
    environment_action: 'start',
    runner_id: 1,
    runner_environment: 'gitlab-hosted',
    sha: '0123456789abcdef0123456789abcdef01234567',
    project_visibility: 'private',
    ci_config_ref_uri: 'gitlab.com/example-group/shop//.gitlab-ci.yml@refs/heads/main',
    ci_config_sha: '0123456789abcdef0123456789abcdef01234567',
    jti: '235b3a54-b797-45c7-ae9a-f72d7bc6ef5b',
    iss: 'https://gitlab.com',
    iat: issued,
    nbf: issued,
    exp: expires,
    sub: 'project_path:example-group/shop:ref_type:branch:ref:main',
    aud: 'https://cluster.example.com',
  }),
};
