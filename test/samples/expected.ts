/** Who the samples make of their claims: recorded from the real server's code. */
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
          'example.com/workflow',
          ['example-org/shop/.github/workflows/deploy.yaml@refs/heads/main'],
        ],
        ['example.com/run', ['9876543210']],
      ]),
    }),
  ],
  [
    'gitlab',
    user('gitlab:example-group/shop', {
      uid: 'gitlab:4711',
      groups: ['gitlab:example-group'],
      extra: new Map([
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
      extra: new Map([['example.com/client', ['cluster-cli']]]),
    }),
  ],
]);
