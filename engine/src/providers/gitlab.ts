/** Starter configuration for GitLab. */
import { celString } from './entry-writer.ts';
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

const groupRule = (group: string): string =>
  `claims.namespace_path == ${celString(group)} || claims.namespace_path.startsWith(${celString(`${group}/`)})`;

export const gitlab: Provider = {
  id: 'gitlab',
  title: 'GitLab',
  description: 'Pipelines of one group, on protected branches and tags.',
  source: 'https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload',
  about: ['Pipelines of one GitLab group, limited to protected branches and tags.'],
  settings: [
    {
      key: 'url',
      doc: 'the address of your GitLab server',
      form: 'url',
      example: 'https://gitlab.com',
      isCommon: true,
    },
    {
      key: 'audience',
      doc: 'the audience that your pipelines request',
      form: 'text',
      example: 'https://cluster.example.com',
    },
    {
      key: 'group',
      doc: 'the group whose pipelines are accepted',
      form: 'text',
      example: 'example-group',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: ${write.scalar('url')}
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  - expression: ${write.text(groupRule(write.value('group')), 'group')}
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
    - key: ${write.text(`${write.value('extra-domain')}/pipeline`, 'extra-domain')}
      valueExpression: claims.pipeline_id
    - key: ${write.text(`${write.value('extra-domain')}/started-by`, 'extra-domain')}
      valueExpression: claims.user_login
`,
  sample: 'deploy',
  claims: ({ issued, expires }, value) => ({
    namespace_id: '72',
    namespace_path: value('group'),
    project_id: '4711',
    project_path: `${value('group')}/shop`,
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
    ci_config_ref_uri: `gitlab.com/${value('group')}/shop//.gitlab-ci.yml@refs/heads/main`,
    ci_config_sha: '0123456789abcdef0123456789abcdef01234567',
    jti: '235b3a54-b797-45c7-ae9a-f72d7bc6ef5b',
    iss: value('url'),
    iat: issued,
    nbf: issued,
    exp: expires,
    sub: `project_path:${value('group')}/shop:ref_type:branch:ref:main`,
    aud: value('audience'),
  }),
};
