/** A credential plugin is written to a kubeconfig without changing anything else. */
import { expect, test } from 'vitest';
import {
  type ExecSection,
  setUserExec,
} from '../../../../engine/src/documents/kubeconfig/set-user.ts';

const exec: ExecSection = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'authgraph',
  args: ['get-token', '--issuer-url=https://issuer.example', '--client-id=0123'],
  installHint: 'Install it.',
  interactiveMode: 'Never',
  provideClusterInfo: false,
};

const written = `    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: authgraph
      args:
      - get-token
      - --issuer-url=https://issuer.example
      - --client-id=0123
      installHint: Install it.
      interactiveMode: Never
      provideClusterInfo: false
`;

const change = (text: string, name = 'jane') => {
  const result = setUserExec(text, name, exec);
  if (result.kind === 'error') throw new Error(result.message);
  return result;
};

test('an empty file becomes a kubeconfig', () => {
  expect(change('')).toEqual({
    kind: 'changed',
    isNew: true,
    removed: [],
    text: `apiVersion: v1\nkind: Config\nusers:\n- name: jane\n  user:\n${written}`,
  });
});

const kubeconfig = `# my clusters
apiVersion: v1
kind: Config
preferences: {}
current-context: work # the usual one
clusters:
- name: work
  cluster:
    server: https://work.example   # behind the VPN
    certificate-authority-data: ${'QUJD'.repeat(60)}
contexts:
# the names are those of the wiki
- {name: work, context: {cluster: work, user: jane}}
users:
- name: joe # a colleague
  user:
    token: "0123"
`;

test('comments, quotes and long lines stay as they are', () => {
  expect(change(kubeconfig).text).toBe(
    `${kubeconfig}- name: jane\n  user:\n${written}`
      .replace('example   #', 'example # ')
      .replace('#  behind', '# behind'),
  );
});

test('an existing user keeps its other fields, but not its other credentials', () => {
  const result = change(kubeconfig.replace('token:', 'as: boss # until May\n    token:'), 'joe');
  expect([result.isNew, result.removed]).toEqual([false, ['token']]);
  expect(result.text).toContain(
    `- name: joe # a colleague\n  user:\n    as: boss # until May\n${written}`,
  );
  expect(result.text).not.toContain('0123"');
});

test('the second time nothing changes', () => {
  const once = change(kubeconfig).text;
  expect(change(once)).toEqual({ kind: 'changed', text: once, isNew: false, removed: [] });
});

const jane = `- name: jane\n  user:\n${written}`;

test.each<[string, string, string]>([
  [
    'lists with indentation',
    'users:\n  - name: joe\n    user: {}\n',
    `users:\n  - name: joe\n    user: {}\n${jane
      .replaceAll(/^/gm, '  ')
      .replaceAll(/^ {8}- /gm, '          - ')
      .trimEnd()}\n`,
  ],
  ['no users', 'users:\nclusters: []\n', `users:\n${jane}clusters: []\n`],
  ['an empty list', 'users: []\n', `users:\n${jane}`],
  [
    'JSON',
    '{"users": [{"name": "joe", "user": {"token": "x"}}], "current-context": ""}',
    `${JSON.stringify(
      {
        users: [
          { name: 'joe', user: { token: 'x' } },
          { name: 'jane', user: { exec } },
        ],
        'current-context': '',
      },
      undefined,
      2,
    )}\n`,
  ],
  ['a user without fields', 'users:\n- name: jane\n', `users:\n${jane}`],
  [
    'a user with nothing',
    'users:\n- name: jane\n  user: {}\n- name: jim\n  user: {}\n',
    `users:\n${jane}- name: jim\n  user: {}\n`,
  ],
  [
    'Windows line ends',
    'users:\r\n- name: joe\r\n  user:\r\n    token: x\r\n',
    `users:\n- name: joe\n  user:\n    token: x\n${jane}`,
  ],
])('%s', (_, text, expected) => {
  expect(change(text).text).toBe(expected);
  expect(change(expected).text).toBe(expected);
});

test.each<[string, string, string]>([
  ['a list', '- a\n', 'a kubeconfig is a map'],
  ['text', 'jane', 'a kubeconfig is a map'],
  ['users that are no list', 'users: {jane: {}}\n', 'users is not a list'],
  [
    'a user that is no map',
    'users:\n- name: jane\n  user: x\n',
    'the entry of user "jane" is not a map',
  ],
  ['broken YAML', 'users: [\n', 'yaml: '],
  ['two documents', 'users: []\n---\nusers: []\n', 'yaml: '],
  [
    'an octal number',
    'users: []\nextensions: [{name: a, extension: 0600}]\n',
    'extensions cannot be written back unchanged: edit the file by hand',
  ],
  [
    'deep nesting',
    `users: []\nextensions: ${'['.repeat(100)}${']'.repeat(100)}\n`,
    'yaml: exceeded max depth',
  ],
  [
    'aliases without end',
    `a: &a [x, x]\nb: &b [*a, *a]\n${Array.from({ length: 30 }, (_, at) => `c${at}: &c${at} [${at === 0 ? '*b, *b' : `*c${at - 1}, *c${at - 1}`}]`).join('\n')}\n`,
    'yaml: ',
  ],
])('%s is not changed', (_, text, message) => {
  const result = setUserExec(text, 'jane', exec);
  expect(result.kind === 'error' ? result.message : result.text).toContain(message);
});

test('a name may contain any character', () => {
  for (const name of ['a: b', '0', 'true', 'ä"\'', ' x ', '-', '#', 'arn:aws:eks:eu:1:cluster/x']) {
    const { text } = change(kubeconfig, name);
    expect(change(text, name).isNew).toBe(false);
  }
});
