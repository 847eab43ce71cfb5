/** Expected users of the samples, recorded from kube-apiserver's code. */
import type { UserInfo } from '../../engine/src/model/user-info.ts';

const user = (username: string, more: Partial<Omit<UserInfo, 'username'>>): UserInfo => ({
  username,
  uid: '',
  groups: [],
  extra: new Map(),
  ...more,
});

export const expectedUsers: ReadonlyMap<string, UserInfo> = new Map([
  [
    'auth0',
    user('auth0:auth0|5f7c8ec7c33c6c004bbafe82', {
      groups: ['auth0:developers'],
      extra: new Map([['example.com/name', ['Ada Example']]]),
    }),
  ],
  [
    'dex',
    user('dex:ada', {
      uid: 'CgNhZGESBGxkYXA',
      groups: ['dex:developers', 'dex:on-call'],
      extra: new Map([['example.com/name', ['ada']]]),
    }),
  ],
  [
    'entra',
    user('entra:aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', {
      groups: ['entra:0f0f0f0f-0000-4000-8000-000000000001'],
      extra: new Map([['example.com/name', ['olu@example.com']]]),
    }),
  ],
  [
    'github-actions',
    user('github:repo:example-org/shop:environment:production', {
      groups: ['github:environment:production'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=6d0c1b2a-1111-4222-8333-944445555666'],
        ],
        ['example.com/run', ['9876543210']],
        [
          'example.com/workflow',
          ['example-org/shop/.github/workflows/deploy.yaml@refs/heads/main'],
        ],
      ]),
    }),
  ],
  [
    'gitlab',
    user('gitlab:example-group/shop', {
      uid: 'gitlab:4711',
      groups: ['gitlab:example-group'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=235b3a54-b797-45c7-ae9a-f72d7bc6ef5b'],
        ],
        ['example.com/pipeline', ['815']],
        ['example.com/started-by', ['ada']],
      ]),
    }),
  ],
  ['google', user('olu@example.com', { uid: '110169484474386276334' })],
  [
    'keycloak',
    user('keycloak:ada', {
      uid: 'f:4f3a:ada',
      groups: ['keycloak:developers'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=onrtac:5a1f6ea2-4cf2-4be0-9b3e-5bcd1d1e2f30'],
        ],
        ['example.com/client', ['cluster-cli']],
      ]),
    }),
  ],
  [
    'okta',
    user('okta:00u1example2olu3id45', {
      groups: ['okta:platform', 'okta:on-call'],
      extra: new Map([
        ['authentication.kubernetes.io/credential-id', ['JTI=ID.exampleIdOfThisToken']],
        ['example.com/name', ['olu@example.com']],
      ]),
    }),
  ],
  [
    'eks',
    user('eks:delivery:deployer', {
      uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af',
      groups: ['eks:delivery'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=ea28ed49-2e11-4280-9ec5-bc3d1d84661a'],
        ],
        ['example.com/pod', ['deployer-69cbfb9798-jv9gn']],
      ]),
    }),
  ],
  [
    'gke',
    user('gke:delivery:deployer', {
      uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af',
      groups: ['gke:delivery'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=ea28ed49-2e11-4280-9ec5-bc3d1d84661a'],
        ],
        ['example.com/pod', ['deployer-69cbfb9798-jv9gn']],
      ]),
    }),
  ],
  [
    'other-cluster',
    user('blue:delivery:deployer', {
      uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af',
      groups: ['blue:delivery'],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          ['JTI=ea28ed49-2e11-4280-9ec5-bc3d1d84661a'],
        ],
        ['example.com/pod', ['deployer-69cbfb9798-jv9gn']],
      ]),
    }),
  ],
  ['spiffe', user('spiffe://example.org/ns/shop/sa/web', { groups: ['spiffe:ns:shop'] })],
]);

/** A claim of a user that must not be accepted, and the expected decision. */
export const strangers: ReadonlyMap<string, readonly [string, unknown, string]> = new Map<
  string,
  readonly [string, unknown, string]
>([
  ['auth0', ['iss', 'https://other.eu.auth0.com/', 'noOpinion']],
  ['dex', ['federated_claims', { connector_id: 'github', user_id: 'ada' }, 'rejected']],
  ['entra', ['tid', '00000000-0000-0000-0000-000000000000', 'rejected']],
  ['github-actions', ['repository_owner', 'other-org', 'rejected']],
  ['gitlab', ['namespace_path', 'other-group', 'rejected']],
  ['google', ['hd', 'other.example', 'rejected']],
  ['keycloak', ['typ', 'Refresh', 'rejected']],
  ['okta', ['iss', 'https://other.okta.com/oauth2/default', 'noOpinion']],
  ['eks', ['kubernetes.io', { namespace: 'kube-system' }, 'rejected']],
  ['gke', ['kubernetes.io', { namespace: 'kube-system' }, 'rejected']],
  ['other-cluster', ['kubernetes.io', { namespace: 'kube-system' }, 'rejected']],
  ['spiffe', ['sub', 'spiffe://other.example/ns/shop/sa/web', 'rejected']],
]);
