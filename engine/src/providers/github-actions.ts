/** Starter configuration for GitHub Actions. */
import type { Provider } from './provider.ts';
import { extraDomain } from './settings.ts';

export const githubActions: Provider = {
  id: 'github-actions',
  title: 'GitHub Actions',
  description: 'Workflows of one organization, except those of pull requests.',
  source: 'https://docs.github.com/actions/reference/security/oidc',
  about: ['Workflows of one GitHub organization as users of the cluster.'],
  settings: [
    {
      key: 'audience',
      doc: 'the audience that your workflows request',
      form: 'text',
      example: 'https://cluster.example.com',
    },
    {
      key: 'org',
      doc: 'the user or organization whose workflows are accepted',
      form: 'segment',
      example: 'example-org',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    url: https://token.actions.githubusercontent.com
    # A workflow requests a token with exactly this audience.
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  # Anyone on GitHub can get tokens from this issuer: name the owner whose workflows are accepted.
  - claim: repository_owner
    requiredValue: ${write.scalar('org')}
  - expression: claims.event_name != 'pull_request' && claims.event_name != 'pull_request_target'
    message: pull request workflows run untrusted code
  claimMappings:
    username:
      # repo:${write.value('org')}/shop:environment:production
      claim: sub
      prefix: "github:"
    groups:
      # The protected environment, if the job runs in one.
      expression: >-
        has(claims.environment) ? ['github:environment:' + string(claims.environment)] : []
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/workflow`, 'extra-domain')}
      valueExpression: claims.workflow_ref
    - key: ${write.text(`${write.value('extra-domain')}/run`, 'extra-domain')}
      valueExpression: claims.run_id
`,
  sample: 'deploy',
  claims: ({ issued, expires }, value) => ({
    jti: '6d0c1b2a-1111-4222-8333-944445555666',
    sub: `repo:${value('org')}/shop:environment:production`,
    environment: 'production',
    aud: value('audience'),
    ref: 'refs/heads/main',
    sha: '0123456789abcdef0123456789abcdef01234567',
    repository: `${value('org')}/shop`,
    repository_owner: value('org'),
    actor_id: '12',
    repository_visibility: 'private',
    repository_id: '74',
    repository_owner_id: '65',
    run_id: '9876543210',
    run_number: '10',
    run_attempt: '2',
    runner_environment: 'github-hosted',
    actor: 'ada',
    workflow: 'deploy',
    workflow_ref: `${value('org')}/shop/.github/workflows/deploy.yaml@refs/heads/main`,
    workflow_sha: '0123456789abcdef0123456789abcdef01234567',
    head_ref: '',
    base_ref: '',
    event_name: 'push',
    ref_type: 'branch',
    ref_protected: 'true',
    job_workflow_ref: `${value('org')}/shop/.github/workflows/deploy.yaml@refs/heads/main`,
    iss: 'https://token.actions.githubusercontent.com',
    nbf: issued,
    exp: expires,
    iat: issued,
  }),
};
